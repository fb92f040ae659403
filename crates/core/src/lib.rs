//! Solves two-player games on graphs with cycles: for every state who wins, who loses, what is
//! drawn, and in how many moves.
//!
//! You write the rules, as moves forwards and backwards between numbered states; the engine begins at what the
//! rules decide and works backwards. The graph is never stored. A game of your own, where two
//! players take one, two or three stones from a heap and who cannot move loses:
//!
//! ```
//! use retrograde::{Game, Retrograde, Status, Value};
//!
//! struct Stones(u64);
//!
//! impl Game for Stones {
//!     fn states(&self) -> u64 {
//!         self.0 + 1
//!     }
//!     fn status(&self, _: u64, _: impl FnMut(Value)) -> Status {
//!         Status::Open
//!     }
//!     fn successors(&self, stones: u64, visit: impl FnMut(u64)) {
//!         (1..=3.min(stones)).map(|take| stones - take).for_each(visit);
//!     }
//! }
//!
//! impl Retrograde for Stones {
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
//! # Ok::<(), retrograde::AuditError>(())
//! ```
//!
//! * No un-moves? [`Explicit`] stores them for you.
//! * A big game in pieces? Moves into what is already solved are exits: see [`Game::status`].
//! * Only what play can reach, to be counted or solved alone: [`reachable()`] and [`Within`].
//! * Symmetry: [`Folded`] where the numbering has one state an orbit, [`Quotient`] where it has all. Who cannot
//!   move wins: [`Misere`]. Threads, limits, progress: [`Solver`].
//! * Neighbouring states that share their moves, 64 at a time: [`Words`] and [`ByWords`].
//! * An engine or a transport of your own: [`parts`].
//! * What to play: [`moves`] and [`line()`]. Is it right: [`audit()`] for rules, [`verify()`] for answers.
#![deny(unsafe_code)]

mod adapters;
mod checks;
mod memory;
pub mod parts;
mod play;
mod reachable;
mod rules;
mod scalar;
mod solve;
mod threads;
mod words;

pub use adapters::explicit::{Edges, Explicit};
pub use adapters::folded::{Folded, Symmetric};
pub use adapters::misere::Misere;
pub use adapters::quotient::Quotient;
pub use checks::audit::{AuditError, Auditable, Audited, audit};
pub use checks::auditor::Auditor;
pub use checks::verify::{Verifiable, Verified, Verifier, VerifyError, verify};
pub use play::{Line, LineEnd, Move, PlayError, line, moves};
pub use reachable::{Reachable, Within, reachable};
pub use rules::{
    ByWords, Game, Key, Keys, Outcome, Probe, Retrograde, Scouts, Short, Singles, Status, Value,
    WordKeys, WordStatus, Words,
};
pub use solve::histogram::{Histogram, Level};
pub use solve::snapshot::Snapshot;
pub use solve::solution::{Counts, Solution};
pub use solve::solver::{Progress, Solvable, SolveError, Solver, solve};
#[doc(hidden)]
pub use solve::thresholds::Thresholds;
pub use words::log::{LOG_BLOCK_BYTES, LogError, LogStore};
pub use words::logged::LoggedSolution;
