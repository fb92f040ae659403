//! What there is to say of all states together: how many are won, lost and drawn, and at which distances.

use std::io::Write;

use retrograde::{Counts, Level};
use retrograde_catalog::Playable;
use serde_json::{Map, Value as Json, json};

use crate::failure::Failure;
use crate::number::{grouped, plies};

/// How many states a person would count, void ones included.
pub(crate) fn states_named(game: &dyn Playable) -> u64 {
    game.states_named().unwrap_or(game.states())
}

/// The sums over all states of a game: what `solve`, `info` and `stats` say alike, of games and of tables. Only states
/// that are not void count as states.
pub(crate) struct Summary<'a> {
    /// How many states a person would number, void ones included.
    pub(crate) numbers: u64,
    /// What each mover wins, loses and draws; empty where nobody has counted.
    pub(crate) movers: Vec<(&'a str, Counts)>,
    /// The longest distances.
    pub(crate) longest: Longest,
}

/// The longest distances of a game, in plies; none where distances were not kept.
#[derive(Clone, Copy, Default)]
pub(crate) struct Longest {
    /// Of any value.
    any: Option<u32>,
    /// Of a win.
    win: Option<u32>,
}

impl Longest {
    /// The longest distances among levels, which are known even where `distances` were not kept.
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
        self.movers.iter().for_each(|(_, counts)| all += *counts);
        all
    }

    /// How many states there are, if anybody has counted.
    pub(crate) fn states(&self) -> Option<u64> {
        let Counts { win, loss, draw, .. } = self.all();
        (!self.movers.is_empty()).then(|| win.saturating_add(loss).saturating_add(draw))
    }

    fn void(&self) -> Option<u64> {
        self.states().map(|states| self.numbers.saturating_sub(states))
    }

    /// Writes how many states each mover wins, loses and draws, and all of them together.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Some((states, void)) = self.states().zip(self.void()) else {
            return Ok(writeln!(
                out,
                "numbers    {}, not counted by value\n",
                grouped(self.numbers)
            )?);
        };
        writeln!(out, "states     {}, void {}", grouped(states), grouped(void))?;
        let mut row = |name: &str, cells: [&str; 3]| {
            let [win, loss, draw] = cells;
            writeln!(out, "{name:<10} {win:>15} {loss:>15} {draw:>15}")
        };
        row("", ["win", "loss", "draw"])?;
        let movers = if self.movers.len() > 1 { &*self.movers } else { &[] };
        for (name, counts) in movers.iter().chain(&[("all", self.all())]) {
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

    /// The same as entries of an object.
    pub(crate) fn say(&self, object: &mut Json) {
        let Counts { win, loss, draw, .. } = self.all();
        let states = self.states();
        object["states"] = json!(states);
        object["void"] = json!(self.void());
        for (name, count) in [("win", win), ("loss", loss), ("draw", draw)] {
            object[name] = json!(states.map(|_| count));
        }
        object["longest"] = json!(self.longest.any);
        object["longest_win"] = json!(self.longest.win);
        let movers = self.movers.iter().map(|(name, counts)| {
            let Counts { win, loss, draw, .. } = counts;
            ((*name).to_owned(), json!({ "win": win, "loss": loss, "draw": draw }))
        });
        object["movers"] = movers.collect::<Map<_, _>>().into();
    }
}

/// How many states are won and lost at each distance; the first and last few where there are many.
pub(crate) fn write_levels<L: Iterator<Item = Level>>(
    levels: impl Fn() -> Result<L, Failure>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    const SHOWN: [usize; 2] = [12, 4];
    let count = levels()?.count();
    let hidden = SHOWN[0]..count.saturating_sub(SHOWN[1]);
    writeln!(out, "levels     {:>8} {:>15} {:>15}", "plies", "wins", "losses")?;
    for (place, level) in levels()?.enumerate() {
        // Leaving out a single one saves nothing.
        if hidden.len() > 1 && hidden.contains(&place) {
            if place == hidden.start {
                let more = grouped(hidden.len() as u64);
                writeln!(out, "{:>10} {:>8}   ({more} levels more)", "", "...")?;
            }
            continue;
        }
        let cells = [u64::from(level.distance), level.wins, level.losses].map(grouped);
        writeln!(out, "{:>10} {:>8} {:>15} {:>15}", "", cells[0], cells[1], cells[2])?;
    }
    writeln!(out)?;
    Ok(())
}
