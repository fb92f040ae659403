//! State by state: the engine for every game that can walk backwards.

mod cell;
mod engine;
mod frontier;
mod kept;
mod marks;
mod outbox;
mod part;
mod prefetcher;
mod run;
mod seed;
mod storage;
mod sweep;

pub(crate) use cell::Scale;
pub use outbox::Outboxes;
pub use run::Part;
pub(crate) use seed::degree_max;
pub(crate) use storage::Storage;
pub use sweep::Mail;
