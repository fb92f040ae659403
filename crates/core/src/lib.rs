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
//! # Ok::<(), retrograde::Disagreement>(())
//! ```
//!
//! * No un-moves? [`Explicit`] stores them for you.
//! * A big game in pieces? Moves into what is already solved are exits: see [`Game::status`].
//! * Symmetry: [`Quotient`]. Who cannot move wins: [`Misere`]. Threads, limits, progress: [`Solver`].
//! * What to play: [`moves`] and [`line()`]. Is it right: [`audit()`] for rules, [`verify()`] for answers.
#![deny(unsafe_code)]

mod ahead;
mod arrays;
mod audit;
mod bits;
mod cell;
mod csr;
mod explicit;
mod fetch;
mod frontier;
mod game;
mod histogram;
mod key;
mod misere;
mod outbox;
mod pages;
mod play;
mod quotient;
mod resume;
mod seed;
mod snapshot;
mod solution;
mod solve;
mod solver;
mod sweep;
mod verify;
mod window;
mod words;

pub use audit::{Audited, Disagreement, audit};
pub use explicit::{Edges, Explicit};
pub use game::{Game, Outcome, Probe, Retrograde, Status, Value};
pub use histogram::{Histogram, Level};
pub use misere::Misere;
pub use play::{Line, LineEnd, Move, line, moves};
pub use quotient::Quotient;
pub use snapshot::Snapshot;
pub use solution::{Counts, Solution};
pub use solver::{Progress, SolveError, Solver, solve};
pub use verify::{Broken, Verified, Verifier, verify};
pub use words::{Keys, WordDisagreement, WordStatus, Words, audit_words};
