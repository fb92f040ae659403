//! Solves two-player games on graphs with cycles. For every state the solver finds whether the player to move
//! wins, loses or draws, and in how many moves.
//!
//! You write the rules: forward and backward moves between numbered states. The solver begins at the states whose value
//! the rules decide, and works backwards. It never stores the graph.
//!
//! Here is a game of your own. Two players take one, two or three stones from a heap. A player who cannot move
//! loses:
//!
//! ```
//! use retrograde::{Flow, Game, Predecessors, Status, Value};
//!
//! struct Stones(u64);
//!
//! impl Game for Stones {
//!     fn states(&self) -> u64 {
//!         self.0 + 1
//!     }
//!     fn status(&self, _: u64) -> Status {
//!         Status::Open
//!     }
//!     fn successors(&self, stones: u64, visit: impl FnMut(u64) -> Flow) -> Flow {
//!         (1..=3.min(stones)).map(|take| stones - take).try_for_each(visit)
//!     }
//! }
//!
//! impl Predecessors for Stones {
//!     fn predecessors(&self, stones: u64, visit: impl FnMut(u64)) {
//!         (1..=3).map(|take| stones + take).filter(|&from| from <= self.0).for_each(visit);
//!     }
//! }
//!
//! let game = Stones(15);
//! retrograde::audit(&game)?; // do successors and predecessors agree?
//! let solution = retrograde::solve(&game);
//! assert_eq!(solution.value(15), Some(Value::Win(7)));
//! assert_eq!(solution.value(12), Some(Value::Loss(6)));
//! # Ok::<(), retrograde::checks::AuditError>(())
//! ```
//!
//! # Where to look
//!
//! * A board game? [`Numbered`](adapters::Numbered) makes a game from [`Rules`](adapters::Rules) about positions.
//! * No predecessors? [`Explicit`](adapters::Explicit) stores them for you.
//! * A big game in pieces? A move into a piece that is already solved is an exit: see [`Game::exits`].
//! * Only the states that play can reach? [`play::reachable`] counts them, and [`Within`](adapters::Within) solves them.
//! * Symmetry? Use [`Folded`](adapters::Folded) if your numbering has one state for each set of symmetric states. Use
//!   [`Quotient`](adapters::Quotient) if it has all states.
//! * A player who cannot move wins or draws? See [`Game::stuck`].
//! * Mirror images? [`Numbered`](adapters::Numbered) merges them, if your numbering gives them one number.
//! * Threads, limits, progress: [`Solver`].
//! * Rules that compute the moves of 64 neighbouring states at once? Use [`bit_parallel`], which is faster.
//! * An engine or a transport of your own: [`parts`].
//! * Best moves: [`play::moves`] and [`play::line`].
//! * Checks: [`audit()`] checks your rules, and [`verify()`] checks a solution.
//!
//! # Costs
//!
//! **Time.** The time is linear in states and moves. The solver asks for the status of each state once, and counts its
//! moves once. If the game has no [`degree_max`](Game::degree_max), the scalar engine does both twice. If a state is won
//! or lost, the solver asks once for its predecessors, or twice to [prefetch](Predecessors::prefetch). It never asks for
//! the predecessors of a draw. In a small game, the solver settles about ten million states a second on one thread. In a game larger than
//! the caches of the processor, it waits for memory: see [`Predecessors::prefetch`].
//!
//! **Memory.** An invalid number takes as much memory as a state. So number the states with few gaps.
//!
//! | engine | a state takes | more |
//! | --- | --- | --- |
//! | scalar, `solve(&game)` | 1.13 bytes | one more byte if the longest distance is above about 200, and another above about 50,000 |
//! | bit-parallel, [`ByWords`](bit_parallel::ByWords) | 2 or 3 bits | a log of distances: about 1.1 bytes for each state that wins or loses |
//! | bit-parallel without distances | 2 or 3 bits | nothing |
//! | [`Explicit`](adapters::Explicit) | as scalar | 1 to 5 bytes a move: see [`Explicit::memory_needed`](adapters::Explicit::memory_needed) |
//!
//! [`Solver::memory_needed`] says how much memory your game needs, and [`Solver::memory_max`] sets a limit.
//!
//! **When bit-parallel pays.** The bit-parallel engine is two to four times as fast if one shift or mask computes the
//! moves of 64 neighbouring states. For example, the lowest digit of your number may be the place of one stone, and the
//! higher digits the places of the others. If the rules must look at each state by itself, the scalar engine is faster.
//!
//! # Threads
//!
//! The solver uses all threads of rayon's pool, or as many as [`Solver::threads`] says. It uses one thread if more would
//! be slower:
//!
//! * One thread solves a game of 65,536 states or fewer. It is done before other threads could start.
//! * In some games, more than one in eight backward moves leads far away in the numbering. One thread solves such a game
//!   of up to a million states. Its bytes fit in the cache of one thread, and updates between threads would cost more
//!   than they save.
//! * One thread settles a level of few states. So a game with many small levels gains little from threads. The
//!   bit-parallel engine uses several threads only if the frontier has at least 256 words (of 64 states) for each thread.
//! * [`play::reachable`] and [`play::line`] follow moves on one thread.
//!
//! # Determinism
//!
//! The same game gives the same solution, bit for bit, on every machine, with any number of threads, and with either
//! engine. Its table has the same bytes, too. [`audit()`] and [`verify()`] name the first state at fault, whichever
//! thread finds it.
//!
//! # To keep a solution
//!
//! A [`Solution`] is in memory. The crate `retrograde-table` writes it to a file with checksums, called a table. A
//! solution and a table both implement [`Probe`], so you can use a table like a solution. [`Solver::at_level_end`] gives
//! a [`Snapshot`], and [`Solver::resume`] continues from it.
#![deny(unsafe_code)]

