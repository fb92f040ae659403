//! One interface to anything that is solved: a game with its solution or its table, or the tables of a family of
//! regions. All code that looks values up, shows them or plays uses an [`Oracle`].

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use retrograde::checks::{Verified, Verifier};
use retrograde::play::PlayError;
use retrograde::{Counts, Level, Value};
use retrograde_games::Way;
use retrograde_regions::{Over, Style, TablebaseError, View};
use retrograde_table::{Table, TableError};
use serde_json::Value as Json;

use crate::any_game::Engine;

/// A state of the game of an [`Oracle`]. Only that oracle can interpret it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(pub(crate) Key);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// Of a game: the number of the state.
    Number(u64),
    /// Of a family: the text of the position.
    Text(String),
}

/// What is known of a game: its states, their values, their moves.
pub trait Oracle: Send + Sync {
    /// The name of the game: `pursuit`, `chess`.
    fn game(&self) -> &str;

    /// How answers are written.
    fn style(&self) -> &Style;

    /// The names of the players: two, or one if both players move alike.
    fn players(&self) -> Vec<&'static str>;

    /// Whether distances are known.
    fn has_distances(&self) -> bool;

    /// The names of the regions, in order. A game that is not solved in regions has one, which has no name.
    fn regions(&self) -> Vec<String>;

    /// All states of a region.
    fn region(&self, name: &str) -> Result<Box<dyn States + '_>, OracleError>;

    /// The table of a region, if this oracle answers from a table.
    fn table(&self, region: &str) -> Result<Option<&Table>, OracleError>;

    /// The region of a state; `None` if it is in no region.
    fn region_of(&self, state: &State) -> Option<String>;

    /// The start state, if the game has one.
    fn start(&self) -> Option<State>;

    /// Makes texts of states from the words of a command line. If the text of a state has several words, the command
    /// line may give each word separately; then this joins them.
    fn gather(&self, words: Vec<String>) -> Vec<String> {
        words
    }

    /// The state that a text names.
    fn parse(&self, text: &str) -> Result<State, OracleError>;

    /// The text of a state.
    fn text(&self, state: &State) -> String;

    /// Which of the [players](Oracle::players) is to move.
    fn player(&self, state: &State) -> usize;

    /// The value of a state for the player to move; `None` if it is invalid.
    fn value(&self, state: &State) -> Result<Option<Value>, OracleError>;

    /// The values of a state and of each of its moves. An error if the state is invalid.
    fn ask(&self, state: &State) -> Result<Asked, OracleError>;

    /// The answer of [`ask`](Oracle::ask) as JSON, for programs.
    fn object(&self, state: &State) -> Result<Json, OracleError>;

    /// Best play from a state to the end.
    fn line(&self, from: &State) -> Result<Line, OracleError>;

    /// The move that leads from one state to another, as people write it and as JSON names it. `None` if moves have no
    /// names.
    fn played(&self, from: &State, to: &State) -> Option<Played>;

    /// The state with the same placement and the other player to move. `None` if there is no such state, or if it
    /// cannot be named.
    fn passed(&self, state: &State) -> Option<State> {
        let _ = state;
        None
    }

    /// The state drawn as a board of characters. `None` if a board would say no more than [`text`](Oracle::text).
    fn picture(&self, state: &State) -> Option<String>;

    /// For each player, the letter of their men, and how many men they still have in hand. Empty if no player has any.
    fn hand(&self, state: &State) -> Vec<(char, u32)> {
        let _ = state;
        Vec::new()
    }

    /// The ways to make a move on the board as drawn. Only for games that may draw the next state in a different
    /// orientation; empty for all others. See [`Show::ways`](retrograde_games::Show::ways).
    fn ways(&self, from: &State, to: &State) -> Vec<Way> {
        let _ = (from, to);
        Vec::new()
    }

    /// The board of a state, if there is one.
    fn view(&self, state: &State) -> Option<View>;

    /// The state with one man of its [view](Oracle::view) on another cell; `None` if the man cannot stand there.
    fn moved(&self, state: &State, man: usize, cell: usize) -> Option<State>;

    /// Checks that every value of a region follows from the values one move later.
    fn verify(
        &self,
        region: &str,
        engine: Engine,
        verifier: Verifier<'_>,
    ) -> Result<Verified, OracleError>;

    /// Checks every byte of the table of a region.
    fn check(&self, region: &str) -> Result<(), OracleError>;
}

