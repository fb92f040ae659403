//! `retrograde list`: every state that is not invalid, one a line.

use std::io::Write;
use std::ops::Range;

use clap::Args;
use retrograde_catalog::{Playable, Values};

use crate::commands::examples;
use crate::report::format::{Format, FormatArg};
use crate::report::list::{write_runs, write_state};
use crate::source::engine::{EngineArgs, How};
use crate::source::subject::Subject;
use crate::term::failure::{Failure, input};
use crate::term::file::ToFile;

/// Print every state that is not invalid: its text, its value and its distance, with tabs between
#[derive(Args)]
#[command(after_help = examples::LIST)]
pub(crate) struct List {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    format: FormatArg,
    /// Values alone: faster, in less memory
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    #[command(flatten)]
    to: ToFile,
    #[command(flatten)]
    engine: EngineArgs,
}

impl List {
    /// Prints the list.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let List { mut subject, format, no_distance, to, engine } = self;
        let format = format.get();
        // A progress bar between lines of results would only disturb.
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
        let answers = engine.answers(&opened, How::at_once(!no_distance))?;
        let (game, values, bar) = (&*opened.game, answers.values()?, bar());
        let states = game.states();
        to.write(out, read.as_deref(), |out| {
            write_runs(states, format, bar.as_ref(), out, |run| lines(game, &*values, format, run))
        })
    }
}

fn lines(
    game: &dyn Playable,
    values: &dyn Values,
    format: Format,
    states: Range<u64>,
) -> Result<String, Failure> {
    let mut found = vec![None; (states.end - states.start) as usize];
    values.fill(states.start, &mut found).map_err(input)?;
    let distances = values.has_distances();
    let mut text = String::new();
    for (state, value) in states.zip(found) {
        if let Some(value) = value {
            write_state(&mut text, format, &game.text(state), Some(value), distances);
        }
    }
    Ok(text)
}
