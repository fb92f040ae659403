//! `retrograde list`, and `solve --list`: every state that is not void, one a line.

use std::fmt::Write as _;
use std::io::Write;
use std::ops::Range;

use clap::Args;
use rayon::prelude::*;
use retrograde::Value;
use retrograde_playable::{Playable, Values, word};
use serde_json::json;

use crate::answers::unanswered;
use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::subject::Subject;

/// Print every state that is not void: its text, its value and its distance, with tabs between
#[derive(Args)]
#[command(after_help = examples::ALL)]
pub(crate) struct List {
    #[command(flatten)]
    subject: Subject,
    /// With commas between and a line of titles, for spreadsheets
    #[arg(long, conflicts_with = "ndjson")]
    csv: bool,
    /// One JSON object a line
    #[arg(long)]
    ndjson: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// How a list is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// The state's text, its value, its distance or `-`, with tabs between.
    Tabs,
    /// The same with commas between and nothing for a distance that is none.
    Csv,
    /// An object a line.
    Ndjson,
}

impl List {
    /// Prints the list.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let format = match (self.csv, self.ndjson) {
            (true, _) => Format::Csv,
            (_, true) => Format::Ndjson,
            _ => Format::Tabs,
        };
        if let Some(endgames) = self.subject.whole_endgames()? {
            return endgames.list(format, out);
        }
        let opened = self.subject.open()?;
        let answers = opened.answers(&self.engine, How::at_once(true))?;
        list(&*opened.game, &*answers.values()?, format, out)
    }
}

/// Lines are made in runs of so many states, several at a time, and written in order.
const RUN: u64 = 1 << 13;

/// Writes the list.
pub(crate) fn list(
    game: &dyn Playable,
    values: &dyn Values,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write_runs(game.states(), format, out, |run| lines(game, values, format, run))
}

/// Writes the list of so many states, given the lines of a run of them.
pub(crate) fn write_runs(
    states: u64,
    format: Format,
    out: &mut dyn Write,
    lines: impl Fn(Range<u64>) -> Result<String, Failure> + Sync,
) -> Result<(), Failure> {
    if format == Format::Csv {
        writeln!(out, "state,value,distance")?;
    }
    let runs = states.div_ceil(RUN);
    let run = |run: u64| run * RUN..states.min((run + 1) * RUN);
    let runs_at_once = 4 * rayon::current_num_threads() as u64;
    for first in (0..runs).step_by(runs_at_once as usize) {
        let batch = (first..runs.min(first + runs_at_once)).into_par_iter();
        let texts: Result<Vec<String>, Failure> = batch.map(|number| lines(run(number))).collect();
        for text in texts? {
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(())
}

fn lines(
    game: &dyn Playable,
    values: &dyn Values,
    format: Format,
    states: Range<u64>,
) -> Result<String, Failure> {
    let mut found = vec![None; (states.end - states.start) as usize];
    values.fill(states.start, &mut found).map_err(unanswered)?;
    let distances = values.has_distances();
    let mut text = String::new();
    for (state, value) in states.zip(found) {
        if let Some(value) = value {
            write_state(&mut text, format, &game.text(state), Some(value), distances);
        }
    }
    Ok(text)
}

/// The line of one state, with tabs.
pub(crate) fn line_of(
    game: &dyn Playable,
    state: u64,
    value: Option<Value>,
    distances: bool,
) -> String {
    let mut line = String::new();
    write_state(&mut line, Format::Tabs, &game.text(state), value, distances);
    line
}

// Writing into a string cannot fail.
pub(crate) fn write_state(
    text: &mut String,
    format: Format,
    state: &str,
    value: Option<Value>,
    distances: bool,
) {
    let distance = value.and_then(|value| distance(value, distances));
    let word = value.map_or("void", word);
    let number = distance.map(|distance| distance.to_string());
    _ = match format {
        Format::Tabs => writeln!(text, "{state}\t{word}\t{}", number.as_deref().unwrap_or("-")),
        Format::Csv => {
            writeln!(text, "{},{word},{}", quoted(state), number.as_deref().unwrap_or(""))
        }
        Format::Ndjson => {
            writeln!(text, "{}", json!({ "state": state, "value": word, "distance": distance }))
        }
    };
}

/// A field of a line with commas: in quotes where it holds what would end it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// The distance of a value, where it has one and distances were kept.
pub(crate) fn distance(value: Value, kept: bool) -> Option<u32> {
    value.distance().filter(|_| kept)
}