pub mod adapters;
pub mod checks;
mod checksum;
mod counted;
mod in_order;
mod memory;
pub mod parts;
pub mod play;
mod random;
mod reachable;
mod residence;
mod rules;
mod scalar;
mod solve;
mod threads;
mod words;

/// Games that handle 64 states at a time. Solutions that keep their distances in a log.
pub mod bit_parallel {
    pub use crate::checks::verify_words::recover_words;
    pub use crate::residence::share::{Settled, Share, WordExchange};
    pub use crate::residence::store::{LOG_BLOCK_BYTES, LogStore};
    pub use crate::residence::window_plan::WindowPlan;
    pub use crate::rules::{
        BitParallel, ByWords, Key, Keys, Singles, WordKeys, WordStatus, WordsVisitor,
    };
    pub use crate::solve::error::LogError;
    pub use crate::words::solution::WordSolution;
}

/// For the other crates of this project. It may change with each version.
#[doc(hidden)]
pub mod internal {
    pub use crate::adapters::orbits::count_images;
    pub use crate::random::SplitMix64;
    pub use crate::solve::checksummed::{ChecksummedReader, ChecksummedWriter};
    pub use crate::solve::histogram::ByLevel;
    pub use crate::solve::solver::Thresholds;

    /// See the file `checksum.rs`.
    pub mod checksum {
        pub use crate::checksum::*;
    }

    /// See the files `threads.rs` and `in_order.rs`.
    pub mod threads {
        pub use crate::in_order::*;
        pub use crate::threads::*;
    }
}

pub use checks::audit::audit;
pub use checks::verify::verify;
pub use counted::{counted, grouped};
pub use rules::{Code, Flow, Game, Outcome, Predecessors, Prefetch, Probe, Status, Value};
pub use solve::error::{Progress, SolveError};
pub use solve::histogram::{Histogram, Level};
pub use solve::snapshot::Snapshot;
pub use solve::solution::{Counts, Solution};
pub use solve::solver::{Solvable, Solver, solve};
pub use threads::on_this_thread;
