//! The bit-parallel engine, for games that handle 64 states at a time. A *word* is a block of 64 states.
//!
//! If one shift or mask computes the moves of neighbouring states, a few of them settle a whole word, without
//! counters. A state wins if it has a move into a lost state. It loses once all its moves lead to won states.
//! The engine gives the same values and distances as the scalar engine.

mod arrays;
mod distances;
mod engine;
mod inbox;
mod kept;
mod known;
mod level;
pub(crate) mod log;
pub(crate) mod logged;
mod nearby;
mod own;
mod planes;
pub(crate) mod share;
mod snapshot;
mod sparse;
mod stored;
mod window;
pub(crate) mod window_plan;
