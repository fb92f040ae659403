//! Solves two-player games on graphs with cycles: for every state who wins, who loses, what is
//! drawn, and in how many moves.
//!
//! You write the rules, as moves forwards and backwards between numbered states; the engine begins at what the
//! rules decide and works backwards. The graph is never stored. A game of your own, where two
//! players take one, two or three stones from a heap and who cannot move loses:
//!
//! ```
//! use retrograde::{Game, Predecessors, Status, Value};
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
//!     fn successors(&self, stones: u64, visit: impl FnMut(u64)) {
//!         (1..=3.min(stones)).map(|take| stones - take).for_each(visit);
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
//! * A board game? [`Numbered`](adapters::Numbered) makes a game of [`Rules`](adapters::Rules) that speak of positions.
//! * No predecessors? [`Explicit`](adapters::Explicit) stores them for you.
//! * A big game in pieces? Moves into what is already solved are exits: see [`Game::exits`].
//! * Only what play can reach, to be counted or solved alone: [`play::reachable`] and [`Within`](adapters::Within).
//! * Symmetry: [`Folded`](adapters::Folded) where the numbering has one state an orbit, [`Quotient`](adapters::Quotient) where it has
//!   all. Who cannot move wins: [`Misere`](adapters::Misere). Threads, limits, progress: [`Solver`].
//! * Neighbouring states that share their moves, 64 at a time: [`bit_parallel`].
//! * An engine or a transport of your own: [`parts`].
//! * What to play: [`play::moves`] and [`play::line`]. Is it right: [`audit()`] for rules, [`verify()`] for answers.
#![deny(unsafe_code)]

pub mod adapters;
pub mod checks;
mod memory;
pub mod parts;
pub mod play;
mod reachable;
mod rules;
mod scalar;
mod solve;
mod threads;
mod words;

/// Games whose states lie 64 to a word, and solutions whose distances are a log.
pub mod bit_parallel {
    pub use crate::checks::verify_words::recover_words;
    pub use crate::rules::{BitParallel, ByWords, Key, Keys, Singles, WordKeys, WordStatus};
    pub use crate::words::log::{LOG_BLOCK_BYTES, LogError, LogStore};
    pub use crate::words::logged::LoggedSolution;
}

pub use checks::audit::audit;
pub use checks::verify::verify;
pub use rules::{Game, Outcome, Predecessors, Prefetch, Probe, Short, Status, Value};
pub use solve::histogram::{Histogram, Level};
pub use solve::snapshot::Snapshot;
pub use solve::solution::{Counts, Solution};
pub use solve::solver::{Progress, Solvable, SolveError, Solver, solve};
