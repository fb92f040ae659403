//! The course of a solve, whatever the engine: its choices, what it keeps, what it leaves.

pub(crate) mod by_level;
pub(crate) mod checksummed;
pub(crate) mod course;
mod entries;
pub(crate) mod histogram;
pub(crate) mod pending;
pub(crate) mod snapshot;
pub(crate) mod solution;
pub(crate) mod solver;
pub(crate) mod thresholds;
