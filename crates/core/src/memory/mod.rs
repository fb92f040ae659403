//! Bits, huge pages and cache lines: how the engines allocate and prefetch memory.

pub(crate) mod bits;
pub(crate) mod pages;
pub(crate) mod prefetch;
