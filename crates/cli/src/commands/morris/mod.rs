//! What the commands say of morris.

mod asked;
mod line;
mod whole;

pub(crate) use whole::{sides, write_positions};
