//! `retrograde solve endgames/KQvK.table`: what there is to say of an endgame that is solved; and what `info`
//! adds for one.

use std::io::Write;

use retrograde::{Counts, Level};
use retrograde_chess::{Answer, Material};
use retrograde_playable::word;
use retrograde_table::Table;
use serde_json::{Value as Json, json};

use super::endgames::Endgames;
use super::probe::name;
use super::{input, position, stats};
use crate::answers::counts;
use crate::failure::Failure;
use crate::number::{grouped, plies};
use crate::save::share;
use crate::summary::{counts_json, sum, write_counts, write_layers};

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
        let summary = Summary {
            endgames: self,
            material,
            table,
            movers: counts(table),
            levels: table.levels().map_err(input)?,
            start: start.transpose()?,
        };
        if json { summary.json(out) } else { summary.text(out) }
    }
}

/// All that is said of an endgame.
struct Summary<'a> {
    endgames: &'a Endgames,
    material: Material,
    table: &'a Table,
    movers: Vec<(&'a str, Counts)>,
    levels: Vec<Level>,
    start: Option<Answer>,
}

impl Summary<'_> {
    fn json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Counts { win, loss, draw, void } = self.all();
        let start = self.start.as_ref().map(|answer| {
            json!({
                "state": answer.position.to_string(),
                "value": word(answer.value),
                "distance": answer.distance,
                "best": best(answer),
            })
        });
        let object = json!({
            "game": super::endgames::GAME,
            "material": self.material.to_string(),
            "states": self.table.states(),
            "void": void,
            "win": win,
            "loss": loss,
            "draw": draw,
            "longest": self.longest(),
            "movers": counts_json(&self.movers),
            "start": start,
            "seconds": Json::Null,
            "threads": Json::Null,
            "bytes": self.table.bytes(),
        });
        Ok(writeln!(out, "{object}")?)
    }

    fn text(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let path = self.endgames.file(&self.material);
        let path = path.display();
        match &self.start {
            Some(answer) => {
                let distance =
                    answer.distance.map_or(String::new(), |d| format!(" in {}", plies(d)));
                let (value, mover) =
                    (word(answer.value).to_uppercase(), name(answer.position.turn()));
                writeln!(out, "{value}{distance} for {mover}, from {}", answer.position)?;
                writeln!(out, "{:<10} {}", "best", best(answer).join(" "))?;
            }
            None => writeln!(out, "SOLVED for every position (--from FEN asks for one)")?,
        }
        writeln!(out)?;
        if self.movers.is_empty() {
            writeln!(out, "states     {}", grouped(self.table.states()))?;
        } else {
            write_counts(self.table.states(), self.all().void, &self.movers, out)?;
        }
        match self.longest() {
            Some(distance) => writeln!(out, "\nlongest    a win in {}", plies(distance))?,
            None => writeln!(out)?,
        }
        if self.table.has_distances() {
            write_layers(|| Ok(self.levels.iter().copied()), out)?;
        }
        writeln!(out, "table      {path}: {}", share(self.table.bytes(), self.table.states()))?;
        writeln!(out)?;
        write_placements(self.table, out)
    }

    fn all(&self) -> Counts {
        sum(self.movers.iter().map(|(_, counts)| *counts))
    }

    fn longest(&self) -> Option<u32> {
        let mut wins = self.levels.iter().filter(|level| level.wins > 0);
        wins.next_back().map(|level| level.distance).filter(|_| self.table.has_distances())
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
    stats::write_text([(material, stats::sides(parameters))], out)
}
