//! What is played: a position with its moves, whatever game it is of. The only thing that a player, a script and the
//! screen know of a game.

use retrograde::Value;

use crate::term::failure::Failure;

/// A game that can be played, with all that its values say.
pub(crate) trait Field {
    /// What is played, for a title: `pursuit examples/board.txt`.
    fn title(&self) -> String;

    /// What the sides are called. Where [`alike`](Field::alike), the first is the one who begins.
    fn sides(&self) -> [String; 2];

    /// Whether both sides move the same, so that only the course of play tells whose move it is.
    fn alike(&self) -> bool;

    /// The position that a text names.
    fn look(&self, position: &str) -> Result<Node, Failure>;

    /// The moves and orders in a line of a script.
    fn words<'a>(&self, line: &'a str) -> Vec<&'a str>;

    /// A game written out, to be read again as a script.
    fn written(&self, record: &Record<'_>) -> String;
}

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Its text: no two positions share it.
    pub(crate) text: String,
    /// Who is to move, where the sides are not alike.
    pub(crate) side: Option<usize>,
    /// What it is worth to the player to move.
    pub(crate) value: Value,
    /// The moves, best first. None where play is over.
    pub(crate) moves: Vec<Choice>,
    /// Why play is over, where there are no moves.
    pub(crate) end: &'static str,
    /// What is to be seen of it.
    pub(crate) view: View,
}

/// A move.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The move as a player writes it.
    pub(crate) label: String,
    /// Other ways to write it.
    pub(crate) also: Vec<String>,
    /// The position it leads to; `None` where it ends the game.
    pub(crate) to: Option<String>,
    /// What it is worth to the player who makes it, the move itself counted.
    pub(crate) value: Value,
    /// Whether the same player moves on.
    pub(crate) keeps_turn: bool,
    /// The cells to point at, one after the other, to choose it on the board.
    pub(crate) path: Vec<usize>,
}

/// What is to be seen of a position.
#[derive(Clone, Debug)]
pub(crate) enum View {
    /// A board of cells.
    Grid(Grid),
    /// Lines of text.
    Text(String),
}

/// A board of cells, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// How many cells a row has.
    pub(crate) columns: usize,
    /// The cells.
    pub(crate) cells: Vec<Tile>,
    /// What the rows and the columns are called, where they have names.
    pub(crate) names: Option<(Vec<String>, Vec<String>)>,
}

/// A cell and what stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    /// The letter of what stands there, or a sign for the cell.
    pub(crate) sign: char,
    /// How it is coloured.
    pub(crate) paint: Paint,
}

/// What a cell is, to be coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// No man can stand here.
    Wall,
    /// Free.
    Floor,
    /// Free, and the darker of two.
    Dark,
    /// Where a man leaves the board.
    Exit,
    /// A man of one side or the other, and whether his cell is dark.
    Man(usize, bool),
}

/// A game to be written out.
pub(crate) struct Record<'a> {
    /// Who plays each side, in words.
    pub(crate) players: [String; 2],
    /// The text of the position it began in.
    pub(crate) start: &'a str,
    /// The moves, with who made them.
    pub(crate) moves: Vec<(usize, &'a Choice)>,
    /// How it ended, if it did.
    pub(crate) end: Option<End>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Which side won; neither where it was drawn.
    pub(crate) winner: Option<usize>,
    /// Why, in few words.
    pub(crate) why: &'static str,
}
