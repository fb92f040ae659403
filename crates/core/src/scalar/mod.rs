//! State by state: the engine for every game that can walk backwards.

mod ahead;
mod cell;
mod frontier;
mod kept;
mod marks;
mod outbox;
mod part;
mod resume;
mod seed;
mod solve;
mod storage;
mod sweep;
