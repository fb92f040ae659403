//! The proof of a table. For every position of the game, it compares the value with the values of the moves.
//!
//! ```text
//! a win in n      has a move to a loss in n - 1, and none to a shorter loss
//! a loss in n     has only moves to wins, the longest of them in n - 1
//! a draw          has a move to a draw, and none to a loss
//! what is terminal   is what the rules say, in 0
//! ```
//!
//! Wins and losses are right by induction over n. From a draw, a player can move to draws forever.
//! Completeness follows from the list of positions: the rules list all of them, run by run, and each must
//! have its own number in the run.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value as Json;

use crate::Refusal;
use crate::complete::left_out;
use crate::table::{DRAW, Number, Table};
use crate::tally::Tally;
use crate::values::{Asker, Source, Values};

/// The forward rules of a game, and the numbers of its positions.
pub(crate) trait Rules: Sync {
    /// One moment of a game.
    type Position;

    /// How many runs the numbers are divided into.
    fn runs(&self) -> u64;

    /// The numbers of a run. The last run ends with the greatest number.
    fn run(&self, run: u64) -> Range<u64>;

    /// Visits every position of a run, once.
    fn each(&self, run: u64, visit: impl FnMut(&Self::Position));

    /// Where to find the value of a position.
    fn place(&self, position: &Self::Position) -> Place;

    /// Visits every position that a move leads to.
    fn moves(&self, position: &Self::Position, visit: impl FnMut(&Self::Position));

    /// Visits the positions that share the number of a position. The proof judges each of them, so it takes no
    /// symmetry for granted.
    fn each_like(&self, position: &Self::Position, visit: impl FnMut(&Self::Position)) {
        let _ = (position, visit);
    }

    /// The value of a position that the rules decide, whether or not it has moves.
    fn decided(&self, position: &Self::Position) -> Option<Number> {
        let _ = position;
        None
    }

    /// The value of a position without moves.
    fn stuck(&self, position: &Self::Position) -> Number {
        let _ = position;
        LOST
    }

    /// The sides, in the order in which the header counts for them.
    fn sides(&self) -> Vec<Side> {
        Side::named(["player"])
    }

    /// The side to move.
    fn side_to_move(&self, position: &Self::Position) -> usize {
        let _ = position;
        0
    }

    /// For how many placements on a board a position stands, if the header counts placements beside states.
    fn placements(&self, position: &Self::Position) -> Option<u64> {
        let _ = position;
        None
    }

    /// The part of a header that counts the placements of a side, and its key for the position of the longest
    /// win.
    fn said<'h>(&self, header: &'h Json, side: usize) -> (&'h Json, &'static str) {
        let _ = side;
        (header, "position")
    }

    /// The position as the program writes it.
    fn text(&self, position: &Self::Position) -> String;
}

/// A side of a game, as a header counts it.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) name: String,
    /// How many states have it to move, if that is known by the rules.
    pub(crate) states: Option<u64>,
}

impl Side {
    /// The sides with these names.
    pub(crate) fn named<const N: usize>(names: [&str; N]) -> Vec<Side> {
        names.map(|name| Side { name: name.into(), states: None }).into()
    }
}

/// Where to find a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Under a number in a table. Table 0 is the one to prove.
    Table(usize, u64),
    /// The rules give the value.
    Known(Number),
    /// By the numbering, the position cannot occur.
    Nowhere,
}

/// Lost now.
pub(crate) const LOST: Number = 2;
/// Won now.
pub(crate) const WON: Number = 3;

/// The result of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proved {
    /// How many positions there are. That is also the number of valid states.
    pub positions: u64,
    /// How many moves they have.
    pub moves: u64,
    /// Whether distances are kept. Without them no value contradicts its moves, but the proof does not show
    /// that every win ends.
    pub distances: bool,
    /// Which share of the states was looked at: 1 for a proof.
    pub share: f64,
}

/// A choice of positions at random, from few runs, because a run of an endgame is long.
struct Sample {
    runs: BTreeSet<u64>,
    seed: RandomState,
    /// A position is looked at if a random number is at most this.
    most: u64,
    /// Which share of the states is looked at.
    share: f64,
}

