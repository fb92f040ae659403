//! The bit-parallel engine, for games that handle 64 states at a time. A *word* is a block of 64 states.
//!
//! If one shift or mask computes the moves of neighbouring states, a few of them settle a whole word, without
//! counters. A state wins if it has a move into a lost state. It loses once all its moves lead to won states.
//! The engine gives the same values and distances as the scalar engine.

pub(crate) mod arrays;
pub(crate) mod blocks;
pub(crate) mod distances;
pub(crate) mod engine;
pub(crate) mod inbox;
pub(crate) mod known;
pub(crate) mod level;
pub(crate) mod log;
pub(crate) mod planes;
pub(crate) mod residence;
mod snapshot;
pub(crate) mod solution;
