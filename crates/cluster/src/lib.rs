//! One solve on several ranks, on one machine or many. A *rank* is one process of the solve.
//!
//! The loop over levels, the cells, the sweep and the games are those of [`retrograde`]; see [`retrograde::parts`].
//! [`solve`] solves a job as one of the ranks, and writes its table with the others.
//!
//! It uses the other items. [`BlockPartition`] partitions the states of a game among ranks, in blocks. A [`Shard`] is the
//! parts of one rank. [`Supersteps`] exchanges a limited number of bytes at a time with the other ranks, over any
//! [`Transport`]. [`SharedWords`] does the same as a [`Shard`] for the bit-parallel engine: it sends the words that have
//! changed.
//!
//! [`BetweenThreads`] is a transport within one process. The program `retrograde-mpi` has one for MPI.
#![forbid(unsafe_code)]

mod block_partition;
mod engine;
mod game;
mod gather;
mod hear;
mod keep;
mod level_sums;
mod plan;
mod region;
mod repartition;
mod request;
mod share;
mod shared_words;
mod solve;
mod threads;
mod tile_values;
mod together;
mod transport;
mod write;

use retrograde_catalog::Job;

pub use block_partition::BlockPartition;
pub use engine::{Bounds, OwnValues, Plan, Shard, ShardValues};
pub use hear::Hear;
pub use plan::plan;
pub use repartition::Repartitioned;
pub use shared_words::SharedWords;
pub use solve::solve;
pub use threads::BetweenThreads;
pub use together::{Together, Work};
pub use transport::{Supersteps, Transport};

/// Removes the checkpoint of a solve whose table is written, if it was killed before it could.
pub fn clear(job: &Job) -> Result<(), String> {
    job.checkpoint.as_ref().map_or(Ok(()), |kept| keep::clear(kept, solve::identity(job)))
}
