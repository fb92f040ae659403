//! The grid of a pursuit: walls, free cells and exits, and where the players start. All games on such a grid
//! share this module: cells, neighbours, names and pictures.

mod draw;
mod random;
mod read;

/// A board of cells, numbered row by row from 0 at the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    columns: u32,
    cells: Vec<Cell>,
    /// In ascending order. At the start, a cell holds at most one player.
    police: Vec<u32>,
    thief: Option<u32>,
}

/// The three kinds of cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// No player can stand here.
    Wall,
    /// Players can stand here.
    Floor,
    /// Players can stand here, and the thief gets away.
    Exit,
}

/// Which of the cells around a cell are one step away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// All eight: the police.
    King,
    /// The four that share a side: the thief.
    Rook,
}

impl Board {
    /// Whether the beginning of a text looks like a board: after its size it has no other letters than a board has.
    pub(crate) fn is_like(text: &str) -> bool {
        let is_size = |line: &&str| line.trim().chars().all(|c| c.is_ascii_digit() || c == ' ');
        let mut rows = text.lines().skip_while(is_size).peekable();
        let is_row = |line: &str| line.trim().chars().all(|sign| "*.EPCT".contains(sign));
        rows.peek().is_some() && rows.all(is_row)
    }

    /// How many rows; at least one.
    pub fn rows(&self) -> u32 {
        (self.cells.len() / self.columns as usize) as u32
    }

    /// How many columns; at least one.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Every cell, row by row. There are fewer than 2³².
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cells where players can stand, in ascending order.
    pub fn floor(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.cells).filter(|&(_, &made_of)| made_of != Cell::Wall).map(|(cell, _)| cell)
    }

    /// Where the police start, in ascending order. Empty if the board does not say.
    pub fn police(&self) -> &[u32] {
        &self.police
    }

    /// Where the thief starts, if the board says.
    pub fn thief(&self) -> Option<u32> {
        self.thief
    }

    /// The cells one step away from `cell`, in ascending order, without `cell` itself.
    pub fn neighbours(&self, cell: u32, steps: Steps, mut visit: impl FnMut(u32)) {
        let (row, column) = (cell / self.columns, cell % self.columns);
        for r in row.saturating_sub(1)..=(row + 1).min(self.rows() - 1) {
            for c in column.saturating_sub(1)..=(column + 1).min(self.columns - 1) {
                let to = r * self.columns + c;
                let near = steps == Steps::King || r == row || c == column;
                if near && to != cell && self.cells[to as usize] != Cell::Wall {
                    visit(to);
                }
            }
        }
    }
}
