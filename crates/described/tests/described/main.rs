//! Tests of described games: each against the interpreter of the testkit, which shares no code with the compiler.

mod errors;
mod examples;
mod gallery;
mod judged;
mod known;
mod random;
mod report;
