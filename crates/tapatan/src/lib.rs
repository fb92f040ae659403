//! Tapatan of the Philippines, as a family of regions: a model for a family of one's own.
//!
//! Nine points lie three by three, joined along rows, columns and both diagonals. Two players put three men each on the points in turn,
//! then move one a step along a line. Who makes three in a row wins; play that repeats itself is a draw. The same game is called achi
//! in Ghana; `retrograde-games` solves it in one piece.
//!
//! A region is how many men have been placed, `p0` to `p5`, and `m` once all are. No man is ever taken, so each region needs the next one
//! alone. Both colours move alike, so a state says which men the side to move has, and `m` has no state for each colour.
#![forbid(unsafe_code)]

mod board;
mod family;
mod game;
mod positions;

pub use board::{Move, Position};
pub use family::{Tapatan, Tier};
pub use game::{Placing, STATES};
