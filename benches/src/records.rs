//! The records: games, commands, what others have published, and what was measured. `benches/record/famous.jsonl` has one on each line.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Where the records are kept.
pub fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("record/famous.jsonl")
}

/// A line of the file.
#[derive(Clone, Debug)]
pub struct Record(pub Value);

impl Record {
    /// All records.
    pub fn all() -> Result<Vec<Record>, String> {
        let text = fs::read_to_string(file()).map_err(|error| error.to_string())?;
        let read = |line| serde_json::from_str(line).map(Record);
        text.lines().map(read).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    /// Replaces the file.
    pub fn write_all(records: &[Record]) -> Result<(), String> {
        let lines: String = records.iter().map(|record| format!("{}\n", record.0)).collect();
        fs::write(file(), lines).map_err(|error| error.to_string())
    }

    /// The short name, by which a record is asked for.
    pub fn name(&self) -> &str {
        self.0["name"].as_str().unwrap_or_default()
    }

    /// The arguments of `retrograde`.
    pub fn command(&self) -> &str {
        self.0["command"].as_str().unwrap_or_default()
    }

    /// In what a run differs from what is known: counts, and the bytes of the table.
    pub fn differences(&self, measured: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        for key in ["win", "loss", "draw", "longest"] {
            let published = &self.0["published"][key];
            if !published.is_null() && *published != measured[key] {
                wrong.push(format!("{key} is {}, published is {published}", measured[key]));
            }
        }
        for key in ["win", "loss", "draw", "longest", "sha256"] {
            let before = &self.0["measured"][key];
            if !before.is_null() && *before != measured[key] {
                wrong.push(format!("{key} is {}, it was {before}", measured[key]));
            }
        }
        wrong
    }

    /// The row of a table in Markdown.
    pub fn row(&self) -> String {
        let measured = &self.0["measured"];
        let number = |key: &str| measured[key].as_u64().map_or_else(|| "-".into(), grouped);
        let tenths = |key: &str| match measured[key].as_f64() {
            Some(seconds) if seconds < 10.0 => format!("{seconds:.2}"),
            Some(seconds) => format!("{seconds:.0}"),
            None => "-".into(),
        };
        let source = self.0["published"]["source"].as_str().unwrap_or("computed here");
        format!(
            "| {} | `retrograde {}` | {} / {} / {} | {} | {} s | {} s | {} MB | {} | {source} |",
            self.0["title"].as_str().unwrap_or_default(),
            self.command(),
            number("win"),
            number("loss"),
            number("draw"),
            number("longest"),
            tenths("seconds"),
            tenths("processor_seconds"),
            number("peak_mb"),
            measured["table_bytes"].as_u64().map_or_else(|| "-".into(), bytes),
        )
    }
}

/// The head of that table.
pub const HEAD: &str = "| game | command | wins / losses / draws | longest | time | processor | memory | table | published |\n\
    | --- | --- | --- | --: | --: | --: | --: | --: | --- |";

/// Counts of a report of `solve --json`, or of one of `info --json` for a folder.
pub fn counts(report: &Value, region: Option<&str>) -> Value {
    if let Some(region) = region {
        let sides: Vec<&Value> = match report["tables"][region].as_object() {
            Some(sides) => sides.values().collect(),
            None => Vec::new(),
        };
        let sum = |key: &str| sides.iter().filter_map(|side| side[key].as_u64()).sum::<u64>();
        let longest = sides.iter().filter_map(|side| side["longest"].as_u64()).max();
        return json!({"win": sum("win"), "loss": sum("loss"), "draw": sum("draw"), "longest": longest});
    }
    let of = if report["positions"].is_object() { &report["positions"] } else { report };
    json!({"win": of["win"], "loss": of["loss"], "draw": of["draw"], "longest": report["longest_win"]})
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut parts: Vec<&str> =
        (first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]).collect();
    if first > 0 {
        parts.insert(0, &digits[..first]);
    }
    parts.join(",")
}

fn bytes(count: u64) -> String {
    match count {
        0..1_000_000 => format!("{:.0} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}
