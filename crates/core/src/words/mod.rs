//! The bit-parallel engine, for games with 64 neighbouring states in a word.
//!
//! If neighbouring states share their moves, a few shifts and masks settle a whole word of them, without
//! counters. A state wins if it has a move into a lost state. It loses once all its moves lead to won states.
//! The engine knows words and masks, but no game. It gives the same values and distances as the scalar
//! engine.

mod distances;
mod engine;
mod inbox;
mod kept;
mod known;
mod level;
pub(crate) mod log;
pub(crate) mod logged;
mod planes;
