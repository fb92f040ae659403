//! Cells and boards as text for people: `r,c` for a cell, letters for a position.

use super::{Board, Cell};

impl Board {
    /// The name of a cell: its row and column, from `0,0` at the top left.
    pub fn cell_text(&self, cell: u32) -> String {
        format!("{},{}", cell / self.columns, cell % self.columns)
    }

    /// The cell with that name. The error says why no player can stand there.
    pub fn cell_named(&self, text: &str) -> Result<u32, String> {
        let (row, column) = text
            .split_once(',')
            .and_then(|(row, column)| Some((row.parse::<u32>().ok()?, column.parse::<u32>().ok()?)))
            .ok_or_else(|| {
                format!("{text:?} is not a cell: write row,column, from 0,0 at the top left")
            })?;
        if row >= self.rows() || column >= self.columns {
            let (rows, columns) = (self.rows(), self.columns);
            return Err(format!(
                "the cell {text} is off the board, which has {rows} rows and {columns} columns"
            ));
        }
        let cell = row * self.columns + column;
        if self.cells[cell as usize] == Cell::Wall {
            return Err(format!("the cell {text} is a wall: name a free cell or an exit"));
        }
        Ok(cell)
    }

    /// The board with the players on it. `P` is a policeman; if several share a cell, their number stands
    /// there (`#` from ten). `T` is the thief, and `X` the caught thief. Ends without a line break.
    pub fn picture(&self, police: &[u32], thief: Option<u32>) -> String {
        let columns = self.columns as usize;
        let mut lines = vec![b'\n'; self.cells.len() + self.cells.len() / columns];
        let at = |cell: u32| cell as usize + cell as usize / columns;
        for (cell, made_of) in (0..).zip(&self.cells) {
            lines[at(cell)] = match made_of {
                Cell::Wall => b'*',
                Cell::Floor => b'.',
                Cell::Exit => b'E',
            };
        }
        for &cell in police {
            let letter = &mut lines[at(cell)];
            *letter = match *letter {
                b'P' => b'2',
                b'2'..=b'8' => *letter + 1,
                b'9' | b'#' => b'#',
                _ => b'P',
            };
        }
        if let Some(cell) = thief {
            lines[at(cell)] = if police.contains(&cell) { b'X' } else { b'T' };
        }
        lines.pop();
        lines.into_iter().map(char::from).collect()
    }
}