/// All states of a region, or of a game.
pub trait States: Sync {
    /// How many numbers there are, those of invalid states included.
    fn states(&self) -> u64;

    /// The values of the states from `first` on. For an invalid state, the value means nothing.
    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), OracleError>;

    /// The text of a state, given its value; `None` if it is invalid.
    fn text(&self, state: u64, value: Option<Value>) -> Option<String>;

    /// Visits each state of a run in which the first player is to move. With it comes the state that has the same
    /// placement and the other player to move.
    fn passed(&self, states: Range<u64>, found: &[Option<Value>], visit: &mut dyn FnMut(u64, u64));

    /// For each side to move, how many states it wins, loses and draws.
    fn counts(&self) -> Result<Vec<(String, Counts)>, OracleError>;

    /// How many states settle at each distance.
    fn levels(&self) -> Result<Vec<Level>, OracleError>;

    /// The number of states to show to people, invalid ones included. It may differ from [`states`](States::states).
    fn states_named(&self) -> u64 {
        self.states()
    }
}

/// The value of a state, and of each of its moves.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The value, for the player to move.
    pub value: Value,
    /// The moves, best first.
    pub moves: Vec<Played>,
    /// How the game ended, if it is over.
    pub over: Option<Over>,
}

/// A move.
#[derive(Clone, Debug)]
pub struct Played {
    /// The move as people write it.
    pub label: String,
    /// Other ways to write it.
    pub spellings: Vec<String>,
    /// The entries that name the move in JSON.
    pub entries: Vec<(&'static str, String)>,
    /// The state it leads to; `None` if it leaves the game.
    pub to: Option<State>,
    /// The value for the player who makes the move. The distance includes this move.
    pub value: Value,
    /// Whether the same player moves again.
    pub keeps_turn: bool,
    /// The cells to point at, one after the other, to choose it on the board.
    pub path: Vec<usize>,
}

/// Best play to the end.
#[derive(Clone, Debug)]
pub struct Line {
    /// The states, from the first to the last.
    pub states: Vec<State>,
    /// The value of the first state.
    pub value: Value,
    /// The kind of end, for programs: `terminal`, `stuck`, `exit`, `cycle`.
    pub kind: &'static str,
    /// The value of the last state.
    pub last: Value,
    /// If play repeats, the place on the line of the state that it returns to.
    pub back_to: Option<usize>,
    /// Why the line ends, in words for people.
    pub why: String,
}

/// Why there is no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum OracleError {
    /// A text that names no state.
    State(String),
    /// A table cannot be read.
    Table(TableError),
    /// The tables of a family cannot answer.
    Tables(TablebaseError),
    /// An answer is wrong: a value does not follow from the rules.
    Wrong(String),
    /// The oracle does not have the answer, for example because a table has no distances.
    Unknown(String),
}

impl fmt::Display for OracleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OracleError::State(problem)
            | OracleError::Wrong(problem)
            | OracleError::Unknown(problem) => f.write_str(problem),
            OracleError::Table(error) => error.fmt(f),
            OracleError::Tables(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OracleError {}

impl From<TableError> for OracleError {
    fn from(error: TableError) -> OracleError {
        OracleError::Table(error)
    }
}

impl From<TablebaseError> for OracleError {
    fn from(error: TablebaseError) -> OracleError {
        match error {
            TablebaseError::Position(problem) => OracleError::State(problem),
            error @ TablebaseError::Contradiction { .. } => OracleError::Wrong(error.to_string()),
            error => OracleError::Tables(error),
        }
    }
}

impl From<PlayError<TableError>> for OracleError {
    fn from(error: PlayError<TableError>) -> OracleError {
        match error {
            PlayError::Probe(error) => OracleError::Table(error),
            error => OracleError::Unknown(error.to_string()),
        }
    }
}

/// The message when best play is unknown, because a table has no distances.
pub const NO_DISTANCES: &str = "the table has no distances, so best play is unknown";

/// The end of a line that repeats.
pub(crate) fn round(back_to: usize) -> String {
    format!("from here play returns to ply {back_to} and repeats: a draw")
}

/// The place of each state on a line, to notice a state that comes again. Only draws repeat.
#[derive(Default)]
pub(crate) struct Seen(HashMap<String, usize>);

impl Seen {
    /// Notes the place of a state. Returns its earlier place, if it was on the line before.
    pub(crate) fn again(&mut self, text: &str, place: usize) -> Option<usize> {
        self.0.insert(text.to_owned(), place)
    }
}
