//! Files of blocks that are checked each on its own, and that appear whole or not at all.
#![deny(unsafe_code)]

mod bytes;
mod compression;
pub mod container;
mod draft;
mod error;
mod map;

pub use bytes::Access;
pub use compression::Compression;
pub use draft::Draft;
pub use error::{Part, TableError, WriteError};
