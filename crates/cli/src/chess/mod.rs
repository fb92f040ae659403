//! Chess endgames: tables of regions built into a folder, and questions to such a folder.
//!
//! One file for each thing to do with a folder.

mod endgames;
mod line;
mod list;
mod probe;
mod stats;
mod summary;
mod verify;

use retrograde_chess::Position;

use crate::failure::{Failure, input};

pub(crate) use endgames::{Endgames, GAME, endgames};
pub(crate) use line::write_wrapped;
pub(crate) use probe::name;
pub(crate) use stats::sides as placements;
pub(crate) use summary::write_placements;

/// Reads a FEN.
pub(crate) fn position(text: &str) -> Result<Position, Failure> {
    text.parse().map_err(|error| Failure::Input(format!("FEN `{text}`: {error}")))
}
