//! What is said of a region, whichever family it is of: how its states fall, that all of it holds, and from where it is won.

use std::io::Write;
use std::path::Path;

use retrograde::{Value, Verified};
use retrograde_catalog::word;
use retrograde_table::Table;
use serde_json::{Value as Json, json};

use crate::answers::counts;
use crate::check;
use crate::failure::{Failure, input};
use crate::info::summary_of;
use crate::number::{Size, grouped, plies};
use crate::options::{self, FORMAT};
use crate::save::{file_json, share};
use crate::stats::Stats;
use crate::summary::{Longest, Summary, write_levels};
use crate::verify::{all_follow, object};

/// A position that was asked for.
pub(crate) struct Start {
    pub(crate) position: String,
    pub(crate) mover: &'static str,
    pub(crate) value: Value,
    pub(crate) distance: Option<u32>,
    /// The moves that are worth as much as the best.
    pub(crate) best: Vec<String>,
}

/// The table of a region, and what it is called.
#[derive(Clone, Copy)]
pub(crate) struct Region<'a> {
    /// The name of the family.
    pub(crate) game: &'static str,
    /// What the family calls its regions.
    pub(crate) kind: &'static str,
    pub(crate) name: &'a str,
    pub(crate) table: &'a Table,
}

impl<'a> Region<'a> {
    /// What `solve` says of a game, as an object.
    pub(crate) fn write_json(
        self,
        start: Option<Start>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let Region { game, kind, name, table } = self;
        let start = start.map(|Start { position, value, distance, best, .. }| {
            json!({ "state": position, "value": word(value), "distance": distance, "best": best })
        });
        let mut object = json!({ "format": FORMAT, "game": game });
        summary_of(table)?.say(&mut object);
        object["start"] = json!(start);
        for key in ["seconds", "threads", "memory_bytes"] {
            object[key] = Json::Null;
        }
        object["table"] = file_json(table.path(), table.bytes());
        object[kind] = json!(name);
        Ok(writeln!(out, "{object}")?)
    }

    /// The same for a person. `asked` is how a position is named that may be asked for.
    pub(crate) fn write_text(
        self,
        start: Option<Start>,
        asked: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let table = self.table;
        match start {
            Some(Start { position, mover, value, distance, best }) => {
                let distance = distance.map_or(String::new(), |d| format!(" in {}", plies(d)));
                let value = word(value).to_uppercase();
                writeln!(out, "{value}{distance} for {mover}, from {position}")?;
                writeln!(out, "{:<10} {}", "best", best.join(" "))?;
            }
            None => writeln!(out, "SOLVED for every position (--from {asked} asks for one)")?,
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

    /// What its header and its histogram say of all states.
    pub(crate) fn stats(self, title: String) -> Result<Stats<'a>, Failure> {
        let table = self.table;
        let (levels, distances) = (table.levels().map_err(input)?, table.has_distances());
        // Of a folder that was named, one table.
        let is_folder = Path::new(&title).is_dir();
        let title = if is_folder { table.path().display().to_string() } else { title };
        Ok(Stats {
            title,
            game: self.game,
            summary: Summary {
                numbers: table.states(),
                movers: counts(table),
                longest: Longest::of(levels.iter().copied(), distances),
            },
            levels,
            distances,
        })
    }

    /// Says that every value follows.
    pub(crate) fn say_verified(
        self,
        verified: Verified,
        json: options::Json,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let Region { game, name, table, .. } = self;
        let Verified { states: numbers, moves } = verified;
        let states = summary_of(table)?.states().unwrap_or(numbers);
        if json.json {
            let file = table.path().display().to_string();
            writeln!(out, "{}", object(game, Some(&file), states, moves))?;
        } else {
            writeln!(out, "OK: {name}: {}", all_follow(states, moves))?;
        }
        Ok(out.flush()?)
    }

    /// Says that every checksum holds.
    pub(crate) fn say_checked(
        self,
        json: options::Json,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let Region { name, table, .. } = self;
        if json.json {
            return Ok(writeln!(out, "{}", check::object(table))?);
        }
        let size = Size { bytes: table.bytes() };
        Ok(writeln!(out, "OK: {name}: {size}, every checksum holds")?)
    }
}

/// A line for each region and side to move: the region, the side, what is said of it. `such` is what the position is called
/// there that takes longest.
pub(crate) fn write_sides<'a>(
    sides: impl IntoIterator<Item = (&'a str, String, &'a Json)>,
    such: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut row = |cells: [&str; 7]| {
        let [region, side, win, draw, loss, longest, position] = cells;
        let line = format!(
            "{region:<8} {side:<5} {win:>15} {draw:>15} {loss:>15} {longest:>11}  {position}"
        );
        writeln!(out, "{}", line.trim_end())
    };
    row(["region", "moves", "win", "draw", "loss", "longest win", "such as"])?;
    for (region, side, said) in sides {
        let [win, draw, loss] = ["win", "draw", "loss"]
            .map(|outcome| grouped(said[outcome].as_u64().unwrap_or_default()));
        let longest = said["longest"].as_u64().map_or("-".to_owned(), grouped);
        let position = said[such].as_str().unwrap_or_default();
        row([region, &side, &win, &draw, &loss, &longest, position])?;
    }
    Ok(())
}
