//! Solves on disk: agreement with the naive solver, damage, and power cuts.

mod differential;
mod power;
