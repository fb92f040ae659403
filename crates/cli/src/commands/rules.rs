//! `retrograde rules`: what the text of a game means, before anything is solved.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_catalog::text_report;
use retrograde_games::{ReportPosition, TextReport, report_position};
use serde::{Serialize, Serializer};

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
            return printer
                .either(|out| write_position(&position, out), || Ok(PositionOf::new(&position)));
        }
        let report = text_report(source, self.threads.count())?;
        printer.either(|out| Ok(write!(out, "{report}")?), || Ok(object(&report)))
    }
}

/// The board with its men, and the moves.
fn write_position(position: &ReportPosition, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}\n", position.text)?;
    for row in &position.rows {
        let row: Vec<String> = row.iter().map(|sign| sign.unwrap_or(' ').to_string()).collect();
        writeln!(out, "    {}", row.join(" ").trim_end())?;
    }
    match &position.end {
        Some(end) => Ok(writeln!(out, "\nend        {end}")?),
        None => Ok(writeln!(out, "\nmoves      {}", position.moves.join(" "))?),
    }
}

/// The moves of a position, as an object.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PositionOf<'a> {
    state: &'a str,
    moves: &'a [String],
    end: Option<&'a str>,
}

impl<'a> PositionOf<'a> {
    fn new(position: &'a ReportPosition) -> PositionOf<'a> {
        PositionOf { state: &position.text, moves: &position.moves, end: position.end.as_deref() }
    }
}

/// What a text means, as an object.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesOf<'a> {
    name: &'a str,
    players: &'a [String],
    rows: &'a [Vec<Option<String>>],
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Vec<String>>"))]
    next: &'a [(String, Vec<String>)],
    men: Vec<MenOf<'a>>,
    ends: &'a [String],
    no_effect: &'a [String],
    cells: u64,
    positions: u64,
    exact: bool,
    symmetries: usize,
    exchange: bool,
    states: u64,
    memory_bytes: u64,
    start: PositionOf<'a>,
    random: Vec<PositionOf<'a>>,
}

/// Men of one kind of one player, as an object.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MenOf<'a> {
    player: &'a str,
    kind: &'a str,
    sign: char,
    count: u32,
    in_hand: bool,
}

fn by_name<S: Serializer>(
    next: &[(String, Vec<String>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(next.iter().map(|(point, next)| (point, next)))
}

fn object(report: &TextReport) -> RulesOf<'_> {
    let men = report.men.iter().map(|men| MenOf {
        player: &report.players[men.player],
        kind: &men.kind,
        sign: men.sign,
        count: men.count,
        in_hand: men.in_hand,
    });
    RulesOf {
        name: &report.name,
        players: &report.players,
        rows: &report.rows,
        next: &report.next,
        men: men.collect(),
        ends: &report.ends,
        no_effect: &report.idle,
        cells: report.cells,
        positions: report.positions,
        exact: report.exact,
        symmetries: report.symmetries,
        exchange: report.even,
        states: report.states,
        memory_bytes: report.memory,
        start: PositionOf::new(&report.start),
        random: report.samples.iter().map(PositionOf::new).collect(),
    }
}
