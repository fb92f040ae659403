//! The order of the places of the inside player. Each word is a tile of eight rows and eight columns.
//!
//! States that settle at one level lie close together on the board. So they lie in few words if a word covers
//! a square of the board. A step within a tile, or to a neighbouring tile, shifts the word by a constant.

/// An order of the cells of a board.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    rows: u32,
    columns: u32,
}

/// How many rows and columns a tile has.
const SIDE: u32 = 8;

impl Tiles {
    /// The tiles of a board. They may extend beyond it at the bottom and at the right.
    pub(crate) fn new(rows: u32, columns: u32) -> Tiles {
        Tiles { rows, columns }
    }

    /// How many tiles a row of tiles has.
    pub(crate) fn across(&self) -> u32 {
        self.columns.div_ceil(SIDE)
    }

    /// How many rows of tiles there are.
    pub(crate) fn down(&self) -> u32 {
        self.rows.div_ceil(SIDE)
    }

    /// How many places there are, including those off the board.
    pub(crate) fn places(&self) -> u64 {
        u64::from(self.across()) * u64::from(self.down()) * u64::from(SIDE * SIDE)
    }

    /// The place of a cell.
    pub(crate) fn place(&self, cell: u32) -> u32 {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let tile = row / SIDE * self.across() + column / SIDE;
        (tile * SIDE + row % SIDE) * SIDE + column % SIDE
    }

    /// The cell of a place, if it is on the board.
    pub(crate) fn cell(&self, place: u32) -> Option<u32> {
        let (tile, inside) = (place / (SIDE * SIDE), place % (SIDE * SIDE));
        let row = tile / self.across() * SIDE + inside / SIDE;
        let column = tile % self.across() * SIDE + inside % SIDE;
        (row < self.rows && column < self.columns).then(|| row * self.columns + column)
    }
}
