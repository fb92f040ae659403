//! `retrograde stats`: what there is to say of all states of a game together: counts, distances, the longest wins, and who
//! gains from moving first.

use std::cmp::Reverse;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

use clap::Args;
use rayon::prelude::*;
use retrograde::{Counts, Level, Outcome, Value};
use retrograde_picture::bars;
use retrograde_playable::{Playable, Values};
use serde_json::json;

use crate::answers::unanswered;
use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::options::{self, FORMAT};
use crate::play::Ink;
use crate::subject::Subject;
use crate::summary::{Summary, states_named};

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
            return mills.stats(title)?.write(self.json, out);
        }
        if let Some(endgames) = self.subject.whole_endgames()? {
            if endgames.is_folder() {
                return endgames.write_stats(self.json, out);
            }
            return endgames.stats(title)?.write(self.json, out);
        }
        let opened = self.subject.open(self.engine.memory)?;
        let game = &*opened.game;
        let answers = opened.answers(&self.engine, How::at_once(true))?;
        let values = &*answers.values()?;
        let levels: Vec<Level> = answers.levels()?.collect();
        let tally = tally(game.states(), |states| of_run(game, values, states))?;
        let stats = Stats {
            title,
            game: game.name(),
            summary: Summary {
                states: states_named(game),
                movers: game.movers().iter().copied().zip(answers.counts()?).collect(),
                longest: Summary::longest(levels.iter().copied())
                    .filter(|_| values.has_distances()),
            },
            levels,
            longest: tally
                .longest
                .iter()
                .map(|(Reverse(plies), state)| (game.text(*state), *plies))
                .collect(),
            first: tally.first,
            distances: values.has_distances(),
        };
        stats.write(self.json, out)
    }
}

/// So many of the longest wins are named.
const LONGEST: usize = 10;

/// All that is said.
pub(crate) struct Stats<'a> {
    /// Of what.
    pub(crate) title: String,
    /// Of which game.
    pub(crate) game: &'a str,
    /// The counts.
    pub(crate) summary: Summary<'a>,
    /// How many states settle at each distance.
    pub(crate) levels: Vec<Level>,
    /// The longest wins, the longest first, and of equals the first of the numbering.
    pub(crate) longest: Vec<(String, u32)>,
    /// What moving first is worth.
    pub(crate) first: First,
    /// Whether distances are known.
    pub(crate) distances: bool,
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
    /// Keeps a win if it is among the longest.
    pub(crate) fn keep(&mut self, state: u64, value: Value) {
        let Value::Win(plies) = value else { return };
        let found = (Reverse(plies), state);
        if self.longest.len() == LONGEST && self.longest.last().is_some_and(|last| *last <= found) {
            return;
        }
        let place = self.longest.partition_point(|kept| *kept < found);
        self.longest.insert(place, found);
        self.longest.truncate(LONGEST);
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

/// Goes through so many states, in runs and on all threads.
pub(crate) fn tally(
    states: u64,
    look: impl Fn(Range<u64>) -> Result<Tally, Failure> + Sync,
) -> Result<Tally, Failure> {
    const RUN: u64 = 1 << 14;
    let runs = (0..states.div_ceil(RUN)).into_par_iter();
    let looked = runs.map(|run| look(run * RUN..states.min((run + 1) * RUN)));
    looked.try_reduce(Tally::default, |one, other| Ok(one.join(other)))
}

fn of_run(game: &dyn Playable, values: &dyn Values, states: Range<u64>) -> Result<Tally, Failure> {
    let mut found = vec![None; (states.end - states.start) as usize];
    values.fill(states.start, &mut found).map_err(unanswered)?;
    let mut tally = Tally::default();
    for (state, value) in states.zip(found) {
        let Some(value) = value else { continue };
        tally.keep(state, value);
        // Each placement once, from the side of the first mover.
        if game.movers().len() > 1
            && game.mover(state) == 0
            && let Some(passed) = game.passed(state)
            && let Some(passed) = values.probe(passed).map_err(unanswered)?
        {
            tally.first.count(value, passed);
        }
    }
    Ok(tally)
}

impl Stats<'_> {
    /// Prints it.
    pub(crate) fn write(&self, json: options::Json, out: &mut dyn Write) -> Result<(), Failure> {
        if json.json { self.json(out) } else { self.text(out) }
    }

    fn alike(&self) -> bool {
        self.summary.movers.len() < 2
    }

    fn json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let First { better, worse, same } = self.first;
        let mut object = json!({ "format": FORMAT, "game": self.game });
        self.summary.say(&mut object);
        let level = |level: &Level| json!({ "distance": level.distance, "win": level.wins, "loss": level.losses });
        let longest = self.longest.iter().filter(|_| self.distances);
        let longest = longest.map(|(state, plies)| json!({ "state": state, "distance": plies }));
        object["levels"] = self.levels.iter().filter(|_| self.distances).map(level).collect();
        object["longest_wins"] = longest.collect();
        let [better, worse, same] =
            [better, worse, same].map(|count| (!self.alike()).then_some(count));
        object["first"] = json!({ "better": better, "worse": worse, "same": same });
        Ok(writeln!(out, "{object}")?)
    }

    fn text(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}\n", self.title)?;
        self.summary.write(out)?;
        writeln!(out, "first      {}", self.who_gains())?;
        if !self.distances {
            return Ok(writeln!(
                out,
                "\nno distances were kept: there is no histogram, and no longest win"
            )?);
        }
        let colour = Ink::wanted(io::stdout().is_terminal()).0;
        writeln!(out, "\n{}", bars(&self.levels, colour))?;
        if !self.longest.is_empty() {
            writeln!(out, "longest wins, in plies")?;
        }
        for (state, plies) in &self.longest {
            writeln!(out, "{:>10}  {state}", grouped(u64::from(*plies)))?;
        }
        Ok(())
    }

    /// Who gains from moving first, in words.
    fn who_gains(&self) -> String {
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
        let First { better, worse, same } = self.first;
        let [better, worse, same] = [better, worse, same].map(grouped);
        format!(
            "to move first is better in {better} placements, worse in {worse}, the same in {same}"
        )
    }
}
