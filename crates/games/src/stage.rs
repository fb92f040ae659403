//! Games on a grid of cells: where everybody stands, for whoever draws a board, colours it by value, or moves
//! about on it by keys.

use crate::Cell;

/// A man on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Which of [`movers`](crate::Show::movers) moves him.
    pub mover: usize,
    /// The cell he stands on.
    pub cell: u32,
    /// The letter that stands for him.
    pub letter: char,
}

/// The board of a game. Cells are numbered row by row from 0 at the top left.
pub trait Stage {
    /// How many rows; at least one.
    fn rows(&self) -> u32;

    /// How many columns; at least one.
    fn columns(&self) -> u32;

    /// What a cell is made of.
    fn cell(&self, cell: u32) -> Cell;

    /// Who stands where in a state that is not void, always in the same order.
    fn men(&self, state: u64) -> Vec<Man>;

    /// The state with one of its [`men`](Stage::men) on another cell; `None` where he cannot stand there.
    fn with(&self, state: u64, man: usize, cell: u32) -> Option<u64>;
}
