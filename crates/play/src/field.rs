//! Positions with their moves, the same for every game. A player, a script and the screen know nothing else of a game.

use retrograde::Value;
use retrograde_catalog::{Oracle, Played, State};
use retrograde_picture::Tiles;
use retrograde_positions::{Board, Hand};

use crate::error::PlayError;
use crate::record::{self, Record};

/// A game to play, with its values.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    title: &'a str,
    oracle: &'a Oracle,
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
    /// A board, and its drawing as letters.
    Board(Box<Board>, Tiles),
    /// Lines of text.
    Text(String),
}

impl<'a> Field<'a> {
    /// The game of an oracle, with a title such as `pursuit examples/board.txt`.
    pub fn new(title: &'a str, oracle: &'a Oracle) -> Field<'a> {
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
        let asked = oracle.choices(state)?;
        let (moves, end) = match asked.over {
            Some(over) => (Vec::new(), over.end),
            None => (asked.moves, ""),
        };
        let board = oracle.board(state).and_then(|board| Some((Tiles::of(&board)?, board)));
        let look = match board {
            Some((tiles, board)) => Look::Board(Box::new(board), tiles),
            None => Look::Text(text.clone()),
        };
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
            false => record::lines(self.title, &self.sides(), record),
        }
    }
}

impl Look {
    /// A line below the board, if players have men in hand.
    pub(crate) fn below(&self) -> Option<String> {
        let Look::Board(board, _) = self else { return None };
        let hand = |hand: &Hand| format!("{} {}", hand.sign, hand.count);
        let hands: Vec<String> = board.hands.iter().map(hand).collect();
        (!hands.is_empty()).then(|| format!("in hand: {}", hands.join(", ")))
    }
}
