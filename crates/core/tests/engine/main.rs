//! Tests of the engine through its public interface. They are one program, so that it links once.
#![forbid(unsafe_code)]

mod audits;
mod audits_rules;
mod differential;
mod enough;
mod large;
mod limits;
mod log;
mod long;
mod mancala;
mod memory;
mod parts;
mod play;
mod reachable;
mod resume;
mod shares;
mod threads;
mod verifies;
mod ways;
mod window;
