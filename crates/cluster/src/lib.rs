//! One solve on several processes, on one machine or many.
//!
//! The loop over levels, the cells, the sweep and the games are those of [`retrograde`]; see [`retrograde::parts`]. What is
//! new: the states of a game are dealt out to processes in blocks ([`Dealing`]), each process holds its parts ([`Shard`]),
//! and what visits states of others is sent in rounds of bounded size ([`Rounds`]) over the network of `timely`
//! ([`Carrier`]), or whatever else carries letters ([`Post`]). On a connection bytes go in numbered packets with checksums
//! ([`Channel`]).
//!
//! The program `retrograde-cluster`, which `retrograde solve --processes` hands over to, is made of it.
#![forbid(unsafe_code)]

mod carrier;
mod deal;
mod engine;
mod packet;
mod post;
mod redeal;

pub use carrier::Carrier;
pub use deal::{Dealing, Dealt};
pub use engine::{Aside, Bounds, Plan, Shard};
pub use packet::{Channel, Damaged, PAYLOAD_MAX};
pub use post::{Body, Letter, Post, Rounds};
pub use redeal::Redealt;
