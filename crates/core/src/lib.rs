//! Solves two-player games on graphs with cycles.
#![forbid(unsafe_code)]

mod game;

pub use game::{Game, Outcome, Probe, Retrograde, Status, Value};
