//! Games on a grid of cells. A stage says where all men stand. The program draws it, colours it by value, and
//! moves men by keys.

use crate::Cell;

/// A man on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// The index of his player in [`sides`](crate::Show::sides).
    pub side: usize,
    /// His cell.
    pub cell: u32,
    /// His letter.
    pub letter: char,
}

/// The board of a game. Cells are numbered row by row from 0 at the top left.
pub trait Stage {
    /// How many rows; at least one.
    fn rows(&self) -> u32;

    /// How many columns; at least one.
    fn columns(&self) -> u32;

    /// The kind of a cell.
    fn cell(&self, cell: u32) -> Cell;

    /// The men of a valid state, always in the same order.
    fn men(&self, state: u64) -> Vec<Man>;

    /// The state with one of its [`men`](Stage::men) on another cell; `None` if he cannot stand there.
    fn with(&self, state: u64, man: usize, cell: u32) -> Option<u64>;
}
