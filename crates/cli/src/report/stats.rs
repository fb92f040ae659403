//! Statistics of all states together. They need a look at each state.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde::internal::threads;
use retrograde::{Counts, Level};
use retrograde_catalog::{First, LONGEST, Tally};
use retrograde_picture::bars;
use serde::Serialize;

use crate::report::format::Printer;
use crate::report::summary::{LevelOf, Summary, levels_of};
use crate::term::colour::Ink;
use crate::term::failure::Failure;
use crate::term::number::grouped;
use crate::term::outlet::write_drawn;
use crate::term::progress::Bar;

/// What is known without looking at states: for a table, its header and its histogram.
pub(crate) struct Stats<'a> {
    /// The table or game.
    pub(crate) title: String,
    /// The name of the game.
    pub(crate) game: &'a str,
    /// The counts.
    pub(crate) summary: Summary<'a>,
    /// How many states settle at each distance.
    pub(crate) levels: Vec<Level>,
    /// Whether distances are known.
    pub(crate) distances: bool,
}

/// What only the states can tell.
#[derive(Default)]
pub(crate) struct Rest {
    /// The longest wins, the longest first. Equal ones are in the order of the numbering.
    longest: Vec<(String, u32)>,
    /// The gain of moving first.
    first: First,
}

/// Goes through `states` states on all threads, in runs as long as the longest block of a table.
pub(crate) fn tally(
    states: u64,
    bar: Option<&Bar>,
    look: impl Fn(Range<u64>) -> Result<Tally, Failure> + Sync,
) -> Result<Tally, Failure> {
    const RUN: u64 = 1 << 16;
    let done = AtomicU64::new(0);
    let look_at = |run: u64| {
        let run = run * RUN..states.min((run + 1) * RUN);
        let tally = look(run.clone())?;
        if let Some(bar) = bar {
            let len = run.end - run.start;
            bar.show(done.fetch_add(len, Ordering::Relaxed) + len, states);
        }
        Ok::<_, Failure>(tally)
    };
    let mut all = Tally::default();
    threads::try_map(states.div_ceil(RUN), 16, look_at, |tally| {
        all = std::mem::take(&mut all).and(tally);
        Ok(())
    })?;
    Ok(all)
}

impl Rest {
    /// What a tally says, with the states as text.
    pub(crate) fn of(tally: Tally, text: impl Fn(u64) -> String) -> Rest {
        let longest = tally.longest().map(|(state, plies)| (text(state), plies)).collect();
        Rest { longest, first: tally.first }
    }
}

impl Stats<'_> {
    /// Prints the statistics: first what is known at once, then what `rest` finds in the states. `rest` gets
    /// the least length of the longest wins.
    pub(crate) fn print(
        &self,
        printer: &mut Printer<'_>,
        rest: impl Fn(u32) -> Result<Rest, Failure>,
    ) -> Result<(), Failure> {
        // Nothing is left to find if the sides are alike and there is no longest win.
        let rest = || match self.alike() && !self.distances {
            true => Ok(Rest::default()),
            false => rest(self.least()),
        };
        printer.either(|out| self.text(out, rest), || Ok(self.object(rest()?)))
    }

    fn alike(&self) -> bool {
        self.summary.sides.len() < 2
    }

    /// The least number of plies that one of the longest wins may take, according to the histogram.
    fn least(&self) -> u32 {
        let mut wins = 0_u64;
        let longest = self.levels.iter().rev().find(|level| {
            wins = wins.saturating_add(level.wins);
            wins >= LONGEST as u64
        });
        longest.map_or(0, |level| level.distance)
    }

    fn object(&self, rest: Rest) -> StatsOf<'_> {
        let First { better, worse, same } = rest.first;
        let [better, worse, same] =
            [better, worse, same].map(|count| (!self.alike()).then_some(count));
        let longest = rest.longest.into_iter().filter(|_| self.distances);
        StatsOf {
            game: self.game,
            summary: &self.summary,
            levels: levels_of(&self.levels, self.distances),
            longest_wins: longest.map(|(state, distance)| LongestOf { state, distance }).collect(),
            first: FirstOf { better, worse, same },
        }
    }

    fn text(
        &self,
        out: &mut dyn Write,
        rest: impl FnOnce() -> Result<Rest, Failure>,
    ) -> Result<(), Failure> {
        writeln!(out, "{}\n", self.title)?;
        self.summary.write(out)?;
        if self.distances {
            let colour = Ink::wanted(io::stdout().is_terminal()).0;
            write_drawn(out, &format!("\n{}\n\n", bars(&self.levels, colour)))?;
        } else {
            writeln!(
                out,
                "no distances were kept: neither a histogram nor a longest win is known\n"
            )?;
        }
        out.flush()?;
        let rest = rest()?;
        writeln!(out, "first      {}", self.who_gains(rest.first))?;
        if self.distances && !rest.longest.is_empty() {
            writeln!(out, "\nlongest wins, in plies")?;
            for (state, plies) in &rest.longest {
                writeln!(out, "{:>10}  {state}", grouped(u64::from(*plies)))?;
            }
        }
        Ok(())
    }

    /// The gain of moving first, as text.
    fn who_gains(&self, first: First) -> String {
        if self.alike() {
            let mut all = Counts::default();
            self.summary.sides.iter().for_each(|(_, counts)| all += *counts);
            let states = (all.win + all.loss + all.draw).max(1);
            let share = |count: u64| format!("{:.1}%", count as f64 * 100.0 / states as f64);
            return format!(
                "the player to move wins {} of all states, loses {}, draws {}",
                share(all.win),
                share(all.loss),
                share(all.draw)
            );
        }
        let First { better, worse, same } = first;
        let [better, worse, same] = [better, worse, same].map(grouped);
        format!(
            "moving first is better in {better} placements, worse in {worse}, the same in {same}"
        )
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StatsOf<'a> {
    game: &'a str,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "crate::report::summary::SummaryOf"))]
    summary: &'a Summary<'a>,
    levels: Vec<LevelOf>,
    longest_wins: Vec<LongestOf>,
    first: FirstOf,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LongestOf {
    state: String,
    distance: u32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FirstOf {
    better: Option<u64>,
    worse: Option<u64>,
    same: Option<u64>,
}
