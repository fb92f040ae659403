//! The terminal and the process: progress, signals, output, failures, and numbers as text.

pub(crate) mod colour;
pub(crate) mod failure;
pub(crate) mod file;
pub(crate) mod number;
pub(crate) mod outlet;
pub(crate) mod programs;
pub(crate) mod progress;
pub(crate) mod quiet;
pub(crate) mod stop;
