//! What the commands say of chess endgames. One file for each command.

mod line;
mod list;
mod probe;
mod stats;
mod summary;
mod verify;

pub(crate) use stats::sides as placements;
pub(crate) use summary::write_placements;
