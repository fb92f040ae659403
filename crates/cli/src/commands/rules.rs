//! `retrograde rules`: what the text of a game means, before anything is solved.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_catalog::text_report;

use crate::commands::examples;
use crate::source::options::{Memory, Threads};
use crate::source::text::read;
use crate::term::failure::Failure;

/// Show what the text of a game means, before you solve it: board, men, counts, symmetries, moves of random positions
///
/// A check of a table compares values with the rules. It does not find a text that has other rules than you mean.
#[derive(Args)]
#[command(after_help = examples::RULES)]
pub(crate) struct Rules {
    /// The text; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    #[command(flatten)]
    threads: Threads,
}

impl Rules {
    /// Compiles the text and prints the report.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let source = read(&self.file, "the text", Memory::default())?;
        Ok(write!(out, "{}", text_report(source, self.threads.count())?)?)
    }
}
