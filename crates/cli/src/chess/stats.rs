//! `retrograde stats`: what endgame tables hold: those of a folder by side to move, one with all its states.

use std::io::Write;
use std::ops::Range;

use retrograde_chess::{Color, Position};
use serde_json::{Map, Value as Json, json};

use super::endgames::Endgames;
use super::input;
use crate::failure::Failure;
use crate::options::{self, FORMAT};
use crate::region::write_sides;
use crate::stats::{Stats, Tally, tally};

impl Endgames {
    /// Prints what the headers of the tables say.
    pub(crate) fn write_stats(
        &self,
        json: options::Json,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let folder = &self.tables;
        let materials = folder.materials();
        if materials.is_empty() {
            let path = folder.path().display();
            return Err(Failure::Input(format!(
                "{path}: there is no finished table here; `retrograde build chess --pieces 3 --out \
                 {path}` makes some"
            )));
        }
        let mut all = Map::new();
        for material in materials {
            let table = folder.endings(&material).map_err(input)?.table();
            all.insert(material.to_string(), sides(&table.header().about.parameters));
        }
        if json.json {
            return Ok(writeln!(out, "{}", json!({ "format": FORMAT, "tables": all }))?);
        }
        write_text(all.iter().map(|(material, sides)| (material.as_str(), sides)), out)
    }

    /// What all states of the one material meant come to, one for all placements that symmetry makes equal.
    pub(crate) fn stats(&self, title: String) -> Result<Stats<'_>, Failure> {
        let material = self.one()?;
        let endings = self.tables.endings(&material).map_err(input)?;
        let (index, table) = (endings.index(), endings.table());
        let look = |states: Range<u64>| {
            let mut found = vec![None; (states.end - states.start) as usize];
            table.fill(states.start, &mut found).map_err(input)?;
            let mut tally = Tally::default();
            for (state, value) in states.zip(found) {
                // Void states are forgotten in the table, and known by their number.
                let Some((at, value)) = index.position(state).zip(value) else { continue };
                tally.keep(state, value);
                if at.turn() == Color::White && at.en_passant().is_none() {
                    let placed: Vec<_> = at.placed().collect();
                    if let Ok(passed) = Position::new(&placed, Color::Black, None) {
                        tally.first.count(value, self.tables.value(&passed).map_err(input)?);
                    }
                }
            }
            Ok(tally)
        };
        let tally = tally(index.states(), look)?;
        let text = |state| index.position(state).map(|at| at.to_string());
        let distances = self.tables.has_distances();
        self.region(&material, "")?.stats(title, &tally, text, distances)
    }
}

/// What the parameters in the header of a table say of each side to move.
pub(crate) fn sides(parameters: &Json) -> Json {
    let side = |name: &str| {
        let said = &parameters[name];
        json!({
            "win": said["win"], "draw": said["draw"], "loss": said["loss"],
            "longest": said["longest"], "fen": said["fen"],
        })
    };
    json!({ "white": side("white"), "black": side("black") })
}

/// Two lines for each material.
pub(super) fn write_text<'a>(
    all: impl IntoIterator<Item = (&'a str, &'a Json)>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let lines = all.into_iter().flat_map(|(material, sides)| {
        ["white", "black"].map(|side| (material, side.to_owned(), &sides[side]))
    });
    write_sides(lines, "fen", out)
}
