//! Prints the records, or runs some again: see `scripts/records`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use retrograde_benches::measure;
use retrograde_benches::records::{HEAD, Record, counts};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let arguments = match measure::as_parent() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    match work(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("records: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(arguments: &[String]) -> Result<ExitCode, String> {
    let mut records = Record::all()?;
    let wanted: HashSet<&str> =
        arguments.iter().map(String::as_str).filter(|name| *name != "--keep").collect();
    let keep = arguments.iter().any(|argument| argument == "--keep");
    let known: HashSet<String> = records.iter().map(|record| record.name().to_owned()).collect();
    if let Some(unknown) = wanted.iter().find(|name| **name != "all" && !known.contains(**name)) {
        let mut known: Vec<_> = known.iter().map(String::as_str).collect();
        known.sort_unstable();
        return Err(format!("there is no record {unknown}; there are {}", known.join(", ")));
    }
    let mut failed = false;
    println!("{HEAD}");
    for at in 0..records.len() {
        let record = &records[at];
        if !wanted.contains("all") && !wanted.contains(record.name()) {
            if wanted.is_empty() {
                println!("{}", record.row());
            }
            continue;
        }
        let measured = run(record)?;
        let wrong = record.differences(&measured);
        for difference in &wrong {
            eprintln!("{}: {difference}", record.name());
        }
        failed |= !wrong.is_empty();
        let mut again = record.clone();
        again.0["measured"] = measured;
        println!("{}", again.row());
        if keep && wrong.is_empty() {
            records[at] = again;
            Record::write_all(&records)?;
        }
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// Solves the game, writes its table, and measures both.
fn run(record: &Record) -> Result<Value, String> {
    let name = |key| env::var(key).map_err(|_| format!("{key} is not set: use scripts/records"));
    let (retrograde, machine, folder) = (name("RETROGRADE")?, name("MACHINE")?, name("WORK")?);
    let table = Path::new(&folder).join(record.name());
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut command = vec![retrograde.clone()];
    command.extend(record.command().split_whitespace().map(str::to_owned));
    command.extend(["--json", "--quiet", "--out"].map(str::to_owned));
    command.push(text(&table));
    let run = measure::run(&command)?;
    let (mut measured, size, of_sum) = if table.is_dir() {
        let region = command[3].clone();
        let info = [retrograde, "info".into(), text(&table), "--json".into()];
        let info = output(&info)?;
        let report: Value = serde_json::from_str(&info).map_err(|error| error.to_string())?;
        let files = files(&table)?;
        let size = files.iter().map(|file| fs::metadata(file).map_or(0, |about| about.len())).sum();
        let main = files.into_iter().find(|file| {
            file.file_stem().is_some_and(|stem| stem.to_string_lossy() == region.as_str())
        });
        let main = main.ok_or_else(|| format!("{} has no table of {region}", text(&table)))?;
        (counts(&report, Some(&region)), size, main)
    } else {
        let report = serde_json::from_str(&run.output).map_err(|error| error.to_string())?;
        let size = fs::metadata(&table).map_err(|error| error.to_string())?.len();
        (counts(&report, None), size, table)
    };
    let sum = output(&["sha256sum".into(), text(&of_sum)])?;
    measured["sha256"] = json!(sum.split_whitespace().next());
    measured["table_bytes"] = json!(size);
    measured["seconds"] = json!(rounded(run.seconds));
    measured["processor_seconds"] = json!(rounded(run.processor_seconds));
    measured["peak_mb"] = json!(run.peak_bytes / 1_000_000);
    measured["machine"] = json!(machine);
    Ok(measured)
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let paths: Vec<_> = paths.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    Ok(paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "table"))
        .collect())
}

fn output(command: &[String]) -> Result<String, String> {
    let output = Command::new(&command[0]).args(&command[1..]).output();
    let output = output.map_err(|error| format!("{}: {error}", command[0]))?;
    if !output.status.success() {
        return Err(format!("{}: {}", command.join(" "), String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
