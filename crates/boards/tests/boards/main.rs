//! The numberings against slow twins, and the examples.

mod examples;
mod numberings;
