//! Builds the tables of a family: the plan, the order, what other builders do, and the solve of each region.

mod build_error;
mod builder;
mod copies;
mod logged;
mod order;
mod others;
mod plan;
mod repack;
mod running;
mod schedule;
mod setup;
mod solvable;
mod work;

pub use build_error::BuildError;
pub use builder::Builder;
pub use plan::{MemoryMost, Plan, Planned, Rates};
pub use setup::{Event, Tell};
pub use solvable::{SolvableRegion, SolvableRegions};
