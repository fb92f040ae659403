//! A board to look at: cells in rows, and the men on them. The code that draws it decides how it looks.

/// A board of cells, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// How many cells a row has.
    pub columns: usize,
    /// The cells.
    pub cells: Vec<Ground>,
    /// Who stands on them.
    pub men: Vec<Man>,
    /// What the rows and the columns are called, where they have names.
    pub names: Option<(Vec<String>, Vec<String>)>,
    /// Whether the letters of the men are those of pieces of chess.
    pub pieces: bool,
}

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Free to stand on.
    Floor,
    /// Free, and the darker of two.
    Dark,
    /// A man can leave the board here.
    Exit,
    /// No man can stand here.
    Wall,
    /// No man can stand here; the sign of a line that passes, or a blank.
    Line(char),
}

/// A man on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// The cell he stands on.
    pub cell: usize,
    /// The letter that stands for him.
    pub letter: char,
    /// Which player he belongs to.
    pub side: usize,
}
