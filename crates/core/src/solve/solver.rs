//! Options of a solve.

use std::fmt;
use std::ops::ControlFlow;

use super::course::{Engine, Options, Solved};
use super::error::{Progress, SolveError};
use super::solution::Solution;
use crate::rules::Sealed;
use crate::threads::{count, on_this_thread};

/// Solves a game on all threads, with distances and without a memory limit.
///
/// [`Solver`] has options.
pub fn solve(game: impl Solvable) -> Solution {
    match Solver::new().solve(game) {
        Ok(solution) => solution,
        Err(error) => panic!("{error}"),
    }
}

/// A game and the engine to solve it with: `&game` for the scalar engine,
/// [`ByWords(&game)`](crate::bit_parallel::ByWords) for the bit-parallel one. Both engines give the same solution, bit
/// for bit. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a game that can be solved",
    note = "pass `&game` if the game implements `Predecessors`, or `ByWords(&game)` if it implements `BitParallel`",
    note = "if the game cannot list the moves into a state, use `Explicit::from_game`"
)]
pub trait Solvable: Sized + Sealed {
    /// See [`Solver::memory_needed`].
    fn memory_needed(self, solver: &Solver<'_>) -> u64;

    /// See [`Solver::solve`].
    fn solve(self, solver: Solver<'_>) -> Result<Solution, SolveError>;
}

/// How to solve a game.
///
/// ```
/// # use retrograde::adapters::Explicit;
/// # use retrograde::Solver;
/// # let game = Explicit::from_edges(3, [(0, 1), (1, 2)]);
/// let solution = Solver::new().threads(2).memory_max(1 << 30).solve(&game)?;
/// # assert_eq!(solution.value(0), Some(retrograde::Value::Loss(2)));
/// # Ok::<(), retrograde::SolveError>(())
/// ```
pub struct Solver<'a> {
    threads: usize,
    pub(crate) distances: bool,
    pub(crate) thresholds: Thresholds,
    pub(super) options: Options<'a>,
}

/// The options of a [`Solver`] that an engine needs. The solver itself applies the other options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// How many threads to use; 0 if the caller has not chosen.
    pub threads: usize,
    /// Whether to keep distances.
    pub distances: bool,
    /// How many bytes the solve may take.
    pub memory_max: u64,
}

impl fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("threads", &self.threads)
            .field("distances", &self.distances)
            .field("memory_max", &self.options.memory_max)
            .finish_non_exhaustive()
    }
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Solver {
            threads: 0,
            distances: true,
            thresholds: Thresholds::default(),
            options: Options {
                memory_max: isize::MAX as u64,
                progress: Box::new(|_| ControlFlow::Continue(())),
                begin: None,
                at_level_end: None,
            },
        }
    }
}

