//! `retrograde info endgames/KQvK.table`.

use std::io::Write;

use retrograde_chess::{Answer, Material};
use retrograde_table::Table;

use super::stats;
use crate::report::region::Region;
use crate::report::start::Told;
use crate::source::endgames::{Endgames, GAME, name, position};
use crate::term::failure::{Failure, input};

impl Endgames {
    /// The table of the one material meant, and what the position asked for is worth.
    pub(crate) fn info(&self, from: Option<&str>) -> Result<(&Table, Option<Told>), Failure> {
        let material = self.one()?;
        let start = from.map(|fen| self.tables.probe(&position(fen)?).map_err(input));
        let start = start.transpose()?.map(|answer| Told {
            state: answer.position.to_string(),
            mover: name(answer.position.turn()).to_owned(),
            value: answer.value,
            distance: answer.distance,
            best: best(&answer),
        });
        Ok((self.tables.opened(&material).map_err(input)?.table(), start))
    }

    /// What is said of a material.
    pub(super) fn region<'a>(
        &'a self,
        material: &Material,
        name: &'a str,
    ) -> Result<Region<'a>, Failure> {
        let table = self.tables.opened(material).map_err(input)?.table();
        Ok(Region { game: GAME, name, table })
    }
}

/// The moves that are worth as much as the best, as people write them.
fn best(answer: &Answer) -> Vec<String> {
    let top = answer.best().map(|choice| choice.value);
    let best = answer.moves.iter().take_while(|one| Some(one.value) == top);
    best.map(|choice| answer.position.san(&choice.played)).collect()
}

/// What the header of an endgame says of placements on the board.
pub(crate) fn write_placements(table: &Table, out: &mut dyn Write) -> Result<(), Failure> {
    let parameters = &table.header().about.parameters;
    let material = parameters["material"].as_str().unwrap_or_default();
    writeln!(out, "placements on the board, symmetric ones and all")?;
    stats::write_text([(material, &stats::sides(parameters))], out)
}
