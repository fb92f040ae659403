//! What is played: positions with their moves, whatever game they are of. The only thing that a player, a script and the
//! screen know of a game.

use retrograde::Value;
use retrograde_catalog::{Ground, Oracle, Played, State, View};

use crate::drawn::drawn;
use crate::error::PlayError;
use crate::record::{self, Record};

/// A game that can be played, with all that its values say.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    title: &'a str,
    oracle: &'a dyn Oracle,
}

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) state: State,
    /// Its text: no two positions share it.
    pub(crate) text: String,
    /// Who is to move, where the sides are not alike.
    pub(crate) side: Option<usize>,
    /// What it is worth to the player to move.
    pub(crate) value: Value,
    /// The moves, best first. None where play is over.
    pub(crate) moves: Vec<Played>,
    /// Why play is over, where there are no moves.
    pub(crate) end: &'static str,
    /// What is to be seen of it.
    pub(crate) look: Look,
}

/// What is to be seen of a position.
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
    /// How many cells a row has.
    pub(crate) columns: usize,
    /// The cells.
    pub(crate) cells: Vec<Tile>,
    /// What the rows and the columns are called, where they have names.
    pub(crate) names: Option<(Vec<String>, Vec<String>)>,
    /// What stands below the board.
    pub(crate) below: Option<String>,
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
    /// A man can leave the board here.
    Exit,
    /// A man of one side or the other, and whether his cell is dark.
    Man(usize, bool),
}

impl<'a> Field<'a> {
    /// What an oracle answers for, under a title: `pursuit examples/board.txt`.
    pub fn new(title: &'a str, oracle: &'a dyn Oracle) -> Field<'a> {
        Field { title, oracle }
    }

    pub(crate) fn title(&self) -> &'a str {
        self.title
    }

    /// What the sides are called. Where both move alike, the first is the one who begins.
    pub fn sides(&self) -> [&'static str; 2] {
        match self.oracle.players()[..] {
            [one, other] => [one, other],
            _ => ["first", "second"],
        }
    }

    /// Which side moves first from a state.
    pub fn first(&self, state: &State) -> usize {
        self.side(state).unwrap_or(0)
    }

    /// Who moves a state, where the sides are not alike: else only the course of play tells whose move it is.
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

    /// The moves and orders in a line of a script.
    pub(crate) fn words<'w>(&self, line: &'w str) -> Vec<&'w str> {
        if self.oracle.style().pgn {
            return record::pgn_words(line);
        }
        // The names of vertices may hold anything, so only a line that begins with a sign for it is a remark.
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') { vec![] } else { vec![line] }
    }

    /// A game written out, to be read again as a script.
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
            // Several on a cell are counted.
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
