//! Sets at a time: the engine for games whose states lie 64 to a word.
//!
//! Where neighbouring states share their moves, a whole word of them is settled by a few shifts and masks,
//! with no counters at all: a state wins that has a move into a lost one, and it loses once all its
//! moves lead to won ones. This engine knows words and masks and no game, and comes to the same values and
//! distances as the scalar one.

mod checks;
mod distances;
mod engine;
mod inbox;
mod kept;
mod known;
mod level;
pub(crate) mod log;
pub(crate) mod logged;
mod marks;
mod planes;
mod shard;
