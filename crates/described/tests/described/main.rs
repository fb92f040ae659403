//! Tests of described games: each against the interpreter of the testkit, which shares no code with the compiler.

mod errors;
mod examples;
mod judged;
mod random;
mod report;
