//! `retrograde rules`: what the text of a game means, before anything is solved.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_catalog::text_report;
use retrograde_games::{ReportPosition, report_position};

use crate::commands::examples;
use crate::report::format::FormatArg;
use crate::source::options::{Memory, Threads};
use crate::source::text::read;
use crate::term::failure::Failure;

/// Show what the text of a game means, before you solve it: board, men, counts, symmetries, moves of random positions
///
/// A check of a table compares values with the rules. It does not find a text that has other rules than you mean. Statements that can never
/// have an effect are named.
#[derive(Args)]
#[command(after_help = examples::RULES)]
pub(crate) struct Rules {
    /// The text; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// A position: only its board and its moves
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: FormatArg,
}

impl Rules {
    /// Compiles the text, and prints the report or the position.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let source = read(&self.file, "the text", Memory::default())?;
        let mut printer = self.format.printer(out);
        if let Some(state) = &self.from {
            let position = report_position(&source, state)?;
            return printer.either(|out| write_position(&position, out), || Ok(&position));
        }
        let report = text_report(source, self.threads.count())?;
        printer.either(|out| Ok(write!(out, "{report}")?), || Ok(&report))
    }
}

/// The board with its men, and the moves.
fn write_position(position: &ReportPosition, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}\n", position.state)?;
    for row in &position.rows {
        let row: Vec<String> = row.iter().map(|sign| sign.unwrap_or(' ').to_string()).collect();
        writeln!(out, "    {}", row.join(" ").trim_end())?;
    }
    match &position.end {
        Some(end) => Ok(writeln!(out, "\nend        {end}")?),
        None => Ok(writeln!(out, "\nmoves      {}", position.moves.join(" "))?),
    }
}
