//! What is said of a region, whichever family it is of: how its states fall, that all of it holds, and from where it is won.

use std::io::Write;
use std::path::Path;

use retrograde_table::Table;
use serde_json::Value as Json;

use crate::report::format::Printer;
use crate::report::sound::Verified;
use crate::report::stats::Stats;
use crate::report::summary::{Longest, Summary, counts, summary_of};
use crate::term::failure::{Failure, input};
use crate::term::number::grouped;

/// The table of a region, and what it is called.
#[derive(Clone, Copy)]
pub(crate) struct Region<'a> {
    /// The name of the family.
    pub(crate) game: &'static str,
    pub(crate) name: &'a str,
    pub(crate) table: &'a Table,
}

impl<'a> Region<'a> {
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
        verified: retrograde::checks::Verified,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        let Region { game, name, table, .. } = self;
        let retrograde::checks::Verified { states: numbers, moves } = verified;
        let states = summary_of(table)?.states().unwrap_or(numbers);
        let file = Some(table.path().display().to_string());
        printer.print(&Verified { game, file, states, moves, region: Some(name) })?;
        printer.flush()
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
