//! The parts of a solve that all engines share: options, the loop, snapshots, solutions.

pub(crate) mod checksummed;
pub(crate) mod course;
pub(crate) mod entries;
pub(crate) mod error;
pub(crate) mod histogram;
pub(crate) mod numbers;
pub(crate) mod pending;
mod renumbered;
pub(crate) mod snapshot;
pub(crate) mod solution;
pub(crate) mod solver;
