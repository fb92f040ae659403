//! `retrograde list`: every state that is not void, one a line.

use std::fmt::Write as _;
use std::io::Write;
use std::ops::Range;

use clap::Args;
use rayon::prelude::*;
use retrograde::Value;
use retrograde_catalog::{Playable, Values, word};
use serde_json::json;

use crate::answers::unanswered;
use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::options::{FORMAT, Json, ToFile};
use crate::progress::Bar;
use crate::subject::Subject;

/// Print every state that is not void: its text, its value and its distance, with tabs between
#[derive(Args)]
#[command(after_help = examples::LIST)]
pub(crate) struct List {
    #[command(flatten)]
    subject: Subject,
    /// With commas between and a line of titles, for spreadsheets
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    json: Json,
    /// Values alone: faster, in less memory
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    #[command(flatten)]
    to: ToFile,
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
    Json,
}

impl List {
    /// Prints the list.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let List { mut subject, csv, json, no_distance, to, engine } = self;
        let format = match (csv, json.json) {
            (true, _) => Format::Csv,
            (_, true) => Format::Json,
            _ => Format::Tabs,
        };
        // A line that is drawn between lines of results helps nobody.
        let bar = || if to.is_seen() { None } else { engine.quiet.bar("listed") };
        let read = subject.board();
        if let Some(mills) = subject.whole_mills()? {
            let bar = bar();
            return to.write(out, None, |out| mills.list(format, bar.as_ref(), out));
        }
        if let Some(endgames) = subject.whole_endgames()? {
            let bar = bar();
            return to.write(out, None, |out| endgames.list(format, bar.as_ref(), out));
        }
        let opened = subject.open(engine.memory)?;
        let read = read.or_else(|| Some(opened.table.as_ref()?.path().to_owned()));
        to.free(read.as_deref())?;
        let answers = opened.answers(&engine, How::at_once(!no_distance))?;
        let (game, values, bar) = (&*opened.game, answers.values()?, bar());
        let states = game.states();
        to.write(out, read.as_deref(), |out| {
            write_runs(states, format, bar.as_ref(), out, |run| lines(game, &*values, format, run))
        })
    }
}

/// Lines are made in runs of so many states, several at a time, and written in order.
const RUN: u64 = 1 << 13;

/// Writes the list of so many states, given the lines of a run of them.
pub(crate) fn write_runs(
    states: u64,
    format: Format,
    bar: Option<&Bar>,
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
        if let Some(bar) = bar {
            bar.show(run(first).end, states);
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
        Format::Json => {
            let object = json!({
                "format": FORMAT, "state": state, "value": word, "distance": distance,
            });
            writeln!(text, "{object}")
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
