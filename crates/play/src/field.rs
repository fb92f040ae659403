//! Positions with their moves, the same for every game. A player, a script and the screen know nothing else of a game.

use retrograde::Value;
use retrograde_catalog::{Ground, Oracle, Played, State, View};

use crate::drawn::drawn;
use crate::error::PlayError;
use crate::record::{self, Record};

/// A game to play, with its values.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    title: &'a str,
    oracle: &'a dyn Oracle,
}

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) state: State,
    /// Its text. No two positions have the same text.
    pub(crate) text: String,
    /// The side to move, if the sides differ.
    pub(crate) side: Option<usize>,
    /// Its value for the player to move.
    pub(crate) value: Value,
    /// The moves, best first. Empty if play is over.
    pub(crate) moves: Vec<Played>,
    /// Why play is over, if there are no moves.
    pub(crate) end: &'static str,
    /// How to draw it.
    pub(crate) look: Look,
}

/// How to draw a position.
#[derive(Clone, Debug)]
pub(crate) enum Look {
    /// A board of cells.
    Grid(Grid),
    /// Lines of text.
    Text(String),
}

/// A board of cells, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// How many columns the board has.
    pub(crate) columns: usize,
    /// The cells.
    pub(crate) cells: Vec<Tile>,
    /// The names of the rows and of the columns, if they have names.
    pub(crate) names: Option<(Vec<String>, Vec<String>)>,
    /// A line below the board.
    pub(crate) below: Option<String>,
}

/// A cell and its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    /// The letter of the man, or a sign for the cell.
    pub(crate) sign: char,
    /// Its colour.
    pub(crate) paint: Paint,
}

/// The contents of a cell, as far as colour needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// No man can stand here.
    Wall,
    /// Free.
    Floor,
    /// Free, on the darker colour of a chequered board.
    Dark,
    /// A man can leave the board here.
    Exit,
    /// A man of a side, and whether its cell is dark.
    Man(usize, bool),
}

impl<'a> Field<'a> {
    /// The game of an oracle, with a title such as `pursuit examples/board.txt`.
    pub fn new(title: &'a str, oracle: &'a dyn Oracle) -> Field<'a> {
        Field { title, oracle }
    }

    pub(crate) fn title(&self) -> &'a str {
        self.title
    }

    /// The names of the sides. If both move alike, they are called by the order of play.
    pub fn sides(&self) -> [&'static str; 2] {
        match self.oracle.players()[..] {
            [one, other] => [one, other],
            _ => ["first", "second"],
        }
    }

    /// The side to move first from a state.
    pub fn first(&self, state: &State) -> usize {
        self.side(state).unwrap_or(0)
    }

    /// The side to move in a state, if the sides differ. Otherwise only the course of play tells.
    fn side(&self, state: &State) -> Option<usize> {
        (self.oracle.players().len() > 1).then(|| self.oracle.player(state))
    }

    pub(crate) fn parse(&self, text: &str) -> Result<State, PlayError> {
        Ok(self.oracle.parse(text)?)
    }

    pub(crate) fn look(&self, state: &State) -> Result<Node, PlayError> {
        let (oracle, text) = (self.oracle, self.oracle.text(state));
        let asked = oracle.ask(state)?;
        let (moves, end) = match asked.over {
            Some(over) => (Vec::new(), over.end),
            None => (asked.moves, ""),
        };
        let (mut look, moves) = match oracle.view(state) {
            Some(view) => (Look::Grid(Grid::of(&view)), moves),
            None => drawn(oracle, state, moves),
        };
        let hand = oracle.hand(state);
        if let (Look::Grid(grid), false) = (&mut look, hand.is_empty()) {
            let hand: Vec<String> = hand.iter().map(|(man, men)| format!("{man} {men}")).collect();
            grid.below = Some(format!("in hand: {}", hand.join(", ")));
        }
        let (state, side, value) = (state.clone(), self.side(state), asked.value);
        Ok(Node { state, text, side, value, moves, end, look })
    }

    /// The moves and commands in a line of a script.
    pub(crate) fn words<'w>(&self, line: &'w str) -> Vec<&'w str> {
        if self.oracle.style().pgn {
            return record::pgn_words(line);
        }
        // The names of vertices may contain any character, so only a line that begins with the sign is a comment.
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') { vec![] } else { vec![line] }
    }

    /// A finished game as text, in the form of a script.
    pub(crate) fn written(&self, record: &Record<'_>) -> String {
        match self.oracle.style().pgn {
            true => record::pgn(record),
            false => record::lines(self, record),
        }
    }
}

impl Grid {
    fn of(view: &View) -> Grid {
        let tile = |ground: &Ground| match *ground {
            Ground::Wall => Tile { sign: '*', paint: Paint::Wall },
            Ground::Floor => Tile { sign: '.', paint: Paint::Floor },
            Ground::Dark => Tile { sign: '.', paint: Paint::Dark },
            Ground::Exit => Tile { sign: 'E', paint: Paint::Exit },
            Ground::Line(sign) => Tile { sign, paint: Paint::Floor },
        };
        let mut cells: Vec<Tile> = view.cells.iter().map(tile).collect();
        for man in &view.men {
            let tile = &mut cells[man.cell];
            // If several men are on a cell, the sign is their number.
            let sign = match (tile.paint, tile.sign) {
                (Paint::Man(side, _), _) if side != man.side => 'X',
                (Paint::Man(..), sign @ '2'..='8') => char::from(sign as u8 + 1),
                (Paint::Man(..), '9' | '#') => '#',
                (Paint::Man(..), _) => '2',
                _ => man.letter,
            };
            let dark = matches!(tile.paint, Paint::Dark | Paint::Man(_, true));
            *tile = Tile { sign, paint: Paint::Man(man.side, dark) };
        }
        Grid { columns: view.columns, cells, names: view.names.clone(), below: None }
    }
}
