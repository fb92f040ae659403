//! `retrograde list`: every valid state, one per line.

use std::io::Write;

use clap::Args;
use retrograde_catalog::list_run;

use crate::commands::examples;
use crate::report::format::FormatArg;
use crate::report::list::write_runs;
use crate::source::engine::{EngineArgs, How};
use crate::source::parameters::shared;
use crate::source::subject::Subject;
use crate::source::wrong::failed;
use crate::term::failure::Failure;
use crate::term::file::ToFile;

/// Print every valid state: its text, its value and its distance, with tabs between them
#[derive(Args)]
#[command(after_help = examples::LIST, mut_args = shared)]
pub(crate) struct List {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    format: FormatArg,
    /// Print values without distances: faster, in less memory
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
        let List { subject, format, no_distance, to, engine } = self;
        let format = format.get();
        let read = subject.board();
        let target = subject.whole(engine.memory)?;
        let read = read.or_else(|| target.read());
        to.free(read.as_deref())?;
        let oracle = target.oracle(&engine, How::at_once(!no_distance))?;
        let states = oracle.region(&target.one()?).map_err(failed)?;
        // Between lines of results there is no space for a progress bar.
        let bar = if to.is_seen() { None } else { engine.quiet.bar("listed") };
        let (states, distances) = (&*states, oracle.has_distances());
        to.write(out, read.as_deref(), |out| {
            let lines = |run| list_run(states, distances, format.lines(), run).map_err(failed);
            write_runs(states.states(), format, bar.as_ref(), out, lines)
        })
    }
}
