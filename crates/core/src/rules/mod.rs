//! The rules of a game and the values of its states. All other modules use these types.

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
