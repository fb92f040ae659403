//! What people see of a game, as data: positions, moves and boards.
//!
//! The solver knows only *states*: numbers in a region. A [`Positions`] connects them with positions. It reads and writes
//! positions, and lists the [moves](Move) of each. For a program that draws, it gives a [`Board`]: points with places in the
//! plane, the lines between them, and the men. So one program plays, draws and serves every game. No program reads a
//! drawing to find out what a move does.
#![forbid(unsafe_code)]

mod any;
mod arguments;
mod board;
mod check;
mod moves;
mod positions;
mod spec;

pub use any::{AnyPosition, AnyPositions, AnyStates};
pub use arguments::{Argument, Arguments, Kind, Parameter, whole_number};
pub use board::{Board, Ground, Hand, Man, POINTS_MAX, Point};
pub use check::check_position;
pub use moves::{End, Move};
pub use positions::Positions;
pub use spec::{FileSpec, Spec};
