//! What there is to say of all states together: how many are won, lost and drawn, and at which distances.

use std::io::Write;

use retrograde::{Counts, Level};
use retrograde_playable::Playable;
use serde_json::{Map, Value as Json, json};

use crate::failure::Failure;
use crate::number::{grouped, plies};

/// How many states a person would count, void ones included.
pub(crate) fn states_named(game: &dyn Playable) -> u64 {
    game.states_named().unwrap_or(game.states())
}

/// How the states of a game fall: what `solve` and `info` say alike, of games and of tables.
pub(crate) struct Summary<'a> {
    /// How many a person would count, void ones included.
    pub(crate) states: u64,
    /// What each mover wins, loses and draws; empty where nobody has counted.
    pub(crate) movers: Vec<(&'a str, Counts)>,
    /// The longest win in plies, where there is one and distances are known.
    pub(crate) longest: Option<u32>,
}

impl Summary<'_> {
    /// The longest win among levels.
    pub(crate) fn longest(levels: impl Iterator<Item = Level>) -> Option<u32> {
        levels.filter(|level| level.wins > 0).map(|level| level.distance).last()
    }

    /// All that is no void state, by value.
    fn all(&self) -> Counts {
        let mut all = Counts::default();
        self.movers.iter().for_each(|(_, counts)| all += *counts);
        all
    }

    fn void(&self) -> u64 {
        let Counts { win, loss, draw, .. } = self.all();
        self.states.saturating_sub(win + loss + draw)
    }

    /// Writes how many states each mover wins, loses and draws, and all of them together.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.movers.is_empty() {
            writeln!(out, "states     {}", grouped(self.states))?;
        } else {
            let (states, void) = (grouped(self.states), grouped(self.void()));
            writeln!(out, "states     {states}, void {void}")?;
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
        }
        match self.longest {
            Some(distance) => Ok(writeln!(out, "\nlongest    a win in {}", plies(distance))?),
            None => Ok(writeln!(out)?),
        }
    }

    /// The same as entries of an object.
    pub(crate) fn say(&self, object: &mut Json) {
        let counted = !self.movers.is_empty();
        let Counts { win, loss, draw, .. } = self.all();
        object["states"] = json!(self.states);
        for (name, count) in [("void", self.void()), ("win", win), ("loss", loss), ("draw", draw)] {
            object[name] = json!(counted.then_some(count));
        }
        object["longest"] = json!(self.longest);
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
