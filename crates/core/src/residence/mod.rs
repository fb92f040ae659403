//! Where the data of a bit-parallel solve is, if it is not all in the memory of one process: a store beside memory, a window
//! of the bits in memory, and other processes.

mod lists;
mod nearby;
mod own;
pub(crate) mod share;
pub(crate) mod solve;
pub(crate) mod store;
mod stored;
mod stored_log;
mod stored_shards;
mod window;
mod window_bits;
pub(crate) mod window_plan;
