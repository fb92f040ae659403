//! Tables: what they answer, what a writer leaves, what damage does, and the golden files of every version.

mod answers;
mod common;
mod container;
mod damage;
mod exits;
mod golden;
#[cfg(target_os = "linux")]
mod memory;
mod terminals;
mod whole;
