//! Chess endgames: tables of regions built into a folder, and questions to such a folder.
//!
//! One file for each thing to do with a folder.

pub(crate) mod build;
pub(crate) mod line;
pub(crate) mod probe;
pub(crate) mod stats;
pub(crate) mod verify;
mod watch;

use std::path::Path;

use retrograde_chess::{Position, Tablebase};

use crate::failure::Failure;

/// Whether a path is a folder of endgame tables.
pub(crate) fn is_folder(path: &Path) -> bool {
    Tablebase::is_at(path)
}

/// Opens a folder.
fn open(path: &Path) -> Result<Tablebase, Failure> {
    Tablebase::open(path).map_err(input)
}

/// Reads a FEN.
fn position(text: &str) -> Result<Position, Failure> {
    text.parse().map_err(|error| Failure::Input(format!("FEN `{text}`: {error}")))
}

/// A table at fault; the message says how to make it again.
fn input(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}
