//! The commands, one file each. A command reads its arguments, asks for values, and prints a report.

mod audit;
pub(crate) mod board;
pub(crate) mod build;
pub(crate) mod certificate;
mod checksums;

pub(crate) mod completions;
pub(crate) mod examples;
mod full;
pub(crate) mod games;
pub(crate) mod info;
pub(crate) mod line;
pub(crate) mod list;
#[cfg(feature = "man")]
pub(crate) mod man;

pub(crate) mod picture;
pub(crate) mod play;
pub(crate) mod probe;
mod published;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod solve;
mod start;
pub(crate) mod uci;
pub(crate) mod verify;
