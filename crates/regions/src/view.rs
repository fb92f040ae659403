//! A board to show: cells in rows, and the men on them. The code that draws the board decides how it looks.

/// A board of cells, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// How many cells a row has.
    pub columns: usize,
    /// The cells.
    pub cells: Vec<Ground>,
    /// The men on the cells.
    pub men: Vec<Man>,
    /// The names of the rows and of the columns, if they have names.
    pub names: Option<(Vec<String>, Vec<String>)>,
    /// Whether the letters of the men stand for pieces of chess.
    pub pieces: bool,
}

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Free to stand on.
    Floor,
    /// Free to stand on, and drawn darker.
    Dark,
    /// A man can leave the board here.
    Exit,
    /// No man can stand here.
    Wall,
    /// No man can stand here. The character is a part of a line, or a blank.
    Line(char),
}

/// A man on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// The cell he stands on.
    pub cell: usize,
    /// His letter.
    pub letter: char,
    /// The player that he belongs to.
    pub side: usize,
}