impl<'a> Solver<'a> {
    /// A solver with the defaults: all threads, distances, no limit.
    pub fn new() -> Solver<'a> {
        Solver::default()
    }

    /// How many threads to use. The default is 0, which means all threads of rayon's current pool. The solution is the
    /// same for any number.
    ///
    /// One thread is the calling thread. The solver uses fewer threads if more would be slower: see
    /// [Threads](crate#threads).
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Whether to keep distances. The default is yes.
    #[must_use]
    pub fn distances(mut self, distances: bool) -> Self {
        self.distances = distances;
        self
    }

    /// For tests of the engines.
    #[doc(hidden)]
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// Sets a memory limit. A solve that needs more fails.
    #[must_use]
    pub fn memory_max(mut self, bytes: u64) -> Self {
        self.options.memory_max = bytes.min(isize::MAX as u64);
        self
    }

    /// Sets a callback for progress. The solver calls it from time to time while it seeds the states, from time to time
    /// within a level, and after each long level. If it returns
    /// `ControlFlow::Break`, the solver stops.
    #[must_use]
    pub fn progress(
        mut self,
        progress: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        self.options.progress = Box::new(progress);
        self
    }

    /// How many bytes the solver will need for a game. The number leaves out the memory for exits, and for distances of
    /// hundreds of plies, because these are unknown before the solve. In most games, exits take three to six bytes for
    /// each entry. An entry is a word and a level, with the states of the word that exits may decide at this level. The
    /// bit-parallel engine also lists what settles at a level that brings both wins and losses, in entries of this size.
    /// All of these count against the limit once they are known.
    pub fn memory_needed(&self, game: impl Solvable) -> u64 {
        game.memory_needed(self)
    }

    /// Solves the game.
    ///
    /// # Panics
    ///
    /// Panics if the solver notices that the game breaks the contract of [`Game`](crate::Game). The message names the
    /// state. [`audit`](crate::audit()) finds more mistakes of this kind.
    pub fn solve(self, game: impl Solvable) -> Result<Solution, SolveError> {
        game.solve(self)
    }

    /// The options, for an engine of your own.
    pub fn choices(&self) -> Choices {
        Choices {
            threads: self.threads,
            distances: self.distances,
            memory_max: self.options.memory_max,
        }
    }

    /// Calls `solve` in a pool with the chosen number of threads. One thread is the calling thread.
    pub(crate) fn in_pool<S: Send>(
        self,
        solve: impl FnOnce(Self, usize) -> Result<S, SolveError> + Send,
    ) -> Result<S, SolveError> {
        let threads = self.threads_used();
        if threads == 1 {
            return on_this_thread(|| solve(self, threads));
        }
        inside_pool(threads, Box::new(move || solve(self, threads)))
    }

    /// An error if a solve exceeds the limit. The error also names what it may take later.
    pub(crate) fn check_memory(&self, needed: u64, later: u64) -> Result<(), SolveError> {
        self.options.check_memory(needed, later)
    }

    /// Whether it passes snapshots to the caller.
    pub(crate) fn takes_snapshots(&self) -> bool {
        self.options.at_level_end.is_some()
    }

    /// Checks that an engine may take `bytes` bytes, then makes the engine and runs the solve.
    pub fn run<E: Engine>(
        self,
        bytes: u64,
        engine: impl FnOnce() -> E,
    ) -> Result<Solved<E>, SolveError> {
        self.check_memory(bytes, 0)?;
        let mut engine = engine();
        let (histogram, bytes) = self.options.run(bytes, &mut engine)?;
        Ok(Solved { engine, histogram, bytes })
    }

    pub(crate) fn threads_used(&self) -> usize {
        if self.threads == 0 { count() } else { self.threads }
    }
}

/// Does all the work inside the pool. It would be slow to pass each level to the pool from outside.
fn inside_pool<S: Send>(
    threads: usize,
    work: Box<dyn FnOnce() -> Result<S, SolveError> + Send + '_>,
) -> Result<S, SolveError> {
    if threads == count() {
        return rayon::scope(|_| work());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|source| SolveError::Threads { threads, source: Box::new(source) })?.install(work)
}

/// Where the engines switch from one way of working to another. Small test games do not reach the code for large games.
/// So each threshold is a number that a test can set to its least value. Only tests should set them. The solution is always
/// the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The longest frontier that is kept as a queue.
    pub queue_max: usize,
    /// How many marked blocks are prefetched at once, from 1 to 16.
    pub batch_blocks: usize,
    /// The fewest states of a part: a power of two and at least 4,096, because they share a word of marks.
    pub part_states: usize,
    /// The most states whose cells fit in the cache of one thread.
    pub cached_states: u64,
    /// How many updates for other parts a thread collects before it pauses.
    pub outbox_updates: usize,
    /// Bit-parallel engine: the fewest words of the frontier for each thread. With fewer, one thread works
    /// alone.
    pub frontier_words: u64,
    /// Bit-parallel engine: the fewest words of a part. It is a multiple of 64 in tests, and of 4,096
    /// otherwise.
    pub part_words: usize,
    /// Bit-parallel engine: how many words a shard has, a power of two and at most 32,768. Parts consist of
    /// whole shards.
    pub shard_words: usize,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            queue_max: 1 << 13,
            // The speed is the same from 8 to 64.
            batch_blocks: 16,
            part_states: 1 << 16,
            cached_states: 1 << 20,
            outbox_updates: 1 << 16,
            // With few words, it takes longer to wake threads than to do the work.
            frontier_words: 256,
            part_words: 1 << 12,
            // The planes of a shard then fit a huge page.
            shard_words: 1 << 15,
        }
    }
}

impl Thresholds {
    /// All thresholds have their least value: no queue, parts of one word of marks, a pause after each
    /// update, and several threads from the first word on.
    pub fn least() -> Thresholds {
        Thresholds {
            queue_max: 0,
            batch_blocks: 1,
            part_states: 1 << 12,
            cached_states: 0,
            outbox_updates: 1,
            frontier_words: 0,
            part_words: 64,
            shard_words: 64,
        }
    }
}
