//! One solve on several processes, on one machine or many.
//!
//! The loop over levels, the cells, the sweep and the games are those of [`retrograde`]; see [`retrograde::parts`].
//! This crate adds four things. [`BlockPartition`] partitions the states of a game among processes, in blocks. A
//! [`Shard`] is the parts of one process. [`Supersteps`] sends updates for states of other processes, a limited number
//! at a time, over any [`Transport`]; [`TimelyTransport`] uses the network of `timely`. On a connection, a [`Channel`]
//! sends bytes in numbered packets with checksums. [`SharedWords`] does the same as a [`Shard`] for the bit-parallel
//! engine: it sends the words that have changed.
//!
//! The program `retrograde-cluster` uses this crate. `retrograde solve --processes` starts it.
#![forbid(unsafe_code)]

mod block_partition;
mod engine;
mod level_sums;
mod packet;
mod repartition;
mod shared_words;
mod timely_transport;
mod transport;

pub use block_partition::BlockPartition;
pub use engine::{Bounds, OwnValues, Plan, Shard, ShardValues};
pub use level_sums::Piggyback;
pub use packet::{Channel, Damaged, PAYLOAD_MAX};
pub use repartition::Repartitioned;
pub use shared_words::SharedWords;
pub use timely_transport::TimelyTransport;
pub use transport::{Body, Message, Supersteps, Transport};
