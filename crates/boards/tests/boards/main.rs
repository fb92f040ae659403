//! The numberings against slow twins, and the examples.

mod cells;
mod examples;
mod numberings;
