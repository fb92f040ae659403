//! What there is to say of all states together: how many are won, lost and drawn, and at which distances.

use std::io::Write;

use retrograde::{Counts, Level};
use retrograde_playable::Playable;
use serde_json::{Map, Value as Json, json};

use crate::failure::Failure;
use crate::number::grouped;

/// How many states a person would count, void ones included.
pub(crate) fn states_named(game: &dyn Playable) -> u64 {
    game.states_named().unwrap_or(game.states())
}

/// Counts together.
pub(crate) fn sum(counts: impl IntoIterator<Item = Counts>) -> Counts {
    let mut sum = Counts::default();
    counts.into_iter().for_each(|counts| sum += counts);
    sum
}

/// How many states each mover wins, loses and draws, and all of them together.
pub(crate) fn write_counts(
    states: u64,
    void: u64,
    movers: &[(&str, Counts)],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "states     {}, void {}", grouped(states), grouped(void))?;
    let mut row = |name: &str, cells: [&str; 3]| {
        let [win, loss, draw] = cells;
        writeln!(out, "{name:<10} {win:>15} {loss:>15} {draw:>15}")
    };
    row("", ["win", "loss", "draw"])?;
    let all = [("all", sum(movers.iter().map(|(_, counts)| *counts)))];
    let movers = if movers.len() > 1 { movers } else { &[] };
    for (name, counts) in movers.iter().chain(&all) {
        let cells = [counts.win, counts.loss, counts.draw].map(grouped);
        row(name, cells.each_ref().map(String::as_str))?;
    }
    Ok(())
}

/// The same as an object.
pub(crate) fn counts_json(movers: &[(&str, Counts)]) -> Json {
    let movers = movers.iter().map(|(name, counts)| {
        let Counts { win, loss, draw, .. } = counts;
        ((*name).to_owned(), json!({ "win": win, "loss": loss, "draw": draw }))
    });
    movers.collect::<Map<_, _>>().into()
}

/// How many states are won and lost at each distance; the first and last few where there are many.
pub(crate) fn write_layers<L: Iterator<Item = Level>>(
    levels: impl Fn() -> Result<L, Failure>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    const SHOWN: [usize; 2] = [12, 4];
    let count = levels()?.count();
    let hidden = SHOWN[0]..count.saturating_sub(SHOWN[1]);
    writeln!(out, "layers     {:>8} {:>15} {:>15}", "plies", "wins", "losses")?;
    for (place, level) in levels()?.enumerate() {
        // Leaving out a single one saves nothing.
        if hidden.len() > 1 && hidden.contains(&place) {
            if place == hidden.start {
                let layers = grouped(hidden.len() as u64);
                writeln!(out, "{:>10} {:>8}   ({layers} layers more)", "", "...")?;
            }
            continue;
        }
        let cells = [u64::from(level.distance), level.wins, level.losses].map(grouped);
        writeln!(out, "{:>10} {:>8} {:>15} {:>15}", "", cells[0], cells[1], cells[2])?;
    }
    writeln!(out)?;
    Ok(())
}
