//! The solve state by state: seeds, then level after level until nothing settles any more.

use std::borrow::Cow;

use rayon::prelude::*;

use super::cell::{Cell, Scale};
use super::frontier::Frontier;
use super::marks::MARK_WORD;
use super::marks::Marked;
use super::outbox::sweep_marks_parallel;
use super::seed;
use super::storage::Arrays;
use super::sweep::{Tally, sweep_marks, sweep_queue};
use crate::rules::Retrograde;
use crate::solve::exits::{self, EXIT_COUNT_MAX, Event};
use crate::solve::histogram::{Histogram, Level};
use crate::solve::snapshot::{Course, Kind};
use crate::solve::solution::Solution;
use crate::solve::solver::{Progress, SolveError, Solver};
use crate::solve::thresholds::Thresholds;

impl Solver<'_> {
    /// How many bytes the solve of a game will take. Exits take 16 bytes more per state that has
    /// some, and distances too long for a cell one more byte per state; neither is known beforehand.
    pub fn memory(&self, game: &impl Retrograde) -> u64 {
        let (states, threads) = (game.states(), self.threads_used());
        match Width::of(seed::degree_max(game, threads > 1), self.distances) {
            Width::Byte(_) => memory::<u8>(states, threads, &self.thresholds),
            Width::Two(_) => memory::<u16>(states, threads, &self.thresholds),
            Width::Four(_) => memory::<u32>(states, threads, &self.thresholds),
        }
    }

    /// Solves the game.
    ///
    /// # Panics
    ///
    /// Where the game is caught breaking its contract, naming the state. [`audit`](crate::audit())
    /// finds all that can be found.
    pub fn solve(self, game: &impl Retrograde) -> Result<Solution, SolveError> {
        self.in_pool(|solver, threads| solver.solve_here(game, threads))
    }

    fn solve_here<G: Retrograde>(self, game: &G, threads: usize) -> Result<Solution, SolveError> {
        let degree_max = seed::degree_max(game, threads > 1);
        match Width::of(degree_max, self.distances) {
            Width::Byte(scale) => Solve::<G, u8>::run(self, game, threads, degree_max, scale),
            Width::Two(scale) => Solve::<G, u16>::run(self, game, threads, degree_max, scale),
            Width::Four(scale) => Solve::<G, u32>::run(self, game, threads, degree_max, scale),
        }
    }
}

/// The width of cells that a game needs.
enum Width {
    Byte(Scale),
    Two(Scale),
    Four(Scale),
}

impl Width {
    fn of(degree_max: u32, distances: bool) -> Width {
        let count_max = u64::from(degree_max) + EXIT_COUNT_MAX;
        if let Some(scale) = Scale::new::<u8>(count_max, distances) {
            Width::Byte(scale)
        } else if let Some(scale) = Scale::new::<u16>(count_max, distances) {
            Width::Two(scale)
        } else {
            let scale = Scale::new::<u32>(count_max, distances);
            Width::Four(scale.expect("no state has four thousand million moves"))
        }
    }
}

/// What a solve takes beside what exits and long distances may add.
fn memory<C: Cell>(states: u64, threads: usize, thresholds: &Thresholds) -> u64 {
    let queues = 2 * thresholds.queue_max as u64 * 8;
    let outboxes = match part_len(states, threads, thresholds) {
        Some(len) => {
            states.div_ceil(len as u64).saturating_mul(thresholds.outbox_visits as u64 * 4)
        }
        None => 0,
    };
    Arrays::<C>::bytes(states, 0).saturating_add(queues + outboxes)
}

/// How many states to a part, where there is more than one: enough parts that no thread waits
/// long for another, few enough that most moves stay inside one.
fn part_len(states: u64, threads: usize, thresholds: &Thresholds) -> Option<usize> {
    const PARTS_PER_THREAD: u64 = 16;
    let parts = threads as u64 * PARTS_PER_THREAD;
    let len = states.div_ceil(parts) as usize;
    let len = len.next_power_of_two().clamp(thresholds.part_states, 1 << 31);
    (threads > 1 && states > len as u64).then_some(len.next_multiple_of(MARK_WORD))
}