impl Sample {
    /// About so many positions.
    fn new<R: Rules>(rules: &R, states: u64, positions: u64) -> Sample {
        /// So many runs, or more if their positions are too few.
        const RUNS: u64 = 64;
        let (seed, all) = (RandomState::new(), rules.runs());
        let wanted = u128::from(positions) * u128::from(all) / u128::from(states.max(1));
        let runs: BTreeSet<u64> = match wanted.max(RUNS.into()) {
            wanted if wanted >= all.into() => (0..all).collect(),
            wanted => (0..wanted).map(|at| seed.hash_one(at) % all).collect(),
        };
        let numbers = runs.iter().map(|&run| rules.run(run)).map(|run| run.end - run.start);
        let numbers = numbers.sum::<u64>() as f64;
        let part = (positions as f64 / numbers.max(1.0)).min(1.0);
        let most = (part * u64::MAX as f64) as u64;
        Sample { runs, seed, most, share: part * numbers / (states as f64).max(1.0) }
    }

    fn has(&self, number: u64) -> bool {
        self.seed.hash_one(number) <= self.most
    }
}

/// Proves the first of some tables by the rules of its game, or about so many of its positions. Counts finished states
/// in `told`.
pub(crate) fn prove<R: Rules>(
    rules: &R,
    values: &Values,
    (threads, sample): (usize, Option<u64>),
    told: &AtomicU64,
) -> Result<Proved, Refusal> {
    let table = &values.tables[0].table;
    check_states(rules, table)?;
    let sample = sample.map(|positions| Sample::new(rules, table.states, positions));
    let start = || Witness::new(rules, values, sample.as_ref());
    let witnesses = each_run(rules, threads, start, |witness, run| {
        if sample.as_ref().is_none_or(|sample| sample.runs.contains(&run)) {
            witness.run(run)?;
        }
        let Range { start, end } = rules.run(run);
        told.fetch_add(end - start, Ordering::Relaxed);
        Ok(())
    })?;
    let tally =
        witnesses.into_iter().map(|witness| witness.tally).fold(Tally::default(), Tally::and);
    if sample.is_none() {
        tally.compare(table, rules)?;
    }
    Ok(Proved {
        positions: tally.counts().map(|(.., many)| many).sum(),
        moves: tally.moves,
        distances: table.distances,
        share: sample.map_or(1.0, |sample| sample.share),
    })
}

/// Refuses a table that does not have as many states as its game.
pub(crate) fn check_states<R: Rules>(rules: &R, table: &Table) -> Result<(), Refusal> {
    let states = rules.runs().checked_sub(1).map_or(0, |last| rules.run(last).end);
    if states == table.states {
        return Ok(());
    }
    let what = format!("it has {} states, and the game has {states}", table.states);
    Err(Refusal::wrong(&table.path, &what))
}

