//! `retrograde info`: what a table says of itself.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use retrograde_table::{Header, Table, Voids};
use serde_json::{Value as Json, json};

use crate::answers::counts;
use crate::chess;
use crate::failure::Failure;
use crate::number::{grouped, plies};
use crate::save::share;
use crate::subject::{failure, tables};
use crate::summary::{sum, write_counts, write_layers};

/// Say what a table is of: game, counts, layers, size
#[derive(Args)]
#[command(after_help = "\
Examples:
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde info board.table
  retrograde info board.table --json
")]
pub(crate) struct Info {
    /// A table, or a folder of them
    #[arg(value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    table: PathBuf,
    /// Print one JSON object for each table
    #[arg(long)]
    json: bool,
}

/// A longer board is not printed.
const BOARD_LINES_MAX: usize = 60;

impl Info {
    /// Prints what the header says, and the histogram.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.table.is_dir() {
            // Refuses endgames whose manifest is damaged or gone.
            chess::endgames(&self.table)?;
        }
        for (place, path) in tables(&self.table)?.iter().enumerate() {
            let table = Table::open(path).map_err(failure)?;
            if self.json {
                writeln!(out, "{}", object(&table)?)?;
                continue;
            }
            if place > 0 {
                writeln!(out, "\n")?;
            }
            write_text(path, &table, out)?;
        }
        Ok(())
    }
}

fn object(table: &Table) -> Result<Json, Failure> {
    let levels = table.levels().map_err(failure)?;
    let levels: Vec<_> =
        levels.iter().map(|level| (level.distance, level.wins, level.losses)).collect();
    // It was read when the table was opened.
    let mut object: Json = serde_json::from_str(table.header_text()).unwrap_or_default();
    object["blocks"] = json!(table.blocks());
    object["bytes"] = json!(table.bytes());
    object["levels"] = json!(levels);
    Ok(object)
}

fn write_text(path: &Path, table: &Table, out: &mut dyn Write) -> Result<(), Failure> {
    let header = table.header();
    let about = &header.about;
    writeln!(out, "table      {}", path.display())?;
    writeln!(out, "game       {}", about.game)?;
    for (name, value) in about.parameters.as_object().into_iter().flatten() {
        match value {
            // What else is said of an endgame has a form of its own below.
            Json::Object(_) if about.game == chess::GAME => {}
            Json::String(text) => writeln!(out, "{name:<10} {text}")?,
            value => writeln!(out, "{name:<10} {value}")?,
        }
    }
    let movers = counts(table);
    writeln!(out)?;
    if movers.is_empty() {
        writeln!(out, "states     {}", grouped(header.states))?;
    } else {
        let void = sum(movers.iter().map(|(_, counts)| *counts)).void;
        write_counts(header.states, void, &movers, out)?;
    }
    match header.longest {
        Some(distance) => writeln!(out, "\nlongest    {}", plies(distance))?,
        None => writeln!(out)?,
    }
    let levels = table.levels().map_err(failure)?;
    if header.distances && !levels.is_empty() {
        write_layers(|| Ok(levels.iter().copied()), out)?;
    }
    writeln!(out, "size       {}", share(table.bytes(), header.states))?;
    writeln!(
        out,
        "kept       {}",
        kept(header, &movers.iter().map(|(mover, _)| *mover).collect::<Vec<_>>())
    )?;
    let Header { block_rows, block_columns, compression, .. } = header;
    let blocks = grouped(table.blocks());
    let shape = format!("{} x {} states", grouped(*block_rows), grouped(*block_columns));
    writeln!(out, "blocks     {blocks} of up to {shape}, {compression}")?;
    if about.game == chess::GAME {
        writeln!(out)?;
        chess::write_placements(table, out)?;
    }
    write_board(about.board.as_deref(), out)
}

/// What the table keeps of each state, and of which states.
fn kept(header: &Header, movers: &[&str]) -> String {
    let what = if header.distances { "values and distances in plies" } else { "values" };
    let whose = match header.half {
        None => "all states".to_owned(),
        Some(mover) => match usize::try_from(mover).ok().and_then(|mover| movers.get(mover)) {
            Some(mover) => format!("the states with {mover} to move"),
            None => format!("the states of mover {mover}"),
        },
    };
    let voids = if header.voids == Voids::Forgotten { ", void ones forgotten" } else { "" };
    format!("{what}, of {whose}{voids}")
}

fn write_board(board: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(board) = board else { return Ok(()) };
    let lines = board.lines().count();
    if lines > BOARD_LINES_MAX {
        let lines = grouped(lines as u64);
        return Ok(writeln!(out, "board      {lines} lines (--json prints them)")?);
    }
    writeln!(out, "board")?;
    for line in board.lines() {
        writeln!(out, "           {line}")?;
    }
    Ok(())
}
