//! `retrograde solve endgames/KQvK.table`: what there is to say of an endgame that is solved; and what `info`
//! adds for one.

use std::io::Write;

use retrograde_chess::{Answer, Material};
use retrograde_playable::word;
use retrograde_table::Table;
use serde_json::{Value as Json, json};

use super::endgames::{Endgames, GAME};
use super::probe::name;
use super::{input, position, stats};
use crate::failure::Failure;
use crate::info::summary_of;
use crate::number::plies;
use crate::options::FORMAT;
use crate::save::{file_json, share};
use crate::summary::write_levels;

impl Endgames {
    /// Says of the one material meant what `solve` says of a game, from the position asked for.
    pub(crate) fn summary(
        &self,
        from: Option<&str>,
        json: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let material = self.one()?;
        let table = self.tables.endings(&material).map_err(input)?.table();
        let start = from.map(|fen| self.tables.probe(&position(fen)?).map_err(input));
        let start = start.transpose()?;
        match json {
            true => write_json(&material, table, start.as_ref(), out),
            false => write_text(table, start.as_ref(), out),
        }
    }
}

fn write_json(
    material: &Material,
    table: &Table,
    start: Option<&Answer>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let start = start.map(|answer| {
        json!({
            "state": answer.position.to_string(),
            "value": word(answer.value),
            "distance": answer.distance,
            "best": best(answer),
        })
    });
    let mut object = json!({ "format": FORMAT, "game": GAME });
    summary_of(table)?.say(&mut object);
    object["start"] = json!(start);
    for key in ["seconds", "threads", "memory_bytes"] {
        object[key] = Json::Null;
    }
    object["table"] = file_json(table.path(), table.bytes());
    object["material"] = json!(material.to_string());
    Ok(writeln!(out, "{object}")?)
}

fn write_text(table: &Table, start: Option<&Answer>, out: &mut dyn Write) -> Result<(), Failure> {
    match start {
        Some(answer) => {
            let distance = answer.distance.map_or(String::new(), |d| format!(" in {}", plies(d)));
            let (value, mover) = (word(answer.value).to_uppercase(), name(answer.position.turn()));
            writeln!(out, "{value}{distance} for {mover}, from {}", answer.position)?;
            writeln!(out, "{:<10} {}", "best", best(answer).join(" "))?;
        }
        None => writeln!(out, "SOLVED for every position (--from FEN asks for one)")?,
    }
    writeln!(out)?;
    summary_of(table)?.write(out)?;
    if table.has_distances() {
        let levels = table.levels().map_err(input)?;
        write_levels(|| Ok(levels.iter().copied()), out)?;
    }
    let (path, share) = (table.path().display(), share(table.bytes(), table.states()));
    writeln!(out, "table      {path}: {share}\n")?;
    write_placements(table, out)
}

/// The moves that are worth as much as the best, as people write them.
fn best(answer: &Answer) -> Vec<String> {
    let top = answer.best().map(|choice| choice.value.preference());
    let best = answer.moves.iter().take_while(|one| Some(one.value.preference()) == top);
    best.map(|choice| answer.position.san(&choice.played)).collect()
}

/// What the header of an endgame says of placements on the board.
pub(crate) fn write_placements(table: &Table, out: &mut dyn Write) -> Result<(), Failure> {
    let parameters = &table.header().about.parameters;
    let material = parameters["material"].as_str().unwrap_or_default();
    writeln!(out, "placements on the board, symmetric ones and all")?;
    stats::write_text([(material, stats::sides(parameters))], out)
}
