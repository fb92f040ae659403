//! `--quiet`, and the choice of progress lines.

use std::io::{self, IsTerminal};

use clap::Args;

use crate::term::progress::{Bar, Line, Ticker, note};

/// Whether to print only results.
#[derive(Args, Clone, Copy)]
pub(crate) struct Quiet {
    /// No progress and no notes on standard error
    #[arg(long, short)]
    quiet: bool,
}

impl Quiet {
    /// No progress and no notes, whatever was asked for.
    pub(crate) const YES: Quiet = Quiet { quiet: true };

    /// Prints a note besides the results, unless quiet.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            note(text);
        }
    }

    /// Whether a person watches a terminal and wants to see progress.
    pub(crate) fn is_watched(self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// A line for work without numbers, if progress is shown.
    pub(crate) fn doing(self, what: impl Into<String>) -> Option<Ticker> {
        let what = what.into();
        let line =
            move |elapsed, width| Line { head: &what, elapsed, ..Line::default() }.fit(width);
        self.is_watched().then(|| Ticker::start(line))
    }

    /// A line for work on states. `done` is what happens to them: `settled`, `written`, `verified`.
    pub(crate) fn bar(self, done: &'static str) -> Option<Bar> {
        self.bar_for(String::new(), done)
    }

    /// The same for a part of the work that has a name.
    pub(crate) fn bar_for(self, what: String, done: &'static str) -> Option<Bar> {
        self.is_watched().then(|| Bar::new(what, done))
    }
}
