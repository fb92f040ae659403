//! Tests the witness on tables of this project: honest ones, and ones with a wrong value.

mod common;
mod damage;
mod headers;
mod honest;
mod morris;
mod mutants;
mod program;
mod remote;
mod sample;
mod texts;
