//! The solve: seeds, then level after level until nothing settles any more.

use std::fmt;
use std::ops::ControlFlow;

use rayon::prelude::*;

use crate::arrays::{Arrays, MARK_WORD};
use crate::cell::{Cell, Scale};
use crate::frontier::{Frontier, Marked, QUEUE_MAX};
use crate::game::Retrograde;
use crate::histogram::{Histogram, Level};
use crate::seed::{self, EXIT_COUNT_MAX, Event};
use crate::solution::Solution;
use crate::sweep::{OUTBOX_MAX, Tally, sweep_marks, sweep_marks_parallel, sweep_queue};

/// Solves a game on all threads, with distances, in as much memory as it takes.
///
/// [`Solver`] has the choices.
pub fn solve(game: &impl Retrograde) -> Solution {
    match Solver::new().solve(game) {
        Ok(solution) => solution,
        Err(error) => panic!("{error}"),
    }
}

/// How to solve a game.
///
/// ```
/// # use retrograde::{Explicit, Solver};
/// # let game = Explicit::from_edges(3, [(0, 1), (1, 2)]);
/// let solution = Solver::new().threads(2).memory_max(1 << 30).solve(&game)?;
/// # assert_eq!(solution.value(0), Some(retrograde::Value::Loss(2)));
/// # Ok::<(), retrograde::SolveError>(())
/// ```
pub struct Solver<'a> {
    threads: usize,
    pub(crate) distances: bool,
    memory_max: u64,
    pub(crate) progress: Callback<'a>,
}

type Callback<'a> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a>;

/// How far a solve has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The distance at which states settle now.
    pub level: u32,
    /// How many states have settled. Those that never will are the draws.
    pub settled: u64,
    /// How many states the numbering has.
    pub states: u64,
}

/// Why a solve came to no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The solve takes more memory than it may.
    Memory {
        /// The bytes it takes.
        needed: u64,
        /// The bytes it may take.
        limit: u64,
    },
    /// The progress callback said to stop.
    Cancelled,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Memory { needed, limit } => {
                write!(f, "the solve takes {needed} bytes of memory; the limit is {limit}")
            }
            SolveError::Cancelled => write!(f, "the solve was stopped"),
        }
    }
}

impl std::error::Error for SolveError {}

impl Default for Solver<'_> {
    fn default() -> Self {
        Solver {
            threads: 0,
            distances: true,
            memory_max: isize::MAX as u64,
            progress: Box::new(|_| ControlFlow::Continue(())),
        }
    }
}

impl<'a> Solver<'a> {
    /// All threads, distances, no limit.
    pub fn new() -> Solver<'a> {
        Solver::default()
    }

    /// How many threads to use; 0, the default, stands for those of rayon's current pool. The
    /// solution is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Whether to keep distances, as by default.
    #[must_use]
    pub fn distances(mut self, distances: bool) -> Self {
        self.distances = distances;
        self
    }

    /// Refuse to take more than so many bytes.
    #[must_use]
    pub fn memory_max(mut self, bytes: u64) -> Self {
        self.memory_max = bytes.min(isize::MAX as u64);
        self
    }

    /// Call back now and then; at the latest when a level that took long is done. The solve is
    /// stopped by `ControlFlow::Break`.
    #[must_use]
    pub fn progress(
        mut self,
        progress: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// How many bytes the solve of a game will take. Exits take 16 bytes more per state that has
    /// some, and distances too long for a cell one more byte per state; neither is known beforehand.
    pub fn memory(&self, game: &impl Retrograde) -> u64 {
        let (states, threads) = (game.states(), self.threads_used());
        match Width::of(seed::degree_max(game, threads > 1), self.distances) {
            Width::Byte(_) => memory::<u8>(states, threads),
            Width::Two(_) => memory::<u16>(states, threads),
            Width::Four(_) => memory::<u32>(states, threads),
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

    /// Runs a solve in a pool of as many threads as it asks for.
    pub(crate) fn in_pool(
        self,
        solve: impl FnOnce(Self, usize) -> Result<Solution, SolveError> + Send,
    ) -> Result<Solution, SolveError> {
        let threads = self.threads_used();
        if threads == 1 {
            return solve(self, threads);
        }
        if threads == rayon::current_num_threads() {
            // From inside the pool, because to hand it each level from outside is slow.
            return rayon::scope(|_| solve(self, threads));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("the system refuses to start threads");
        pool.install(|| solve(self, threads))
    }

    pub(crate) fn check_memory(&self, needed: u64) -> Result<(), SolveError> {
        let limit = self.memory_max;
        if needed > limit { Err(SolveError::Memory { needed, limit }) } else { Ok(()) }
    }

    pub(crate) fn threads_used(&self) -> usize {
        if self.threads == 0 { rayon::current_num_threads() } else { self.threads }
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
fn memory<C: Cell>(states: u64, threads: usize) -> u64 {
    let queues = 2 * QUEUE_MAX as u64 * 8;
    let outboxes = match part_len(states, threads) {
        Some(len) => states.div_ceil(len as u64).saturating_mul(OUTBOX_MAX as u64 * 4),
        None => 0,
    };
    Arrays::<C>::bytes(states, 0).saturating_add(queues + outboxes)
}

/// How many states to a part, where there is more than one: enough parts that no thread waits
/// long for another, few enough that most moves stay inside one.
fn part_len(states: u64, threads: usize) -> Option<usize> {
    const PARTS_PER_THREAD: u64 = 16;
    let parts = threads as u64 * PARTS_PER_THREAD;
    let len = (states.div_ceil(parts) as usize).next_power_of_two().clamp(1 << 16, 1 << 31);
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
        let bytes = memory::<C>(states, threads);
        solver.check_memory(bytes)?;
        let mut solve = Solve {
            game,
            solver,
            arrays: Arrays::<C>::new(states, scale),
            events: Vec::new(),
            level: 0,
            frontier: Frontier::default(),
            histogram: Histogram::default(),
            settled: 0,
            reported: 0,
            part_len: part_len(states, threads),
            bytes,
        };
        if states > 0 {
            solve.seed(degree_max)?;
            while solve.next_level()? {}
        }
        Ok(Solution::new(solve.arrays.into(), solve.histogram, solve.bytes))
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
        seed::sort(&mut self.events);
        self.frontier.close(&mut self.arrays, 0);
        Ok(())
    }

    /// Propagates the frontier and finds the next. False when nothing will settle any more.
    fn next_level(&mut self) -> Result<bool, SolveError> {
        let next = self.level.checked_add(1).expect("distances end at 2^32 plies");
        self.take_planes_for(next)?;
        let mut found = Frontier::default();
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
        let progress = &mut self.solver.progress;
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
            sweep_marks_parallel(game, arrays, level, len, found, report)
        } else {
            sweep_marks(game, arrays, level, found, report)
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
