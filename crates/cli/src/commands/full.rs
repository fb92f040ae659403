//! `retrograde info --full`: what there is to say of all states of a game together: counts, distances, the longest wins, and who
//! gains from moving first.

use std::ops::Range;

use retrograde::{Level, Value};
use retrograde_catalog::{Playable, Values};

use crate::report::format::Printer;
use crate::report::stats::{Stats, Tally, tally};
use crate::report::summary::{Longest, Summary, states_named};
use crate::source::engine::{EngineArgs, How};
use crate::source::subject::Subject;
use crate::term::failure::{Failure, input};

/// Looks at all states of a game and prints.
pub(crate) fn say(
    subject: Subject,
    engine: &EngineArgs,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let title = subject.title();
    let opened = subject.open(engine.memory)?;
    let game = &*opened.game;
    let answers = engine.answers(&opened, How::at_once(true))?;
    let values = &*answers.values()?;
    let levels: Vec<Level> = answers.levels()?.collect();
    let distances = values.has_distances();
    let stats = Stats {
        title,
        game: game.name(),
        summary: Summary {
            numbers: states_named(game),
            movers: game.movers().iter().copied().zip(answers.counts()?).collect(),
            longest: Longest::of(levels.iter().copied(), distances),
        },
        levels,
        distances,
    };
    let bar = || engine.quiet.bar("looked at");
    stats.print(printer, |least| {
        let look = |states| of_run(game, values, states, least);
        let tally = tally(game.states(), bar().as_ref(), look)?;
        Ok(tally.named(|state| game.text(state)))
    })
}

/// What a run of states comes to. Wins of less than so many plies are none of the longest.
fn of_run(
    game: &dyn Playable,
    values: &dyn Values,
    states: Range<u64>,
    least: u32,
) -> Result<Tally, Failure> {
    let fill = |states: &Range<u64>| {
        let mut found = vec![None; (states.end - states.start) as usize];
        values.fill(states.start, &mut found).map_err(input).map(|()| found)
    };
    let mut tally = Tally::default();
    let found = fill(&states)?;
    for (state, value) in states.clone().zip(&found) {
        if let Some(value) = value.filter(|value| value.distance() >= Some(least)) {
            tally.keep(state, value, || true);
        }
    }
    if game.movers().len() < 2 {
        return Ok(tally);
    }
    // Each placement once, from the side of the first mover.
    let first = states.clone().zip(&found).filter(|(state, _)| game.mover(*state) == 0);
    let pairs: Vec<(Value, u64)> =
        first.filter_map(|(state, value)| value.zip(game.passed(state))).collect();
    // Where those with the other to move lie together, they are read together.
    let least = pairs.iter().map(|(_, passed)| *passed).min().unwrap_or(0);
    let end = pairs.iter().map(|(_, passed)| passed + 1).max().unwrap_or(0);
    let near = end - least <= 4 * (states.end - states.start);
    let others = if near { fill(&(least..end))? } else { Vec::new() };
    for (value, passed) in pairs {
        let other = match near {
            true => others[(passed - least) as usize],
            false => values.probe(passed).map_err(input)?,
        };
        if let Some(other) = other {
            tally.first.count(value, other);
        }
    }
    Ok(tally)
}
