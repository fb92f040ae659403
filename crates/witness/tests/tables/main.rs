//! Tables as the house writes them, put before the witness: honest ones, and ones with a lie in them.

mod common;
mod damage;
mod headers;
mod honest;
mod mutants;
mod program;
