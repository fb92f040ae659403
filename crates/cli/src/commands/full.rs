//! `retrograde info --full`: statistics of all states together: counts, distances, the longest wins, and the gain of
//! moving first.

use std::ops::Range;
use std::path::Path;

use retrograde_catalog::{Oracle, States};

use crate::report::format::Printer;
use crate::report::stats::{Stats, Tally, tally};
use crate::report::summary::{Longest, Summary};
use crate::source::wrong::failed;
use crate::term::failure::Failure;
use crate::term::quiet::Quiet;

/// Looks at all states of a region, or of a game without regions, and prints the statistics.
pub(crate) fn write_full(
    oracle: &dyn Oracle,
    region: &str,
    title: String,
    quiet: Quiet,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let states = &*oracle.region(region).map_err(failed)?;
    let levels = states.levels().map_err(failed)?;
    let (counts, distances) = (states.counts().map_err(failed)?, oracle.has_distances());
    // If the user named a folder, the title is the path of the table.
    let title = match oracle.table(region).map_err(failed)? {
        Some(table) if !region.is_empty() && Path::new(&title).is_dir() => {
            table.path().display().to_string()
        }
        _ => title,
    };
    let stats = Stats {
        title,
        game: oracle.game(),
        summary: Summary {
            numbers: states.states_named(),
            sides: counts.iter().map(|(name, counts)| (name.as_str(), *counts)).collect(),
            longest: Longest::of(levels.iter().copied(), distances),
        },
        levels,
        distances,
    };
    stats.print(printer, |least| {
        let bar = quiet.bar("looked at");
        let look = |run| of_run(states, run, least);
        let tally = tally(states.states(), bar.as_ref(), look)?;
        let value = |state| {
            let mut found = [None];
            states.fill(state, &mut found).map(|()| found[0])
        };
        let text = |state| value(state).ok().and_then(|value| states.text(state, value));
        Ok(tally.named(|state| text(state).unwrap_or_default()))
    })
}

/// The statistics of a run of states. A win in less than `least` plies is not among the longest.
fn of_run(states: &dyn States, run: Range<u64>, least: u32) -> Result<Tally, Failure> {
    let fill = |run: &Range<u64>| {
        let mut found = vec![None; (run.end - run.start) as usize];
        states.fill(run.start, &mut found).map_err(failed).map(|()| found)
    };
    let mut tally = Tally::default();
    let found = fill(&run)?;
    for (state, value) in run.clone().zip(&found) {
        if let Some(worth) = value.filter(|value| value.distance() >= Some(least)) {
            tally.keep(state, worth, || states.text(state, *value).is_some());
        }
    }
    // Each placement once, with the first side to move.
    let mut pairs = Vec::new();
    states.passed(run.clone(), &found, &mut |state, passed| pairs.push((state, passed)));
    // If the same placements with the other side to move lie close together, one read gets them all.
    let first = pairs.iter().map(|(_, passed)| *passed).min().unwrap_or(0);
    let end = pairs.iter().map(|(_, passed)| passed + 1).max().unwrap_or(0);
    let near = end - first <= 4 * (run.end - run.start);
    let others = if near { fill(&(first..end))? } else { Vec::new() };
    for (state, passed) in pairs {
        let other = match near {
            true => others[(passed - first) as usize],
            false => fill(&(passed..passed + 1))?[0],
        };
        if let Some((here, other)) = found[(state - run.start) as usize].zip(other) {
            tally.first.count(here, other);
        }
    }
    Ok(tally)
}
