//! The rules of a game and what is said of its states: what everybody else here works from.

mod forward;
mod game;
mod probe;
mod short;
mod value;
mod words;

pub use game::{Game, Predecessors, Prefetch, Status};
pub use probe::Probe;
pub use short::Short;
pub use value::{Outcome, Value};
pub use words::{BitParallel, ByWords, Key, Keys, Singles, WordKeys, WordStatus};
