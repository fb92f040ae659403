//! `retrograde stats`: what there is to say of all states of a game together: counts, distances, the longest wins, and who
//! gains from moving first.

use std::cmp::Reverse;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use rayon::prelude::*;
use retrograde::{Counts, Level, Outcome, Value};
use retrograde_catalog::{Playable, Values};
use retrograde_picture::bars;
use serde_json::json;

use crate::answers::unanswered;
use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::options::{self, FORMAT};
use crate::outlet::write_drawn;
use crate::play::Ink;
use crate::progress::Bar;
use crate::subject::Subject;
use crate::summary::{Longest, Summary, states_named};

/// Say how the states of a game fall: counts, distances, the longest wins, who gains from moving first
///
/// Of a folder of chess endgames: how many placements each side wins, draws and loses, and the longest mates.
/// Symmetric placements are all counted there, like pieces unordered; positions in which a pawn can be captured
/// in passing are further ones and not counted. The longest mate is that of the side to move, in plies.
#[derive(Args)]
#[command(after_help = examples::STATS)]
pub(crate) struct StatsOf {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    json: options::Json,
    #[command(flatten)]
    engine: EngineArgs,
}

impl StatsOf {
    /// Looks at all states and prints.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let title = self.subject.title();
        if let Some(mills) = self.subject.whole_mills()? {
            if mills.is_folder() {
                return mills.write_stats(self.json, out);
            }
            return mills.stats(title, self.json, self.engine.quiet, out);
        }
        if let Some(endgames) = self.subject.whole_endgames()? {
            if endgames.is_folder() {
                return endgames.write_stats(self.json, out);
            }
            return endgames.stats(title, self.json, self.engine.quiet, out);
        }
        let opened = self.subject.open(self.engine.memory)?;
        let game = &*opened.game;
        let answers = opened.answers(&self.engine, How::at_once(true))?;
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
        let bar = || self.engine.quiet.bar("looked at");
        stats.write(self.json, out, |least| {
            let look = |states| of_run(game, values, states, least);
            let tally = tally(game.states(), bar().as_ref(), look)?;
            Ok(tally.named(|state| game.text(state)))
        })
    }
}

/// So many of the longest wins are named.
const LONGEST: usize = 10;

/// What is known before any state is looked at: of a table, what its header and its histogram say.
pub(crate) struct Stats<'a> {
    /// Of what.
    pub(crate) title: String,
    /// Of which game.
    pub(crate) game: &'a str,
    /// The counts.
    pub(crate) summary: Summary<'a>,
    /// How many states settle at each distance.
    pub(crate) levels: Vec<Level>,
    /// Whether distances are known.
    pub(crate) distances: bool,
}

/// What only the states themselves tell.
#[derive(Default)]
pub(crate) struct Rest {
    /// The longest wins, the longest first, and of equals the first of the numbering.
    longest: Vec<(String, u32)>,
    /// What moving first is worth.
    first: First,
}

/// In how many placements, of those in which both sides may be the one to move, it is better to move first, or
/// worse, or the same. What is better for one side is better for the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct First {
    pub(crate) better: u64,
    pub(crate) worse: u64,
    pub(crate) same: u64,
}

/// What some states come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Sorted, and no more than are named.
    pub(crate) longest: Vec<(Reverse<u32>, u64)>,
    pub(crate) first: First,
}

impl First {
    /// Counts a placement, given what it is worth to either side when that side moves.
    pub(crate) fn count(&mut self, here: Value, passed: Value) {
        let worth = |value: Value| match value.outcome() {
            Outcome::Loss => -1,
            Outcome::Draw => 0,
            Outcome::Win => 1,
        };
        // What the other wins by moving, this side loses.
        match worth(here) + worth(passed) {
            1.. => self.better += 1,
            0 => self.same += 1,
            _ => self.worse += 1,
        }
    }
}

impl Tally {
    /// Keeps a win if it is among the longest, and is one: a table may hold any value for a void number.
    pub(crate) fn keep(&mut self, state: u64, value: Value, is_state: impl FnOnce() -> bool) {
        let Value::Win(plies) = value else { return };
        let found = (Reverse(plies), state);
        let is_short =
            self.longest.len() == LONGEST && self.longest.last().is_some_and(|last| *last <= found);
        if is_short || !is_state() {
            return;
        }
        let place = self.longest.partition_point(|kept| *kept < found);
        self.longest.insert(place, found);
        self.longest.truncate(LONGEST);
    }

