//! `retrograde solve endgames/KQvK.table`: what there is to say of an endgame that is solved; and what `info`
//! adds for one.

use std::io::Write;

use retrograde_chess::{Answer, Material};
use retrograde_table::Table;

use super::endgames::{Endgames, GAME};
use super::probe::name;
use super::{input, position, stats};
use crate::failure::Failure;
use crate::region::{Region, Start};

impl Endgames {
    /// Says of the one material meant what `solve` says of a game, from the position asked for.
    pub(crate) fn summary(
        &self,
        from: Option<&str>,
        json: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let material = self.one()?;
        let start = from.map(|fen| self.tables.probe(&position(fen)?).map_err(input));
        let start = start.transpose()?.map(|answer| Start {
            position: answer.position.to_string(),
            mover: name(answer.position.turn()),
            value: answer.value,
            distance: answer.distance,
            best: best(&answer),
        });
        let text = material.to_string();
        let region = self.region(&material, &text)?;
        if json {
            return region.write_json(start, out);
        }
        region.write_text(start, "FEN", out)?;
        writeln!(out)?;
        write_placements(region.table, out)
    }

    /// What is said of a material.
    pub(super) fn region<'a>(
        &'a self,
        material: &Material,
        name: &'a str,
    ) -> Result<Region<'a>, Failure> {
        let table = self.tables.endings(material).map_err(input)?.table();
        Ok(Region { game: GAME, kind: "material", name, table })
    }
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
    stats::write_text([(material, &stats::sides(parameters))], out)
}
