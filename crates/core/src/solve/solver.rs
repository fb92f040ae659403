//! Options of a solve.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::ops::ControlFlow;

use super::snapshot::Snapshot;
use super::solution::Solution;
use super::thresholds::Thresholds;
use crate::checksum::Damaged;
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
    memory_max: u64,
    pub(super) progress: Callback<'a>,
    pub(crate) at_level_end: Option<Keep<'a>>,
    pub(super) from: Option<Take<'a>>,
}

/// A callback for progress, of work whose callback stays on one thread.
pub(crate) type Tell<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

type Callback<'a> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a>;
type Keep<'a> = Box<dyn FnMut(&Snapshot<'_>) -> ControlFlow<()> + Send + 'a>;
type Take<'a> = Box<dyn Read + Send + 'a>;

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

/// How far long work has come: a solve, an audit, a verification, or the writing of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The current distance of a solve. `None` while the solver seeds the states, and in other work.
    pub level: Option<u32>,
    /// How many states are done: settled, or seeded, audited, verified, written. States that never settle are draws.
    pub done: u64,
    /// How many states there are to do.
    pub states: u64,
}

/// Why a solve failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SolveError {
    /// The solve needs more memory than the limit.
    Memory {
        /// How many bytes are enough, as far as this is known. The lists of a level may take less. Before the solve has
        /// begun, exits and distances of hundreds of plies are unknown, and may take more.
        needed: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The system did not start this number of threads.
    Threads {
        /// How many threads the caller asked for.
        threads: usize,
        /// The error of the system.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The progress callback asked to stop.
    Cancelled,
    /// The snapshot to resume from belongs to another game, engine or options.
    Snapshot,
    /// The snapshot to resume from is damaged, or is no snapshot.
    Damaged,
    /// Something that the solve depends on has failed: a file, another process.
    Outside(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Memory { needed, limit } => {
                write!(f, "the solve takes up to {needed} bytes of memory; the limit is {limit}")
            }
            SolveError::Threads { threads, source } => {
                write!(f, "the system refuses to start {threads} threads ({source}); use fewer")
            }
            SolveError::Cancelled => write!(f, "the solve was stopped"),
            SolveError::Snapshot => {
                write!(
                    f,
                    "the snapshot belongs to another game or engine, or to a solve that differs in whether it keeps distances; solve from the start, or resume from another snapshot"
                )
            }
            SolveError::Damaged => {
                write!(
                    f,
                    "a checksum is wrong: this is a damaged snapshot, or no snapshot; solve from the start, or resume from another snapshot"
                )
            }
            SolveError::Outside(error) => error.fmt(f),
        }
    }
}

impl Error for SolveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SolveError::Threads { source, .. } => Some(&**source),
            SolveError::Outside(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for SolveError {
    fn from(error: io::Error) -> SolveError {
        match error.get_ref() {
            Some(inner) if inner.is::<Damaged>() => SolveError::Damaged,
            _ => SolveError::Outside(Box::new(error)),
        }
    }
}

impl fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("threads", &self.threads)
            .field("distances", &self.distances)
            .field("memory_max", &self.memory_max)
            .finish_non_exhaustive()
    }
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Solver {
            threads: 0,
            distances: true,
            thresholds: Thresholds::default(),
            memory_max: isize::MAX as u64,
            progress: Box::new(|_| ControlFlow::Continue(())),
            at_level_end: None,
            from: None,
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
        self.memory_max = bytes.min(isize::MAX as u64);
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
        self.progress = Box::new(progress);
        self
    }

    /// Sets a callback for the end of each level. The callback gets a snapshot of the solve, and may write it. You can
    /// [resume](Solver::resume) from the snapshot later. If the callback returns `ControlFlow::Break`, the solver
    /// stops.
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use retrograde::adapters::Explicit;
    /// # use retrograde::Solver;
    /// # let game = Explicit::from_edges(3, [(0, 1), (1, 2)]);
    /// let mut kept = Vec::new();
    /// let stopped = Solver::new()
    ///     .at_level_end(|snapshot| {
    ///         snapshot.write(&mut kept).expect("there is room");
    ///         snapshot.published();
    ///         ControlFlow::Break(())
    ///     })
    ///     .solve(&game);
    /// assert!(stopped.is_err());
    ///
    /// let solver = Solver::new().resume(&kept[..]);
    /// assert_eq!(solver.solve(&game)?.value(0), Some(retrograde::Value::Loss(2)));
    /// # Ok::<(), retrograde::SolveError>(())
    /// ```
    #[must_use]
    pub fn at_level_end(
        mut self,
        keep: impl FnMut(&Snapshot<'_>) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        self.at_level_end = Some(Box::new(keep));
        self
    }

    /// Resumes from a [`Snapshot`] of the same game, engine and options, on any number of threads. The solution is the
    /// same.
    ///
    /// If bytes of the snapshot have changed, the solver returns [an error](SolveError::Damaged). It cannot notice that
    /// a snapshot belongs to another game with the same number of states. So store the name of the game with the
    /// snapshot.
    #[must_use]
    pub fn resume(mut self, from: impl Read + Send + 'a) -> Self {
        self.from = Some(Box::new(from));
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
        Choices { threads: self.threads, distances: self.distances, memory_max: self.memory_max }
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
        let limit = self.memory_max;
        if needed <= limit {
            return Ok(());
        }
        Err(SolveError::Memory { needed: needed.saturating_add(later), limit })
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