/// A solve under way.
struct Solve<'g, 'a, G, C> {
    game: &'g G,
    solver: Solver<'a>,
    arrays: Arrays<C>,
    /// What exits and far finals have still to bring, the next last.
    events: Vec<Event>,
    /// The distance at which the frontier settled.
    level: u32,
    frontier: Frontier,
    histogram: Histogram,
    /// How many states have been propagated.
    settled: u64,
    /// How many had been when progress was last reported.
    reported: u64,
    /// The length of parts, where there is more than one.
    part_len: Option<usize>,
    /// What the solve has taken so far.
    bytes: u64,
}

impl<'g, 'a, G: Retrograde, C: Cell> Solve<'g, 'a, G, C> {
    fn run(
        solver: Solver<'a>,
        game: &'g G,
        threads: usize,
        degree_max: u32,
        scale: Scale,
    ) -> Result<Solution, SolveError> {
        let states = game.states();
        let thresholds = solver.thresholds;
        let bytes = memory::<C>(states, threads, &thresholds);
        solver.check_memory(bytes)?;
        let mut solve = Solve {
            game,
            solver,
            arrays: Arrays::<C>::new(states, scale),
            events: Vec::new(),
            level: 0,
            frontier: Frontier::new(thresholds.queue_max),
            histogram: Histogram::default(),
            settled: 0,
            reported: 0,
            part_len: part_len(states, threads, &thresholds),
            bytes,
        };
        if states > 0 {
            if !solve.take_up()? {
                solve.seed(degree_max)?;
            }
            while solve.next_level()? {
                solve.end_level()?;
            }
        }
        Ok(Solution::new(solve.arrays.into(), solve.histogram, solve.bytes))
    }

    /// Goes on from where an earlier solve was, if one is given.
    fn take_up(&mut self) -> Result<bool, SolveError> {
        let kind = self.kind();
        let Solve { game, solver, arrays, events, .. } = self;
        let taken = solver.take_up(|source| {
            let course = Course::read(kind, *game, source)?;
            *events = exits::read_events(game.states(), source)?;
            arrays.read(course.level, source)?;
            Ok(course)
        })?;
        let Some(course) = taken else { return Ok(false) };
        self.level = course.level;
        self.settled = course.settled;
        self.reported = course.settled;
        self.histogram = course.histogram.into_owned();
        self.arrays.note_settled(self.level, &mut self.frontier.marked);
        self.frontier.close(&mut self.arrays, self.level);
        let planes = (self.arrays.high.len() * self.arrays.cells.len()) as u64;
        self.take_memory(planes + (self.events.len() * size_of::<Event>()) as u64)?;
        Ok(true)
    }

    /// Shows the state of the solve to whoever may want to keep it.
    fn end_level(&mut self) -> Result<(), SolveError> {
        let course = Course {
            level: self.level,
            settled: self.settled,
            histogram: Cow::Borrowed(&self.histogram),
        };
        let (kind, states) = (self.kind(), self.game.states());
        let (events, arrays) = (&self.events, &self.arrays);
        self.solver.end_level(&course, &|sink| {
            course.write(kind, states, sink);
            exits::write_events(events, sink);
            arrays.write(sink);
        })
    }

    /// What the snapshots of this engine begin with.
    fn kind(&self) -> Kind {
        let Scale { base, distances } = self.arrays.scale;
        let layout = (size_of::<C>() as u64) << 32 | u64::from(base);
        Kind { engine: *b"scalar 1", layout, distances }
    }

