//! The rivals and tools of the benchmarks: the textbook program, graphs without locality, and whole processes
//! in turn. The criterion benches are beside this folder.
#![forbid(unsafe_code)]

pub mod boards;
pub mod by_state;
pub mod cubes;
pub mod measure;
pub mod plot;
pub mod pursuit;
pub mod random;
pub mod records;
pub mod textbook;
