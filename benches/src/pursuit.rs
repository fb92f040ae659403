//! The textbook's pursuit: one policeman, who moves to eight cells, and a thief, who moves to four. Either
//! may stay. It has its own reader and its own rules, so that it can disagree with the engine.

use crate::textbook::{Answer, Graph, Verdict};

/// A board: its walls and exits, row by row.
pub struct Board {
    rows: usize,
    columns: usize,
    cells: Vec<u8>,
}

impl Board {
    /// Reads a board: an optional line `rows columns`, then the rows in `*`, `.`, `E`, `P` and `T`.
    pub fn read(text: &str) -> Result<Board, String> {
        let is_row = |line: &&str| line.bytes().all(|letter| b"*.EPCT".contains(&letter));
        let rows: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).filter(is_row).collect();
        let columns = rows.first().map_or(0, |row| row.len());
        if columns == 0 || rows.iter().any(|row| row.len() != columns) {
            return Err("this is not a board: its rows must have one length".to_string());
        }
        Ok(Board { rows: rows.len(), columns, cells: rows.concat().into_bytes() })
    }

    fn is_wall(&self, cell: usize) -> bool {
        self.cells[cell] == b'*'
    }

    /// Visits the cells where a player may be after a move from `cell`, including `cell`.
    fn steps(&self, cell: usize, diagonal: bool, mut visit: impl FnMut(usize)) {
        let (row, column) = (cell / self.columns, cell % self.columns);
        for r in row.saturating_sub(1)..(row + 2).min(self.rows) {
            for c in column.saturating_sub(1)..(column + 2).min(self.columns) {
                let to = r * self.columns + c;
                if (diagonal || r == row || c == column) && !self.is_wall(to) {
                    visit(to);
                }
            }
        }
    }

    /// Solves the board and counts the states by value: both sides to move, every pair of cells without
    /// walls.
    pub fn solve(&self) -> Answer {
        let cells = self.cells.len();
        let vertex = |thief_moves: bool, police: usize, thief: usize| {
            ((usize::from(thief_moves) * cells + police) * cells + thief) as u32
        };
        let mut graph = Graph::new(2 * cells * cells);
        let floor: Vec<usize> = (0..cells).filter(|&cell| !self.is_wall(cell)).collect();
        for &police in &floor {
            for &thief in &floor {
                if police == thief {
                    graph.decide(vertex(false, police, thief), Verdict::Win);
                    graph.decide(vertex(true, police, thief), Verdict::Loss);
                } else if self.cells[thief] == b'E' {
                    graph.decide(vertex(false, police, thief), Verdict::Loss);
                    graph.decide(vertex(true, police, thief), Verdict::Win);
                } else {
                    let from = vertex(false, police, thief);
                    self.steps(police, true, |to| graph.add_move(from, vertex(true, to, thief)));
                    let from = vertex(true, police, thief);
                    self.steps(thief, false, |to| graph.add_move(from, vertex(false, police, to)));
                }
            }
        }
        let verdicts = graph.solve();
        let states =
            floor.iter().flat_map(|&police| floor.iter().map(move |&thief| (police, thief)));
        Answer::count(states.flat_map(|(police, thief)| {
            [false, true].map(|thief_moves| verdicts[vertex(thief_moves, police, thief) as usize])
        }))
    }
}
