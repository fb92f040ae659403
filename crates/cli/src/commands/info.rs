//! `retrograde info`: what a table is of, in the words and numbers of `solve`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use retrograde_catalog::Recipe;
use retrograde_table::{Header, Table, Voids};
use serde_json::{Value as Json, json};

use crate::answers::counts;
use crate::chess;
use crate::examples;
use crate::failure::Failure;
use crate::morris;
use crate::number::grouped;
use crate::options::{self, FORMAT};
use crate::save::share;
use crate::subject::{failure, tables};
use crate::summary::{Longest, Summary, states_named, write_levels};

/// Say what a table is of: game, counts, levels, size
#[derive(Args)]
#[command(after_help = examples::INFO)]
pub(crate) struct Info {
    /// A table, or a folder of them
    #[arg(value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    table: PathBuf,
    #[command(flatten)]
    json: options::Json,
}

/// A longer board is not printed.
const BOARD_LINES_MAX: usize = 60;

impl Info {
    /// Prints what the header says, and the histogram.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.table.is_dir() {
            // Refuses endgames whose manifest is damaged or gone.
            chess::endgames(&self.table)?;
            morris::mills(&self.table)?;
        }
        for (place, path) in tables(&self.table)?.iter().enumerate() {
            let table = Table::open(path).map_err(failure)?;
            if self.json.json {
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

/// The numbers of a table, counted as `solve` counts them.
pub(crate) fn summary_of(table: &Table) -> Result<Summary<'_>, Failure> {
    let header = table.header();
    let recipe = Recipe::from_about(&header.about, "");
    // Of a game that this program does not know there are the states of its numbering.
    let game = recipe.and_then(|recipe| recipe.game());
    let longest = Longest::of(table.levels().map_err(failure)?.into_iter(), header.distances);
    Ok(Summary {
        numbers: game.map_or(header.states, |game| states_named(&*game)),
        movers: counts(table),
        longest,
    })
}

fn object(table: &Table) -> Result<Json, Failure> {
    let header = table.header();
    let about = &header.about;
    let mut object = json!({ "format": FORMAT, "game": about.game });
    summary_of(table)?.say(&mut object);
    object["table"] = crate::save::file_json(table.path(), table.bytes());
    object["parameters"] = parameters(header);
    object["board"] = json!(about.board);
    if about.game == morris::GAME {
        object["positions"] = morris::sides(table).clone();
    }
    if about.game == chess::GAME {
        object["placements"] = chess::placements(&about.parameters);
    }
    object["distances"] = json!(header.distances);
    let levels = table.levels().map_err(failure)?;
    // Without distances nothing in the table confirms them.
    let levels = levels.iter().filter(|_| header.distances).map(
        |level| json!({ "distance": level.distance, "win": level.wins, "loss": level.losses }),
    );
    object["levels"] = levels.collect();
    object["half"] = json!(half(header, &counts(table)));
    object["voids_kept"] = json!(header.voids == Voids::Kept);
    object["compression"] = json!(header.compression);
    object["numbers"] = json!(header.states);
    object["blocks"] = json!(table.blocks());
    object["block_rows"] = json!(header.block_rows);
    object["block_columns"] = json!(header.block_columns);
    Ok(object)
}

/// What the rules depend on; what a family of regions says besides has a form of its own.
fn parameters(header: &Header) -> Json {
    let about = &header.about;
    match &about.parameters {
        Json::Object(all) => {
            let is_plain = |value: &Json| match value {
                Json::Array(values) => !values.iter().any(Json::is_object),
                value => !value.is_object(),
            };
            let plain = all.iter().filter(|(_, value)| is_plain(value));
            plain.map(|(name, value)| (name.clone(), value.clone())).collect()
        }
        _ => json!({}),
    }
}

fn write_text(path: &Path, table: &Table, out: &mut dyn Write) -> Result<(), Failure> {
    let header = table.header();
    let about = &header.about;
    writeln!(out, "table      {}", path.display())?;
    writeln!(out, "game       {}", about.game)?;
    for (name, value) in parameters(header).as_object().into_iter().flatten() {
        writeln!(out, "{name:<10} {}", plain(value))?;
    }
    writeln!(out)?;
    summary_of(table)?.write(out)?;
    let levels = table.levels().map_err(failure)?;
    if header.distances && !levels.is_empty() {
        write_levels(|| Ok(levels.iter().copied()), out)?;
    }
    writeln!(out, "size       {}", share(table.bytes(), header.states))?;
    writeln!(out, "kept       {}", kept(header, half(header, &counts(table))))?;
    let Header { block_rows, block_columns, compression, .. } = header;
    let blocks = grouped(table.blocks());
    let shape = format!("{} x {} states", grouped(*block_rows), grouped(*block_columns));
    writeln!(out, "blocks     {blocks} of up to {shape}, {compression}")?;
    if about.game == chess::GAME {
        writeln!(out)?;
        chess::write_placements(table, out)?;
    }
    if about.game == morris::GAME {
        writeln!(out)?;
        morris::write_positions(table, out)?;
    }
    write_board(about.board.as_deref(), out)
}

/// A value as the program takes it: no brackets, no quotes.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

/// The mover whose states alone are kept.
fn half<C>(header: &Header, movers: &[(&str, C)]) -> Option<String> {
    let mover = header.half?;
    let name = usize::try_from(mover).ok().and_then(|mover| movers.get(mover));
    Some(name.map_or_else(|| format!("mover {mover}"), |(name, _)| (*name).to_owned()))
}

/// What the table keeps of each state, and of which states.
fn kept(header: &Header, half: Option<String>) -> String {
    let what = if header.distances { "values and distances in plies" } else { "values" };
    let whose =
        half.map_or("all states".to_owned(), |mover| format!("the states with {mover} to move"));
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
