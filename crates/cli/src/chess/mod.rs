//! Chess endgames: tables of regions built into a folder, and questions to such a folder.
//!
//! One file for each thing to do with a folder.

pub(crate) mod build;
mod folder;
pub(crate) mod line;
pub(crate) mod probe;
pub(crate) mod stats;
pub(crate) mod verify;
mod watch;

pub(crate) use folder::is_folder;
