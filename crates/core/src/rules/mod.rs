//! The rules of a game and the values of its states. All other modules use these types.

mod any;
mod forward;
mod game;
mod probe;
mod value;
mod words;

pub use any::AnyRules;
pub(crate) use game::Sealed;
pub use game::{Flow, Game, Predecessors, Prefetch, Status};
pub use probe::Probe;
pub use value::{Code, Outcome, Value};
pub use words::{BitParallel, ByWords, Key, Keys, Singles, WordKeys, WordStatus, WordsVisitor};
