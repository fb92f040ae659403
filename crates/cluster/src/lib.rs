//! One solve on several processes, on one machine or many.
//!
//! The loop over levels, the cells, the sweep and the games are those of [`retrograde`]; see [`retrograde::parts`]. What is
//! new: the states of a game are partitioned to processes in blocks ([`BlockPartition`]), each process holds its parts ([`Shard`]),
//! and what visits states of others is sent in supersteps of bounded size ([`Supersteps`]) over the network of `timely`
//! ([`TimelyTransport`]), or whatever else carries messages ([`Transport`]). On a connection bytes go in numbered packets with checksums
//! ([`Channel`]).
//!
//! The program `retrograde-cluster` uses this crate. `retrograde solve --processes` starts it.
#![forbid(unsafe_code)]

mod block_partition;
mod engine;
mod packet;
mod repartition;
mod timely_transport;
mod transport;

pub use block_partition::{BlockPartition, Renumbered};
pub use engine::{Bounds, Piggyback, Plan, Shard};
pub use packet::{Channel, Damaged, PAYLOAD_MAX};
pub use repartition::Repartitioned;
pub use timely_transport::TimelyTransport;
pub use transport::{Body, Message, Supersteps, Transport};