    /// The same with the states in words.
    pub(crate) fn named(self, text: impl Fn(u64) -> String) -> Rest {
        let longest = self.longest.into_iter();
        let longest = longest.map(|(Reverse(plies), state)| (text(state), plies)).collect();
        Rest { longest, first: self.first }
    }

    fn join(mut self, other: Tally) -> Tally {
        self.longest.extend(other.longest);
        self.longest.sort_unstable();
        self.longest.truncate(LONGEST);
        self.first.better += other.first.better;
        self.first.worse += other.first.worse;
        self.first.same += other.first.same;
        self
    }
}

/// Goes through so many states on all threads, in runs as long as the longest block of a table.
pub(crate) fn tally(
    states: u64,
    bar: Option<&Bar>,
    look: impl Fn(Range<u64>) -> Result<Tally, Failure> + Sync,
) -> Result<Tally, Failure> {
    const RUN: u64 = 1 << 16;
    let done = AtomicU64::new(0);
    let runs = (0..states.div_ceil(RUN)).into_par_iter();
    let looked = runs.map(|run| {
        let run = run * RUN..states.min((run + 1) * RUN);
        let tally = look(run.clone())?;
        if let Some(bar) = bar {
            let len = run.end - run.start;
            bar.show(done.fetch_add(len, Ordering::Relaxed) + len, states);
        }
        Ok(tally)
    });
    looked.try_reduce(Tally::default, |one, other| Ok(one.join(other)))
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
        values.fill(states.start, &mut found).map_err(unanswered).map(|()| found)
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
            false => values.probe(passed).map_err(unanswered)?,
        };
        if let Some(other) = other {
            tally.first.count(value, other);
        }
    }
    Ok(tally)
}

impl Stats<'_> {
    /// Prints it: what is known at once, then what `rest` finds among the states. That is told how many plies the longest wins
    /// take at least.
    pub(crate) fn write(
        &self,
        json: options::Json,
        out: &mut dyn Write,
        rest: impl FnOnce(u32) -> Result<Rest, Failure>,
    ) -> Result<(), Failure> {
        // Nothing is left to find where the players are alike and no win is longest.
        let rest = || match self.alike() && !self.distances {
            true => Ok(Rest::default()),
            false => rest(self.least()),
        };
        if json.json { self.json(&rest()?, out) } else { self.text(out, rest) }
    }

    fn alike(&self) -> bool {
        self.summary.movers.len() < 2
    }

    /// The fewest plies that one of the longest wins may take, as the histogram says.
    fn least(&self) -> u32 {
        let mut wins = 0_u64;
        let longest = self.levels.iter().rev().find(|level| {
            wins = wins.saturating_add(level.wins);
            wins >= LONGEST as u64
        });
        longest.map_or(0, |level| level.distance)
    }

    fn json(&self, rest: &Rest, out: &mut dyn Write) -> Result<(), Failure> {
        let First { better, worse, same } = rest.first;
        let mut object = json!({ "format": FORMAT, "game": self.game });
        self.summary.say(&mut object);
        let level = |level: &Level| json!({ "distance": level.distance, "win": level.wins, "loss": level.losses });
        let longest = rest.longest.iter().filter(|_| self.distances);
        let longest = longest.map(|(state, plies)| json!({ "state": state, "distance": plies }));
        object["levels"] = self.levels.iter().filter(|_| self.distances).map(level).collect();
        object["longest_wins"] = longest.collect();
        let [better, worse, same] =
            [better, worse, same].map(|count| (!self.alike()).then_some(count));
        object["first"] = json!({ "better": better, "worse": worse, "same": same });
        Ok(writeln!(out, "{object}")?)
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

    /// Who gains from moving first, in words.
    fn who_gains(&self, first: First) -> String {
        if self.alike() {
            let mut all = Counts::default();
            self.summary.movers.iter().for_each(|(_, counts)| all += *counts);
            let states = (all.win + all.loss + all.draw).max(1);
            let share = |count: u64| format!("{:.1}%", count as f64 * 100.0 / states as f64);
            return format!(
                "who moves first wins {} of all states, loses {}, draws {}",
                share(all.win),
                share(all.loss),
                share(all.draw)
            );
        }
        let First { better, worse, same } = first;
        let [better, worse, same] = [better, worse, same].map(grouped);
        format!(
            "to move first is better in {better} placements, worse in {worse}, the same in {same}"
        )
    }
}
