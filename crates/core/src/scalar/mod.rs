//! The scalar engine: for every game with backward moves.

mod cell;
mod engine;
mod frontier;
mod outbox;
mod parallel;
mod part;
mod rules;
mod run;
mod seed;
mod snapshot;
mod storage;
mod sweep;

pub(crate) use cell::Scale;
pub use outbox::Outboxes;
pub use run::Part;
pub(crate) use seed::{degree_max, seed_part};
pub(crate) use storage::Storage;
pub use sweep::UpdateSink;
