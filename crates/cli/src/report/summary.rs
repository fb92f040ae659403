//! The summary of all states: how many are won, lost and drawn, and at which distances.

use std::io::Write;

use retrograde::{Counts, Level};
use retrograde_catalog::{CompiledGame, from_about};
use retrograde_table::Table;
use serde::{Serialize, Serializer};

use crate::term::failure::{Failure, input};
use crate::term::number::{counted, grouped, plies};

/// How many numbers a person would count, including invalid ones.
pub(crate) fn states_named(game: &dyn CompiledGame) -> u64 {
    game.states_named()
}

/// The sums over all states of a game: the same in `solve` and `info`, for games and for tables. Invalid
/// numbers do not count as states.
pub(crate) struct Summary<'a> {
    /// How many numbers a person would count, including invalid ones.
    pub(crate) numbers: u64,
    /// What each side wins, loses and draws; empty if there are no counts.
    pub(crate) sides: Vec<(&'a str, Counts)>,
    /// What all positions are, if positions that are equal by symmetry share a state.
    pub(crate) positions: Option<Counts>,
    /// The longest distances.
    pub(crate) longest: Longest,
}

/// The longest distances of a game in plies; `None` if distances were not kept.
#[derive(Clone, Copy, Default)]
pub(crate) struct Longest {
    /// Of any value.
    any: Option<u32>,
    /// Of a win.
    win: Option<u32>,
}

impl Longest {
    /// The longest distances of the levels, which are known even if `distances` were not kept.
    pub(crate) fn of(levels: impl Iterator<Item = Level>, distances: bool) -> Longest {
        let levels = levels.filter(|level| distances && level.wins + level.losses > 0);
        levels.fold(Longest::default(), |Longest { win, .. }, level| {
            let any = Some(level.distance);
            Longest { any, win: if level.wins > 0 { any } else { win } }
        })
    }
}

impl Summary<'_> {
    /// All states, by value.
    fn all(&self) -> Counts {
        let mut all = Counts::default();
        self.sides.iter().for_each(|(_, counts)| all += *counts);
        all
    }

    /// How many states there are, if they were counted.
    pub(crate) fn states(&self) -> Option<u64> {
        let Counts { win, loss, draw, .. } = self.all();
        (!self.sides.is_empty()).then(|| win.saturating_add(loss).saturating_add(draw))
    }

    fn invalid(&self) -> Option<u64> {
        self.states().map(|states| self.numbers.saturating_sub(states))
    }

    /// Writes how many states each side wins, loses and draws, and all of them together.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Some((states, invalid)) = self.states().zip(self.invalid()) else {
            return Ok(writeln!(
                out,
                "numbers    {}, not counted by value\n",
                grouped(self.numbers)
            )?);
        };
        writeln!(out, "states     {}, invalid {}", grouped(states), grouped(invalid))?;
        let mut row = |name: &str, cells: [&str; 3]| {
            let [win, loss, draw] = cells;
            writeln!(out, "{name:<10} {win:>15} {loss:>15} {draw:>15}")
        };
        row("", ["win", "loss", "draw"])?;
        let sides = if self.sides.len() > 1 { &*self.sides } else { &[] };
        let positions = self.positions.map(|counts| ("positions", counts));
        let below = [("all", self.all())].into_iter().chain(positions);
        for (name, counts) in sides.iter().copied().chain(below) {
            let cells = [counts.win, counts.loss, counts.draw].map(grouped);
            row(name, cells.each_ref().map(String::as_str))?;
        }
        writeln!(out)?;
        match self.longest {
            Longest { any: None, .. } => Ok(()),
            Longest { any: Some(any), win: None } => {
                Ok(writeln!(out, "longest    {}, and no win", plies(any))?)
            }
            Longest { any: Some(any), win: Some(win) } => {
                Ok(writeln!(out, "longest    {}, a win {}", plies(any), plies(win))?)
            }
        }
    }
}

impl Serialize for Summary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (states, all) = (self.states(), self.all());
        let [win, loss, draw] = [all.win, all.loss, all.draw].map(|count| states.map(|_| count));
        let summary = SummaryOf {
            states,
            invalid: self.invalid(),
            win,
            loss,
            draw,
            longest: self.longest.any,
            longest_win: self.longest.win,
            sides: Sides(&self.sides),
            positions: self.positions.as_ref().map(CountsOf::new),
        };
        summary.serialize(serializer)
    }
}

/// A summary as an object.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SummaryOf<'a> {
    states: Option<u64>,
    invalid: Option<u64>,
    win: Option<u64>,
    loss: Option<u64>,
    draw: Option<u64>,
    longest: Option<u32>,
    longest_win: Option<u32>,
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, CountsOf>"))]
    sides: Sides<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<CountsOf>,
}

/// The counts of each side, by name.
struct Sides<'a>(&'a [(&'a str, Counts)]);

impl Serialize for Sides<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, counts)| (name, CountsOf::new(counts))))
    }
}

/// How many are won, lost and drawn, as an object.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CountsOf {
    win: u64,
    loss: u64,
    draw: u64,
}

impl CountsOf {
    fn new(counts: &Counts) -> CountsOf {
        CountsOf { win: counts.win, loss: counts.loss, draw: counts.draw }
    }
}

/// The wins and losses at a distance, as an object.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LevelOf {
    distance: u32,
    win: u64,
    loss: u64,
}

/// The levels as objects; empty if distances were not `kept`, because then the table cannot confirm them.
pub(crate) fn levels_of(levels: &[Level], kept: bool) -> Vec<LevelOf> {
    let levels = levels.iter().filter(|_| kept);
    let of =
        |level: &Level| LevelOf { distance: level.distance, win: level.wins, loss: level.losses };
    levels.map(of).collect()
}

/// The wins and losses at each distance; only the first and last few if there are many.
pub(crate) fn write_levels<L: Iterator<Item = Level>>(
    levels: impl Fn() -> Result<L, Failure>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    const SHOWN: [usize; 2] = [12, 4];
    let count = levels()?.count();
    let hidden = SHOWN[0]..count.saturating_sub(SHOWN[1]);
    writeln!(out, "levels     {:>8} {:>15} {:>15}", "plies", "wins", "losses")?;
    for (place, level) in levels()?.enumerate() {
        // Leaving out a single line saves nothing.
        if hidden.len() > 1 && hidden.contains(&place) {
            if place == hidden.start {
                let more = counted(hidden.len(), "level");
                writeln!(out, "{:>10} {:>8}   ({more} more)", "", "...")?;
            }
            continue;
        }
        let cells = [u64::from(level.distance), level.wins, level.losses].map(grouped);
        writeln!(out, "{:>10} {:>8} {:>15} {:>15}", "", cells[0], cells[1], cells[2])?;
    }
    writeln!(out)?;
    Ok(())
}

/// The numbers of a table, counted as `solve` counts them.
pub(crate) fn summary_of(table: &Table) -> Result<Summary<'_>, Failure> {
    let header = table.header();
    // For a game that this program does not know: the states of the numbering.
    let game = from_about(&header.about, "").and_then(|setup| retrograde_catalog::game(&setup));
    let longest = Longest::of(table.levels().map_err(input)?.into_iter(), header.distances);
    Ok(Summary {
        numbers: game.map_or(header.states, |game| states_named(&*game)),
        sides: counts(table),
        positions: header.about.positions.map(Counts::from),
        longest,
    })
}

/// The counts of each side that a table's header gives.
pub(crate) fn counts(table: &Table) -> Vec<(&str, Counts)> {
    table.header().about.counts.iter().map(|of| (of.side.as_str(), of.counts())).collect()
}
