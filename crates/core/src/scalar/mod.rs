//! State by state: the engine for every game that can walk backwards.

mod ahead;
mod cell;
mod engine;
mod frontier;
mod kept;
mod marks;
mod outbox;
mod part;
mod seed;
mod storage;
mod sweep;
