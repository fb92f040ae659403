//! The results of commands, as text and as JSON.

pub(crate) mod board;
#[cfg(test)]
pub(crate) mod entries;
pub(crate) mod file;
pub(crate) mod format;
pub(crate) mod line;
pub(crate) mod lines;
pub(crate) mod list;
pub(crate) mod sides;
pub(crate) mod sound;
pub(crate) mod start;
pub(crate) mod stats;
pub(crate) mod summary;
pub(crate) mod verdict;
