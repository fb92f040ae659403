//! `retrograde._engine`: the Rust part of the Python package `retrograde`. It only knows numbers and arrays. The
//! package `python/retrograde` adds names, defaults and documentation.
#![forbid(unsafe_code)]

mod chess;
mod codes;
mod failure;
mod held_game;
mod lists;
mod pool;
mod remote;
mod save;
mod scene;
mod solve;
mod solved_game;
mod stored;
mod tables;
mod watch;

#[pyo3::pymodule]
mod _engine {
    #[pymodule_export]
    use crate::chess::{Tablebase, build};
    #[pymodule_export]
    use crate::held_game::{HeldGame, open};
    #[pymodule_export]
    use crate::lists::Lists;
    #[pymodule_export]
    use crate::solve::{games, memory_limit, solve};
    #[pymodule_export]
    use crate::tables::TableFolder;
}