/// Does something for every run, with all threads. Returns the worker of each thread.
pub(crate) fn each_run<R: Rules, W: Send>(
    rules: &R,
    threads: usize,
    start: impl Fn() -> W + Sync,
    act: impl Fn(&mut W, u64) -> Result<(), Refusal> + Sync,
) -> Result<Vec<W>, Refusal> {
    let next = AtomicU64::new(0);
    // The first run with an error, so the report is the same whichever thread is faster.
    let wrong: Mutex<Option<(u64, Refusal)>> = Mutex::new(None);
    let work = || {
        let mut worker = start();
        loop {
            let run = next.fetch_add(1, Ordering::Relaxed);
            if run >= rules.runs() {
                return worker;
            }
            if let Err(refusal) = act(&mut worker, run) {
                next.store(rules.runs(), Ordering::Relaxed);
                let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                if wrong.as_ref().is_none_or(|(first, _)| run < *first) {
                    *wrong = Some((run, refusal));
                }
                return worker;
            }
        }
    };
    let workers = std::thread::scope(|scope| {
        // If the system refuses more threads, the running ones do all the work.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let threads: Vec<_> = (1..threads.max(1)).map_while(start).collect();
        let mut workers = vec![work()];
        workers.extend(threads.into_iter().map(|thread| thread.join().expect("no thread panics")));
        workers
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    wrong.map_or(Ok(workers), |(_, refusal)| Err(refusal))
}

/// The work of one thread.
struct Witness<'a, R> {
    rules: &'a R,
    values: &'a Values,
    asker: Asker<'a>,
    tally: Tally,
    /// Which positions to look at, if not at all. Then tables that leave out values have only those of their files.
    sample: Option<&'a Sample>,
    /// Which numbers of a run belong to positions: a bit each.
    told: Vec<u64>,
}

/// The values of some moves. Losses and invalid states have even numbers, wins and draws odd ones. So the
/// processor predicts most branches.
pub(crate) struct Found {
    pub(crate) moves: u64,
    least_even: Number,
    greatest_odd: Number,
    draw: bool,
}

impl Found {
    pub(crate) fn new() -> Found {
        Found { moves: 0, least_even: Number::MAX, greatest_odd: 0, draw: false }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, value: Number) {
        let even = value.is_multiple_of(2);
        self.moves += 1;
        self.least_even = self.least_even.min(if even { value } else { Number::MAX });
        self.greatest_odd = self.greatest_odd.max(if even { 0 } else { value });
        self.draw |= value == DRAW;
    }

    /// The value that follows.
    pub(crate) fn value(&self, distances: bool, stuck: impl FnOnce() -> Number) -> Number {
        match (self.least_even, self.greatest_odd) {
            (Number::MAX, 0) => stuck(),
            (Number::MAX, _) if self.draw => DRAW,
            // Lost by the longest win of the other: 3 + 2d is a win in d, 4 + 2d a loss in d + 1.
            (Number::MAX, win) if distances => win + 1,
            (Number::MAX, _) => LOST,
            // Won by the shortest loss of the other: 2 + 2d is a loss in d, 5 + 2d a win in d + 1.
            (loss, _) if distances => loss + 3,
            _ => WON,
        }
    }
}

impl<'a, R: Rules> Witness<'a, R> {
    fn new(rules: &'a R, values: &'a Values, sample: Option<&'a Sample>) -> Witness<'a, R> {
        let (asker, tally) = (values.asker(), Tally::default());
        Witness { rules, values, asker, tally, sample, told: Vec::new() }
    }

    fn run(&mut self, run: u64) -> Result<(), Refusal> {
        let Range { start, end } = self.rules.run(run);
        self.told.clear();
        self.told.resize((end - start).div_ceil(64) as usize, 0);
        // Reports the wrong position with the least number, in whatever order the positions come.
        let mut first: Option<(u64, Refusal)> = None;
        let rules = self.rules;
        rules.each(run, |position| {
            let place = rules.place(position);
            let number = match place {
                Place::Table(0, number) if (start..end).contains(&number) => number,
                _ => u64::MAX,
            };
            let chosen = self.sample.is_none_or(|sample| sample.has(number));
            if !chosen || first.as_ref().is_some_and(|(first, _)| *first <= number) {
                return;
            }
            if let Err(refusal) = self.judge(position, place, number.wrapping_sub(start)) {
                first = Some((number, refusal));
            }
        });
        if let Some((_, refusal)) = first {
            return Err(refusal);
        }
        if !self.table().invalid_kept || self.sample.is_some() {
            return Ok(());
        }
        let table = self.table();
        for number in (start..end).filter(|number| table.keeps(*number)) {
            let at = (number - start) as usize;
            if self.told[at / 64] >> (at % 64) & 1 == 0 && self.asker.value(0, number)? != 0 {
                let what = format!("state {number} has a value, and no position has that number");
                return Err(Refusal::wrong(&table.path, &what));
            }
        }
        Ok(())
    }

    fn judge(&mut self, position: &R::Position, place: Place, at: u64) -> Result<(), Refusal> {
        let bit = 1 << (at % 64);
        match self.told.get_mut((at / 64) as usize) {
            Some(told) if *told & bit == 0 => *told |= bit,
            _ => return Err(self.wrong(position, "its number is not its own")),
        }
        let (follows, moves) = self.follows(position)?;
        self.tally.moves += moves;
        let side = self.rules.side_to_move(position);
        self.tally.add(side, follows);
        if let (Some(many), Place::Table(_, number)) = (self.rules.placements(position), place) {
            self.tally.place(side, follows, many, number, || self.rules.text(position));
        }
        let said = match place {
            Place::Table(0, _) => self.value(position, place)?,
            _ => return Ok(()),
        };
        self.compare(position, said, follows)?;
        let (rules, mut done) = (self.rules, Ok(()));
        rules.each_like(position, |like| {
            if done.is_ok() {
                done = self.judge_like(like, place, said);
            }
        });
        done
    }

    /// Judges a position that should have the number and the value of another one.
    fn judge_like(
        &mut self,
        like: &R::Position,
        place: Place,
        said: Number,
    ) -> Result<(), Refusal> {
        if self.rules.place(like) != place {
            return Err(self.wrong(like, "its number is not that of the same position, turned"));
        }
        let (follows, _) = self.follows(like)?;
        self.compare(like, said, follows)
    }

    fn compare(
        &self,
        position: &R::Position,
        said: Number,
        follows: Number,
    ) -> Result<(), Refusal> {
        if said == follows {
            return Ok(());
        }
        let (said, follows) = (spell(said), spell(follows));
        Err(self.wrong(position, &format!("the table says {said}, but its moves give {follows}")))
    }

    /// The value of a position that the rules decide, or that follows from its moves. Also the number of these.
    fn follows(&mut self, position: &R::Position) -> Result<(Number, u64), Refusal> {
        if let Some(decided) = self.rules.decided(position) {
            return Ok((decided, 0));
        }
        let (rules, asker, mut found) = (self.rules, &self.asker, Found::new());
        if self.sample.is_none() {
            rules.moves(position, |to| {
                found.add(match rules.place(to) {
                    Place::Known(number) => number,
                    Place::Table(table, number) => asker.at_hand(table, number),
                    Place::Nowhere => 0,
                });
            });
        }
        if self.sample.is_some() || found.least_even == 0 {
            // A value is not in memory, or not right.
            found = self.look_at_all(position)?;
        }
        let value = found.value(self.table().distances, || rules.stuck(position));
        Ok((value, found.moves))
    }

    /// The values of all moves, whether in memory or not.
    #[cold]
    fn look_at_all(&mut self, position: &R::Position) -> Result<Found, Refusal> {
        let (rules, mut found, mut problem) = (self.rules, Found::new(), None);
        rules.moves(position, |to| match self.value(to, rules.place(to)) {
            Ok(0) => problem = Some(self.wrong(to, "the table says it is invalid")),
            Ok(value) => found.add(value),
            Err(refusal) => problem = Some(refusal),
        });
        problem.map_or(Ok(found), Err)
    }

    /// The value of a position, whether in memory or not.
    fn value(&mut self, position: &R::Position, place: Place) -> Result<Number, Refusal> {
        let (at, number) = match place {
            Place::Known(number) => return Ok(number),
            Place::Nowhere => {
                return Err(self.wrong(position, "a move leads to it, and it has no number"));
            }
            Place::Table(at, number) => (at, number),
        };
        let Source { table, whole } = &*self.values.tables[at];
        let kept = table.keeps(number);
        if whole.is_some() || kept && !table.exits_forgotten {
            return self.asker.value(at, number);
        }
        let bound = if kept { Some(self.asker.value(at, number)?) } else { None };
        let rules = self.rules;
        left_out(rules, table, (position, at, bound), |to, place| self.value(to, place))
    }

    fn table(&self) -> &'a Table {
        &self.values.tables[0].table
    }

    fn wrong(&self, position: &R::Position, what: &str) -> Refusal {
        wrong(self.rules, self.table(), position, what)
    }
}

/// Something is wrong with a position.
#[cold]
pub(crate) fn wrong<R: Rules>(
    rules: &R,
    table: &Table,
    position: &R::Position,
    what: &str,
) -> Refusal {
    Refusal::wrong(&table.path, &format!("{}: {what}", rules.text(position)))
}

/// `a win in 5`; without the number if there are no distances.
fn spell(number: Number) -> String {
    match number {
        0 => "it is invalid".into(),
        DRAW => "a draw".into(),
        _ => format!("a {} in {}", ["loss", "win"][number as usize % 2], number / 2 - 1),
    }
}
