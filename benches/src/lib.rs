//! What the engine is measured against, and with: the textbook program, graphs without locality, and the means to
//! run whole processes in turn. The criterion benches stand beside this directory.
#![forbid(unsafe_code)]

pub mod boards;
pub mod cubes;
pub mod measure;
pub mod pursuit;
pub mod random;
pub mod textbook;
