//! What the engine is measured against, and with: the textbook program, graphs without locality, and boards
//! from fixed seeds. The benches themselves stand beside this directory.
#![forbid(unsafe_code)]

pub mod pursuit;
pub mod random;
pub mod textbook;
