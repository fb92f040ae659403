//! `retrograde info --full`: statistics of all states together: counts, distances, the longest wins, and the gain of
//! moving first.

use std::path::Path;

use retrograde_catalog::{Oracle, tally_run};

use crate::report::format::Printer;
use crate::report::stats::{Rest, Stats, tally};
use crate::report::summary::{Longest, Summary};
use crate::source::wrong::failed;
use crate::term::failure::Failure;
use crate::term::quiet::Quiet;

/// Looks at all states of a region, or of a game without regions, and prints the statistics.
pub(crate) fn write_full(
    oracle: &Oracle,
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
            positions: None,
            longest: Longest::of(levels.iter().copied(), distances),
        },
        levels,
        distances,
    };
    stats.print(printer, |least| {
        let bar = quiet.bar("looked at");
        let look = |run| tally_run(states, run, least).map_err(failed);
        let tally = tally(states.states(), bar.as_ref(), look)?;
        let value = |state| {
            let mut found = [None];
            states.fill(state, &mut found).map(|()| found[0])
        };
        let text = |state| value(state).ok().and_then(|value| states.text(state, value));
        Ok(Rest::of(tally, |state| text(state).unwrap_or_default()))
    })
}
