//! What is asked of whole regions of morris: their lists, counts, summaries and checks.

use std::io::Write;
use std::ops::Range;

use retrograde::Verified;
use retrograde_morris::{Answer, GAME, Opened, Region};
use retrograde_playable::word;
use retrograde_table::Table;
use serde_json::{Map, Value as Json, json};

use super::{Mills, input};
use crate::answers::counts;
use crate::check;
use crate::failure::Failure;
use crate::info::summary_of;
use crate::list::{Format, write_runs, write_state};
use crate::number::{Size, grouped, plies};
use crate::options::{self, FORMAT, Quiet};
use crate::progress::Bar;
use crate::save::{file_json, share};
use crate::stats::{Stats, Tally, tally};
use crate::summary::{Summary, write_levels};
use crate::verify::{all_follow, object};

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
    pub(crate) fn write_stats(
        &self,
        json: options::Json,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let regions = self.regions();
        if regions.is_empty() {
            return Err(self.nothing());
        }
        let mut all = Map::new();
        for region in regions {
            let table = self.tables.opened(&region).map_err(input)?.table();
            all.insert(region.to_string(), sides(table).clone());
        }
        if json.json {
            return Ok(writeln!(out, "{}", json!({ "format": FORMAT, "tables": all }))?);
        }
        write_sides(all.iter().map(|(region, sides)| (region.as_str(), sides)), out)
    }

    /// What all states of the one region meant come to.
    pub(crate) fn stats(&self, title: String) -> Result<Stats<'_>, Failure> {
        let opened = self.tables.opened(&self.one()?).map_err(input)?;
        let (index, table) = (opened.index(), opened.table());
        let tally = tally(index.states(), |states| {
            let mut tally = Tally::default();
            for (state, value) in states.clone().zip(fill(opened, states)?) {
                let Some((position, value)) = index.position(state).zip(value) else { continue };
                tally.keep(state, value);
                // Each placement of which both sides can be the one to move, once.
                if let Some(passed) = position.passed() {
                    tally.first.count(value, self.tables.value(&passed).map_err(input)?);
                }
            }
            Ok(tally)
        })?;
        let levels = table.levels().map_err(input)?;
        let name = |state: u64| index.position(state).map_or(String::new(), |at| at.to_string());
        Ok(Stats {
            title,
            game: GAME,
            summary: Summary {
                states: table.states(),
                movers: counts(table),
                longest: Summary::longest(levels.iter().copied()),
            },
            levels,
            longest: tally.longest.iter().map(|(plies, state)| (name(*state), plies.0)).collect(),
            first: tally.first,
            distances: self.tables.has_distances(),
        })
    }

    /// Says of the one region meant what `solve` says of a game, from the position asked for.
    pub(crate) fn summary(
        &self,
        from: Option<&str>,
        json: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let region = self.one()?;
        let table = self.tables.opened(&region).map_err(input)?.table();
        let probed = from.map(|text| {
            let position = self.tables.read(text).map_err(input)?;
            self.tables.probe(&position).map_err(input)
        });
        let start = probed.transpose()?;
        if json {
            let start = start.map(|answer| {
                json!({
                    "state": answer.position.to_string(),
                    "value": word(answer.value),
                    "distance": self.tables.distance(answer.value),
                    "best": best(&answer),
                })
            });
            let mut object = json!({ "format": FORMAT, "game": GAME });
            summary_of(table)?.say(&mut object);
            object["start"] = json!(start);
            for key in ["seconds", "threads", "memory_bytes"] {
                object[key] = Json::Null;
            }
            object["table"] = file_json(table.path(), table.bytes());
            object["region"] = json!(region.to_string());
            return Ok(writeln!(out, "{object}")?);
        }
        match start {
            Some(answer) => {
                let (at, value) = (&answer.position, word(answer.value).to_uppercase());
                let distance = self.tables.distance(answer.value);
                let distance = distance.map_or(String::new(), |d| format!(" in {}", plies(d)));
                writeln!(out, "{value}{distance} for {}, from {at}", at.turn().name())?;
                writeln!(out, "{:<10} {}", "best", best(&answer).join(" "))?;
            }
            None => writeln!(out, "SOLVED for every position (--from POSITION asks for one)")?,
        }
        writeln!(out)?;
        summary_of(table)?.write(out)?;
        if table.has_distances() {
            let levels = table.levels().map_err(input)?;
            write_levels(|| Ok(levels.iter().copied()), out)?;
        }
        let (path, share) = (table.path().display(), share(table.bytes(), table.states()));
        Ok(writeln!(out, "table      {path}: {share}")?)
    }

    /// Checks that every value of the regions meant, or of the one further named, follows from those one move on.
    pub(crate) fn verify(
        &self,
        only: Option<&str>,
        json: options::Json,
        quiet: Quiet,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let regions = match only {
            Some(name) => vec![Region::named(self.tables.men(), name).map_err(input)?],
            None => self.regions(),
        };
        for region in regions {
            let watched = quiet.doing(format!("{region} verifying"));
            let Verified { states, moves } = self.tables.verify(&region).map_err(input)?;
            drop(watched);
            if json.json {
                let file = self.file(&region).display().to_string();
                writeln!(out, "{}", object(GAME, Some(&file), states, moves))?;
            } else {
                writeln!(out, "OK: {region}: {}", all_follow(states, moves))?;
            }
            out.flush()?;
        }
        Ok(())
    }

    /// Checks every byte of the tables meant.
    pub(crate) fn check(
        &self,
        json: options::Json,
        quiet: Quiet,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        for region in self.regions() {
            let watched = quiet.doing(format!("{region} checking"));
            self.tables.check(&region).map_err(input)?;
            drop(watched);
            let table = self.tables.opened(&region).map_err(input)?.table();
            let size = Size { bytes: table.bytes() };
            if json.json {
                writeln!(out, "{}", check::object(table))?;
            } else {
                writeln!(out, "OK: {region}: {size}, every checksum holds")?;
            }
        }
        Ok(())
    }
}

