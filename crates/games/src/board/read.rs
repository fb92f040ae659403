//! The text form of a board: reading and writing.
//!
//! ```text
//! 3 5        rows and columns; may be left out
//! *..E.      * wall   . free   E exit
//! .P.*.      P or C policeman
//! ...*T      T thief
//! ```

use super::{Board, Cell};
use crate::ReadError;
use std::fmt;

impl Board {
    /// Reads a board. Skips blank lines before and after it, and blanks at the end of a line.
    ///
    /// ```
    /// let board = retrograde_games::Board::parse("*..E\n.P.T\n").unwrap();
    /// assert_eq!((board.rows(), board.columns()), (2, 4));
    /// let error = retrograde_games::Board::parse("*..E\n.P.\n").unwrap_err();
    /// assert_eq!(error.line(), Some(2));
    /// ```
    pub fn parse(text: &str) -> Result<Board, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = (1..).zip(text.lines().map(str::trim_end)).peekable();
        while lines.next_if(|(_, line)| line.is_empty()).is_some() {}

        let promised =
            match lines.next_if(|(_, line)| line.starts_with(|c: char| c.is_ascii_digit())) {
                Some((number, line)) => Some((number, size(number, line)?)),
                None => None,
            };
        let mut board = Board {
            columns: promised.map_or(0, |(_, (_, columns))| columns),
            cells: Vec::new(),
            police: Vec::new(),
            thief: None,
        };
        let mut rows = 0;
        let mut blank = None;
        for (number, line) in lines {
            if line.is_empty() {
                blank = blank.or(Some(number));
                continue;
            }
            if let Some(number) = blank.filter(|_| rows > 0) {
                return Err(ReadError::at(number, "a blank line inside the board: remove it"));
            }
            blank = None;
            if let Some((_, (promised, _))) =
                promised.filter(|&(_, (promised, _))| rows == promised)
            {
                let what = format!(
                    "one row more than the {promised} that the first line promises: correct that line, or leave it out"
                );
                return Err(ReadError::at(number, what));
            }
            board.read_row(number, line, promised.is_some())?;
            rows += 1;
        }
        match promised {
            Some((number, (promised, _))) if rows < promised => Err(ReadError::at(
                number,
                format!(
                    "{promised} rows are promised here, but the board has {rows}: correct this line, or leave it out"
                ),
            )),
            _ if rows == 0 => Err(ReadError::whole(
                "the board is empty: write its rows, one a line, with * . E P T",
            )),
            _ => Ok(board),
        }
    }

    fn read_row(&mut self, number: u64, line: &str, promised: bool) -> Result<(), ReadError> {
        let first = self.cells.len();
        if u32::try_from(first + line.len()).is_err() {
            return Err(ReadError::at(
                number,
                "a board has fewer than 2^32 cells: make it smaller",
            ));
        }
        for (at, letter) in line.char_indices() {
            let cell = (first + at) as u32;
            self.cells.push(match letter {
                '*' => Cell::Wall,
                'E' => Cell::Exit,
                '.' | 'P' | 'C' | 'T' => Cell::Floor,
                _ => {
                    let what = format!(
                        "{letter:?} in column {} is no part of a board: use * wall, . free cell, E exit, P or C police, T thief",
                        at + 1
                    );
                    return Err(ReadError::at(number, what));
                }
            });
            match letter {
                'P' | 'C' => self.police.push(cell),
                'T' if self.thief.replace(cell).is_some() => {
                    return Err(ReadError::at(number, "a second thief: leave one T on the board"));
                }
                _ => {}
            }
        }
        let cells = (self.cells.len() - first) as u32;
        if first == 0 && !promised {
            self.columns = cells;
        }
        if cells != self.columns {
            let than = if promised { "the first line promises" } else { "the first row has" };
            let what = format!(
                "the row has {cells} cells, {than} {}: make all rows equally long (* is a wall)",
                self.columns
            );
            return Err(ReadError::at(number, what));
        }
        Ok(())
    }
}

/// The line `rows columns`.
fn size(number: u64, line: &str) -> Result<(u32, u32), ReadError> {
    let mut words = line.split_whitespace().map(str::parse::<u32>);
    match (words.next(), words.next(), words.next()) {
        (Some(Ok(rows)), Some(Ok(columns)), None) if rows > 0 && columns > 0 => Ok((rows, columns)),
        _ => {
            let what = format!(
                "{line:?} is not a size: write two numbers above 0, rows and columns, or leave the line out"
            );
            Err(ReadError::at(number, what))
        }
    }
}

/// The text that [`parse`](Board::parse) reads, including the line with the size.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} {}", self.rows(), self.columns)?;
        writeln!(f, "{}", self.picture(&self.police, self.thief))
    }
}
