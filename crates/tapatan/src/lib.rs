//! Tapatan, from the Philippines, as a family of regions. Copy this crate to write a family of your own.
//!
//! Nine points lie three by three, joined along rows, columns and both diagonals. Two players put three men each on the
//! points in turn. Then a move takes one man a step along a line. A player who makes three in a row wins. Endless play
//! is a draw. In Ghana the same game is called achi; `retrograde-games` solves it in one piece.
//!
//! A region is named by the number of placed men, `p0` to `p5`, and `m` once all are placed. No move takes a man, so
//! each region needs only the next one. Both colours move alike. So a state says which men the side to move has, and
//! `m` has no separate states for the colours.
#![forbid(unsafe_code)]

mod board;
mod family;
mod game;
mod positions;

pub use board::{Move, Position};
pub use family::{FAMILY, Tapatan, Tier};
pub use game::{Placing, STATES};
