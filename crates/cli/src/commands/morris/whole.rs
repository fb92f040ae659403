//! What is asked of whole regions of morris: their lists, counts, summaries and checks.

use std::io::Write;
use std::ops::Range;

use retrograde_morris::{Answer, GAME, Opened, Region, TablebaseError};
use retrograde_table::Table;
use serde_json::{Map, Value as Json, json};

use crate::report::format::{Format, Printer};
use crate::report::list::{write_runs, write_state};
use crate::report::region::{Region as Said, write_sides};
use crate::report::sound::Checked;
use crate::report::start::Told;
use crate::report::stats::{Tally, tally};
use crate::source::engine::EngineArgs;
use crate::source::mills::Mills;
use crate::source::wrong::wrong_region;
use crate::term::failure::{Failure, input};
use crate::term::progress::Bar;
use crate::term::quiet::Quiet;

impl Mills {
    /// Writes every position of the one region meant, one for all that symmetry makes equal.
    pub(crate) fn list(
        &self,
        format: Format,
        bar: Option<&Bar>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let opened = self.tables.opened(&self.one()?).map_err(input)?;
        let distances = self.tables.has_distances();
        write_runs(opened.index().states(), format, bar, out, |states| {
            let mut text = String::new();
            for (state, value) in states.clone().zip(fill(opened, states)?) {
                // Gaps are forgotten in the table, and known by their number.
                if let Some(position) = opened.index().position(state) {
                    write_state(&mut text, format, &position.to_string(), value, distances);
                }
            }
            Ok(text)
        })
    }

    /// Prints what the headers of the tables say.
    pub(crate) fn write_stats(&self, printer: &mut Printer<'_>) -> Result<(), Failure> {
        let regions = self.regions();
        if regions.is_empty() {
            return Err(self.nothing());
        }
        let mut all = Map::new();
        for region in regions {
            let table = self.tables.opened(&region).map_err(input)?.table();
            all.insert(region.to_string(), sides(table).clone());
        }
        printer.either(
            |out| write_text(all.iter().map(|(region, sides)| (region.as_str(), sides)), out),
            || Ok(json!({ "tables": all })),
        )
    }

    /// Prints what all states of the one region meant come to.
    pub(crate) fn stats(
        &self,
        title: String,
        quiet: Quiet,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        let region = self.one()?;
        let opened = self.tables.opened(&region).map_err(input)?;
        let index = opened.index();
        let look = |states: Range<u64>, least: u32| {
            let mut tally = Tally::default();
            for (state, value) in states.clone().zip(fill(opened, states)?) {
                let Some((position, value)) = index.position(state).zip(value) else { continue };
                if value.distance() >= Some(least) {
                    tally.keep(state, value, || true);
                }
                // Each placement of which both sides can be the one to move, once.
                if let Some(passed) = position.passed() {
                    tally.first.count(value, self.tables.value(&passed).map_err(input)?);
                }
            }
            Ok(tally)
        };
        self.region(&region, "")?.stats(title)?.print(printer, |least| {
            let bar = quiet.bar("looked at");
            let tally = tally(index.states(), bar.as_ref(), |states| look(states, least))?;
            let text = |state| index.position(state).map(|at| at.to_string()).unwrap_or_default();
            Ok(tally.named(text))
        })
    }

    /// The table of the one region meant, and what the position asked for is worth.
    pub(crate) fn info(&self, from: Option<&str>) -> Result<(&Table, Option<Told>), Failure> {
        let region = self.one()?;
        let probed = from.map(|text| {
            let position = self.tables.read(text).map_err(input)?;
            self.tables.probe(&position).map_err(input)
        });
        let start = probed.transpose()?.map(|answer| Told {
            state: answer.position.to_string(),
            mover: answer.position.turn().name().to_owned(),
            value: answer.value,
            distance: self.tables.distance(answer.value),
            best: best(&answer),
        });
        Ok((self.tables.opened(&region).map_err(input)?.table(), start))
    }

    /// What is said of a region.
    fn region<'a>(&'a self, region: &Region, name: &'a str) -> Result<Said<'a>, Failure> {
        let table = self.tables.opened(region).map_err(input)?.table();
        Ok(Said { game: GAME, name, table })
    }

    /// Checks that every value of the regions meant, follows from those one move on.
    pub(crate) fn verify(
        &self,
        engine: &EngineArgs,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        for region in self.regions() {
            let name = region.to_string();
            let said = self.region(&region, &name)?;
            let verifier = engine.verifier_of(&said);
            let verified = self.tables.verify_with(&region, verifier).map_err(wrong)?;
            said.say_verified(verified, printer)?;
        }
        Ok(())
    }

    /// Checks every byte of the tables meant.
    pub(crate) fn check(&self, quiet: Quiet, printer: &mut Printer<'_>) -> Result<(), Failure> {
        for region in self.regions() {
            let watched = quiet.doing(format!("{region} checking"));
            self.tables.check(&region).map_err(wrong)?;
            drop(watched);
            printer.print(&Checked::of(self.tables.opened(&region).map_err(input)?.table()))?;
        }
        Ok(())
    }
}

fn wrong(error: TablebaseError) -> Failure {
    match error {
        TablebaseError::Region(error) => wrong_region(&error),
        error => input(error),
    }
}

/// The moves that are worth as much as the best.
fn best(answer: &Answer) -> Vec<String> {
    let top = answer.best().map(|choice| choice.value);
    let best = answer.moves.iter().take_while(|one| Some(one.value) == top);
    best.map(|choice| answer.position.text(&choice.played)).collect()
}

fn fill(opened: &Opened, states: Range<u64>) -> Result<Vec<Option<retrograde::Value>>, Failure> {
    let mut found = vec![None; (states.end - states.start) as usize];
    opened.table().fill(states.start, &mut found).map_err(input)?;
    Ok(found)
}

/// A line for each region and side to move.
fn write_text<'a>(
    all: impl IntoIterator<Item = (&'a str, &'a Json)>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let lines = all.into_iter().flat_map(|(region, sides)| {
        let sides = sides.as_array().into_iter().flatten();
        sides.map(move |said| (region, format!("{}-{}", said["own"], said["other"]), said))
    });
    write_sides(lines, "position", out)
}

/// What `info` adds for a table of morris: the positions on the board of each side to move.
pub(crate) fn write_positions(table: &Table, out: &mut dyn Write) -> Result<(), Failure> {
    let region = table.header().about.parameters["region"].as_str().unwrap_or_default();
    writeln!(out, "positions, one for all that are symmetric")?;
    write_text([(region, sides(table))], out)
}

/// What the header of a table says of each side to move.
pub(crate) fn sides(table: &Table) -> &Json {
    &table.header().about.parameters["sides"]
}