/// The moves that are worth as much as the best.
fn best(answer: &Answer) -> Vec<String> {
    let top = answer.best().map(|choice| choice.value.preference());
    let best = answer.moves.iter().take_while(|one| Some(one.value.preference()) == top);
    best.map(|choice| answer.position.text(&choice.played)).collect()
}

fn fill(opened: &Opened, states: Range<u64>) -> Result<Vec<Option<retrograde::Value>>, Failure> {
    let mut found = vec![None; (states.end - states.start) as usize];
    opened.table().fill(states.start, &mut found).map_err(input)?;
    Ok(found)
}

/// What the header of a table says of each side to move.
fn sides(table: &Table) -> &Json {
    &table.header().about.parameters["sides"]
}

/// A line for each side to move of each region.
fn write_sides<'a>(
    all: impl IntoIterator<Item = (&'a str, &'a Json)>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut row = |cells: [&str; 7]| {
        let [region, moves, win, draw, loss, longest, position] = cells;
        let line = format!(
            "{region:<8} {moves:<5} {win:>15} {draw:>15} {loss:>15} {longest:>7}  {position}"
        );
        writeln!(out, "{}", line.trim_end())
    };
    row(["region", "moves", "win", "draw", "loss", "longest", "such as"])?;
    for (region, sides) in all {
        for said in sides.as_array().into_iter().flatten() {
            let moves = format!("{}-{}", said["own"], said["other"]);
            let [win, draw, loss] = ["win", "draw", "loss"]
                .map(|outcome| grouped(said[outcome].as_u64().unwrap_or_default()));
            let longest = said["longest"].as_u64().map_or("-".to_owned(), grouped);
            let position = said["position"].as_str().unwrap_or_default();
            row([region, &moves, &win, &draw, &loss, &longest, position])?;
        }
    }
    Ok(())
}
