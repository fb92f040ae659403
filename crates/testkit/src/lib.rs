//! The judges of the engines: the naive solver, the laws of a right solution, and games to test with.
//!
//! Use it as a dev-dependency only.
#![forbid(unsafe_code)]

pub mod broken;
pub mod bytes;
mod drive;
mod hashed;
pub mod laws;
pub mod levels;
pub mod long;
mod memory;
pub mod naive;
pub mod needs;
pub mod peak;
mod plain;
pub mod random;
mod random_text;
mod rng;
mod signal;
mod spread;
pub mod symmetric;
mod terminal;

pub use drive::{Drive, Fault};
pub use hashed::Hashed;
pub use memory::in_memory;
pub use plain::Plain;
pub use random_text::{random_text, random_text_of_lone_man};
pub use rng::{Rng, cases, deep, judged, seed};
pub use signal::signal;
pub use spread::Spread;
pub use terminal::Terminal;

/// The README's game failed with E0277 when a reader pasted it into a crate. It is run as it stands.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
