//! The order of cells inside an index: strips of a few rows, each column by column.
//!
//! Sixty-four cells in this order are a patch about as high as wide, and yet, unlike with tiles,
//! there is no padding between columns, and a step in any direction is a shift by a constant almost everywhere.

/// An order of the cells of a board.
#[derive(Clone, Debug)]
pub(crate) struct Strips {
    rows: u32,
    columns: u32,
    /// How many rows a strip has.
    height: u32,
}

impl Strips {
    /// The most rows a strip has.
    pub(crate) const HEIGHT_MAX: u32 = 12;

    /// Strips about eight high that waste the fewest rows below the board.
    pub(crate) fn new(rows: u32, columns: u32) -> Strips {
        let height = (6..=Self::HEIGHT_MAX)
            .min_by_key(|&height| (rows.next_multiple_of(height), height.abs_diff(8)))
            .expect("there are heights to choose from")
            .min(rows);
        Strips { rows, columns, height }
    }

    /// How many rows a strip has.
    pub(crate) fn height(&self) -> u32 {
        self.height
    }

    /// How many places there are, those below the board included.
    pub(crate) fn places(&self) -> u64 {
        u64::from(self.rows.next_multiple_of(self.height)) * u64::from(self.columns)
    }

    /// The place of a cell.
    pub(crate) fn place(&self, cell: u32) -> u32 {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let strip = row / self.height;
        (strip * self.columns + column) * self.height + row % self.height
    }

    /// The cell at a place, if there is one.
    pub(crate) fn cell(&self, place: u32) -> Option<u32> {
        let (line, row_in_strip) = (place / self.height, place % self.height);
        let (strip, column) = (line / self.columns, line % self.columns);
        let row = strip * self.height + row_in_strip;
        (row < self.rows).then(|| row * self.columns + column)
    }
}