    /// Settles what the rules decide, and counts the moves of the rest.
    fn seed(&mut self, degree_max: u32) -> Result<(), SolveError> {
        let len = self.part_len.unwrap_or(self.arrays.cells.len().next_multiple_of(MARK_WORD));
        let game = self.game;
        let parts: Vec<_> = self.arrays.parts(len, 0).map(|(part, _)| part).collect();
        let seed = |mut part| {
            let mut found = Marked::default();
            (seed::seed_part(game, &mut part, degree_max, &mut found), found.0)
        };
        let seeded: Vec<_> = match self.part_len {
            Some(_) => parts.into_par_iter().map(seed).collect(),
            None => parts.into_iter().map(seed).collect(),
        };
        let events_count: usize = seeded.iter().map(|(events, _)| events.len()).sum();
        self.take_memory((events_count * size_of::<Event>()) as u64)?;
        for (events, found) in seeded {
            self.events.extend(events);
            self.frontier.marked.0 += found;
        }
        exits::sort(&mut self.events);
        self.frontier.close(&mut self.arrays, 0);
        Ok(())
    }

    /// Propagates the frontier and finds the next. False when nothing will settle any more.
    fn next_level(&mut self) -> Result<bool, SolveError> {
        let next = self.level.checked_add(1).expect("distances end at 2^32 plies");
        self.take_planes_for(next)?;
        let mut found = Frontier::new(self.solver.thresholds.queue_max);
        let tally = self.sweep(&mut found)?;
        self.histogram.push(Level { distance: self.level, wins: tally.wins, losses: tally.losses });
        self.settled += tally.wins + tally.losses;
        self.level = match self.events.last() {
            Some(event) if found.is_empty() => event.level,
            None if found.is_empty() => return Ok(false),
            _ => next,
        };
        self.take_planes_for(self.level)?;
        self.let_events_happen(&mut found);
        found.close(&mut self.arrays, self.level);
        self.frontier = found;
        Ok(true)
    }

    fn sweep(&mut self, found: &mut Frontier) -> Result<Tally, SolveError> {
        // Levels of a few states are reported together.
        const REPORT_EVERY: u64 = 1 << 16;
        let (game, level) = (self.game, self.level);
        let (settled, states) = (self.settled, game.states());
        let Solver { progress, thresholds, .. } = &mut self.solver;
        let mut stopped = false;
        let mut report = |tally: Tally| {
            let settled = settled + tally.wins + tally.losses;
            stopped = progress(&Progress { level, settled, states }).is_break();
            !stopped
        };
        let arrays = &mut self.arrays;
        let tally = if !self.frontier.is_marked() {
            let tally = sweep_queue(game, arrays, level, &self.frontier.queue, found);
            if self.settled - self.reported >= REPORT_EVERY {
                self.reported = self.settled;
                report(tally);
            }
            tally
        } else if let Some(len) = self.part_len {
            sweep_marks_parallel(game, arrays, level, len, thresholds, found, report)
        } else {
            sweep_marks(game, arrays, level, thresholds, found, report)
        };
        if stopped { Err(SolveError::Cancelled) } else { Ok(tally) }
    }

    /// Lets the events of the level happen that has just been found.
    fn let_events_happen(&mut self, found: &mut Frontier) {
        if self.events.last().is_none_or(|event| event.level > self.level) {
            return;
        }
        let (mut part, _) = self.arrays.whole(self.level);
        while let Some(event) = self.events.pop_if(|event| event.level == self.level) {
            event.happen(&mut part, found);
        }
    }

    fn take_planes_for(&mut self, level: u32) -> Result<(), SolveError> {
        let missing = self.arrays.planes_for(level).saturating_sub(self.arrays.high.len());
        if missing > 0 {
            self.take_memory(missing as u64 * self.arrays.cells.len() as u64)?;
            self.arrays.add_planes_for(level);
        }
        Ok(())
    }

    fn take_memory(&mut self, bytes: u64) -> Result<(), SolveError> {
        self.bytes += bytes;
        self.solver.check_memory(self.bytes)
    }
}
