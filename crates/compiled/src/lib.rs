//! Games behind a table of functions, with the engines compiled for each.
//!
//! Where moves are made, rules and engine must compile into one loop: an engine is compiled for each game, which
//! takes long and makes much code. So that happens once for each game, where it is put behind [`Playable`]: whoever asks,
//! lists, draws or reports compiles once for all games, and not again when a game changes. The games on boards are
//! compiled in this crate, so that two processors have something to do at once.
#![forbid(unsafe_code)]

mod compiled;
mod games;
mod playable;
mod stuck;
mod values;

pub use compiled::Compiled;
pub use playable::{Banded, Engine, Playable, Remark, Rules};
pub use stuck::Stuck;
pub use values::{Known, Values, ValuesOf};
