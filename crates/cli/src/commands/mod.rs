//! The commands, a file each: each reads its arguments, asks, and prints a report.

pub(crate) mod audit;
pub(crate) mod board;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod examples;
pub(crate) mod info;
pub(crate) mod line;
pub(crate) mod list;
#[cfg(feature = "man")]
pub(crate) mod man;
pub(crate) mod picture;
pub(crate) mod probe;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod verify;
