//! Bits, big pages and cache lines: how memory is taken and asked for.

pub(crate) mod bits;
pub(crate) mod pages;
pub(crate) mod prefetch;
