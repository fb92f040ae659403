//! What a command found, as text and as JSON.

pub(crate) mod region;
pub(crate) mod summary;
pub(crate) mod verdict;
