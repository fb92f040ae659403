//! Solves two-player games on graphs with cycles. For every state the solver finds whether the player to move
//! wins, loses or draws, and in how many moves.
//!
//! You write the rules: forward and backward moves between numbered states. The engine begins at the states
//! whose value the rules decide, and works backwards. It never stores the graph.
//!
//! Here is a game of your own. Two players take one, two or three stones from a heap. A player who cannot move
//! loses:
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
//! # Where to look
//!
//! * A board game? [`Numbered`](adapters::Numbered) makes a game of [`Rules`](adapters::Rules) that speak of positions.
//! * No predecessors? [`Explicit`](adapters::Explicit) stores them for you.
//! * A big game in pieces? Moves into a piece that is already solved are exits: see [`Game::exits`].
//! * Only the states that play can reach? [`play::reachable`] counts them, [`Within`](adapters::Within) solves them.
//! * Symmetry? Use [`Folded`](adapters::Folded) if your numbering has one state for each orbit, and
//!   [`Quotient`](adapters::Quotient) if it has all states.
//! * A player who cannot move wins? [`Misere`](adapters::Misere).
//! * Threads, limits, progress: [`Solver`].
//! * Neighbouring states that share their moves, 64 at a time: [`bit_parallel`].
//! * An engine or a transport of your own: [`parts`].
//! * Best moves: [`play::moves`] and [`play::line`].
//! * Checks: [`audit()`] checks your rules, and [`verify()`] checks a solution.
//!
//! # Costs
//!
//! **Time.** A solve takes time linear in states and moves. The solver asks each state for its status and counts its moves once.
//! If a state is won or lost, the solver asks once for its predecessors.
//! Draws are never propagated. A small game settles about ten million
//! states a second on one thread. A game larger than the caches of the processor waits for memory: see
//! [`Predecessors::prefetch`].
//!
//! **Memory.** The numbering decides it: invalid numbers cost as much as states.
//!
//! | engine | a state takes | more |
//! | --- | --- | --- |
//! | scalar, `solve(&game)` | 1.13 bytes | 1 byte once the longest distance passes about 200, and again at about 50,000 |
//! | bit-parallel, [`ByWords`](bit_parallel::ByWords) | 2 or 3 bits | a log of distances: about 1.1 bytes for each state that wins or loses |
//! | bit-parallel without distances | 2 or 3 bits | nothing |
//! | [`Explicit`](adapters::Explicit) | the above | 1 to 5 bytes a move: see [`Explicit::memory_needed`](adapters::Explicit::memory_needed) |
//!
//! [`Solver::memory_needed`] says how much memory your game needs, and [`Solver::memory_max`] sets a limit.
//!
//! **When bit-parallel pays.** It pays where 64 neighbouring numbers share their moves, so that a shift or a mask moves all of them.
//! For example, the lowest digit of your number may be the place of one stone, and the higher digits the other stones.
//! The bit-parallel engine solves such games two to four times as fast. If the rules must look at each state by itself,
//! the scalar engine is faster.
//!
//! # Threads
//!
//! A solve uses all threads of rayon's pool, or as many as [`Solver::threads`] says. It works on one thread where more would be slower:
//!
//! * One thread solves a game of 65,536 states or fewer before other threads could start.
//! * A game of up to a million states is solved by one thread if more than one in eight backward moves leads far away in the numbering. Its
//!   bytes fit in the cache of one thread, and updates between threads cost more than they save.
//! * A level of few states is not shared. So a game with long, narrow levels gains little from threads. The
//!   bit-parallel engine wakes a thread for 256 words of the frontier.
//! * [`play::reachable`] and [`play::line`] follow moves on one thread.
//!
//! # Determinism
//!
//! The same game gives the same solution, to the bit, on every machine, with any number of threads, and with either
//! engine. The same holds for tables.
//! [`audit()`] and [`verify()`] name the first state at fault, whichever thread finds it.
//!
//! # To keep a solution
//!
//! A [`Solution`] lies in memory. The crate `retrograde-table` writes it to a file with checksums, and a table answers as a solution
//! does, since both are a [`Probe`]. [`Solver::at_level_end`] gives a [`Snapshot`], and [`Solver::resume`] continues
//! from it.
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
pub use rules::{Code, Game, Outcome, Predecessors, Prefetch, Probe, Status, Value};
pub use solve::histogram::{Histogram, Level};
pub use solve::snapshot::Snapshot;
pub use solve::solution::{Counts, Solution};
pub use solve::solver::{Progress, Solvable, SolveError, Solver, solve};
