//! The boards of pursuits, from their text: see docs/games.md.

/// A board of cells, numbered row by row from 0 at the top left.
pub(crate) struct Board {
    pub(crate) columns: u32,
    pub(crate) cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Wall,
    Floor,
    Exit,
}

/// The most cells of a board that is read.
const CELLS_MAX: usize = 1 << 24;

impl Board {
    /// Reads a board. Its size may stand before it.
    pub(crate) fn parse(text: &str) -> Option<Board> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        let mut rows: Vec<&str> = lines.collect();
        let said = match rows.first()?.starts_with(|first: char| first.is_ascii_digit()) {
            true => Some(rows.remove(0)),
            false => None,
        };
        let columns = rows.first()?.len();
        if let Some(said) = said {
            let words = said.split_whitespace().map(|word| word.parse().ok());
            let size = words.collect::<Option<Vec<usize>>>()?;
            if size != [rows.len(), columns] {
                return None;
            }
        }
        if rows.iter().any(|row| row.len() != columns) || rows.len() * columns >= CELLS_MAX {
            return None;
        }
        let cell = |letter: char| match letter {
            '*' => Some(Cell::Wall),
            'E' => Some(Cell::Exit),
            '.' | 'P' | 'C' | 'T' => Some(Cell::Floor),
            _ => None,
        };
        let cells = rows.iter().flat_map(|row| row.chars()).map(cell).collect::<Option<_>>()?;
        Some(Board { columns: columns as u32, cells })
    }

    pub(crate) fn rows(&self) -> u32 {
        self.cells.len() as u32 / self.columns
    }

    /// The cells without walls.
    pub(crate) fn floor(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.cells).filter(|(_, cell)| **cell != Cell::Wall).map(|(at, _)| at)
    }

    /// The row and the column of a cell.
    pub(crate) fn name(&self, cell: u32) -> String {
        format!("{},{}", cell / self.columns, cell % self.columns)
    }
}
