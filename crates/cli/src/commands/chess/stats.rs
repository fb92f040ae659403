//! `retrograde info`: what endgame tables hold: those of a folder by side to move, one with all its states.

use std::io::Write;
use std::ops::Range;

use retrograde_chess::Opened;
use serde_json::{Map, Value as Json, json};

use crate::report::format::Printer;
use crate::report::region::write_sides;
use crate::report::stats::{Tally, tally};
use crate::source::endgames::Endgames;
use crate::term::failure::{Failure, input};
use crate::term::quiet::Quiet;

impl Endgames {
    /// Prints what the headers of the tables say.
    pub(crate) fn write_stats(&self, printer: &mut Printer<'_>) -> Result<(), Failure> {
        let folder = &self.tables;
        let materials = folder.regions();
        if materials.is_empty() {
            let path = folder.path().display();
            return Err(Failure::Input(format!(
                "{path}: there is no finished table here; `retrograde build chess --pieces 3 --out \
                 {path}` makes some"
            )));
        }
        let mut all = Map::new();
        for material in materials {
            let table = folder.opened(&material).map_err(input)?.table();
            all.insert(material.to_string(), sides(&table.header().about.parameters));
        }
        printer.either(
            |out| write_text(all.iter().map(|(material, sides)| (material.as_str(), sides)), out),
            || Ok(json!({ "tables": all })),
        )
    }

    /// Prints what all states of the one material meant come to, one for all placements that symmetry makes equal.
    pub(crate) fn stats(
        &self,
        title: String,
        quiet: Quiet,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        let material = self.one()?;
        let endings = self.tables.opened(&material).map_err(input)?;
        let index = endings.index();
        self.region(&material, "")?.stats(title)?.print(printer, |least| {
            let bar = quiet.bar("looked at");
            let look = |states| of_run(endings, states, least);
            let tally = tally(index.states(), bar.as_ref(), look)?;
            let text = |state| index.position(state).map(|at| at.to_string()).unwrap_or_default();
            Ok(tally.named(text))
        })
    }
}

/// What a run of states comes to. Wins of less than so many plies are none of the longest.
fn of_run(endings: &Opened, states: Range<u64>, least: u32) -> Result<Tally, Failure> {
    const WORD: u64 = 64;
    let (index, table) = (endings.index(), endings.table());
    let fill = |states: Range<u64>| {
        let mut found = vec![None; states.end.saturating_sub(states.start) as usize];
        table.fill(states.start, &mut found).map_err(input).map(|()| found)
    };
    let found = fill(states.clone())?;
    let mut tally = Tally::default();
    for (state, value) in states.clone().zip(&found) {
        if let Some(value) = value.filter(|value| value.distance() >= Some(least)) {
            // Invalid states are forgotten in the table, and known by their number.
            tally.keep(state, value, || index.position(state).is_some());
        }
    }
    // The same placements with black to move lie a block further on, so no position needs to be set up.
    let (placements, stride) = (index.placements(), index.turn_stride());
    let words = states.clone().step_by(WORD as usize);
    let white = words.filter(|state| *state < placements && (state / stride).is_multiple_of(2));
    let white: Vec<u64> = white.collect();
    let (Some(first), Some(last)) = (white.first(), white.last()) else { return Ok(tally) };
    let passed = fill(first + stride..last + stride + WORD)?;
    for &state in &white {
        let mut both =
            !(index.invalid_states(state / WORD) | index.invalid_states((state + stride) / WORD));
        while both != 0 {
            let bit = u64::from(both.trailing_zeros());
            both &= both - 1;
            let here = found[(state + bit - states.start) as usize];
            let there = passed[(state + bit - first) as usize];
            if let Some((here, there)) = here.zip(there) {
                tally.first.count(here, there);
            }
        }
    }
    Ok(tally)
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
