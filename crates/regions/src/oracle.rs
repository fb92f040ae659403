//! One interface to anything that is solved: a game with its solution or its table, or the tables of a family of
//! regions. All code that looks values up, shows them or plays uses an [`Oracle`].

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use retrograde::checks::{Verified, Verifier};
use retrograde::{Counts, Level, Value};
use retrograde_positions::{AnyPosition, AnyPositions, Board, End, Move};
use retrograde_table::{Table, TableError};
use serde_json::Value as Json;

use crate::state_answer::{MoveAnswer, Notations, StateAnswer, StateObject};
use crate::tablebase::TablebaseError;
use crate::texts::Style;
use crate::worth::{Worth, word};

/// A position of the game of an [`Oracle`]. Only that oracle can interpret it.
pub type State = AnyPosition;

/// A solved game without its types: its positions, and the values of its regions.
pub trait SolvedGame: Send + Sync {
    /// The name of the game: `pursuit`, `chess`.
    fn game(&self) -> &str;

    /// The positions.
    fn positions(&self) -> &dyn AnyPositions;

    /// How answers are written.
    fn style(&self) -> &Style;

    /// Whether distances are known.
    fn has_distances(&self) -> bool;

    /// The names of the regions, in order. A game that is not solved in regions has one, which has no name.
    fn regions(&self) -> Vec<String>;

    /// All states of a region.
    fn region(&self, name: &str) -> Result<Box<dyn States + '_>, OracleError>;

    /// The table of a region, if the values come from a table.
    fn table(&self, region: &str) -> Result<Option<&Table>, OracleError>;

    /// The region of a state; `None` if it is in no region.
    fn region_of(&self, state: &State) -> Option<String>;

    /// The state that a text names.
    fn parse(&self, text: &str) -> Result<State, OracleError>;

    /// The value of a state for the player to move; `None` if it is invalid.
    fn value(&self, state: &State) -> Result<Option<Value>, OracleError>;

    /// The answer about a state as JSON, if the game has a form of its own.
    fn own_object(&self, state: &State) -> Option<Result<Json, OracleError>> {
        let _ = state;
        None
    }

    /// Checks that every value of a region follows from the values one move later.
    fn verify(&self, region: &str, verifier: Verifier<'_>) -> Result<Verified, OracleError>;

    /// Checks every byte of the table of a region.
    fn check(&self, region: &str) -> Result<(), OracleError>;
}

/// What is known of a game: its states, their values, their moves. Copies share the same solution or tables.
#[derive(Clone)]
pub struct Oracle(Arc<dyn SolvedGame>);

impl Deref for Oracle {
    type Target = dyn SolvedGame;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Oracle {
    /// The oracle of a solved game.
    pub fn new(solved: impl SolvedGame + 'static) -> Oracle {
        Oracle(Arc::new(solved))
    }

    /// The same for a game that others use, too.
    pub fn shared(solved: Arc<impl SolvedGame + 'static>) -> Oracle {
        Oracle(solved)
    }

    /// The names of the players: two, or one if both players move alike.
    pub fn players(&self) -> &'static [&'static str] {
        self.positions().players()
    }

    /// The start state, if the game has one.
    pub fn start(&self) -> Option<State> {
        self.positions().start()
    }

    /// The text of a state.
    pub fn text(&self, state: &State) -> String {
        self.positions().write(state)
    }

    /// Which of the [players](Oracle::players) is to move.
    pub fn player(&self, state: &State) -> usize {
        self.positions().player(state)
    }

    /// The board of a state, if there is one.
    pub fn board(&self, state: &State) -> Option<Board> {
        self.positions().board(state)
    }

    /// The state with the men of this [board](Oracle::board) and this player to move; `None` if there is no such state.
    pub fn with_board(&self, board: &Board, player: usize) -> Option<State> {
        self.positions().with_board(board, player)
    }

    /// The states that differ from this one by the place of one man of its board: one for each point, and `None` where he cannot
    /// stand.
    pub fn with_man_on_each_point(&self, state: &State, man: usize) -> Vec<Option<State>> {
        let Some(mut board) = self.board(state) else { return Vec::new() };
        let player = self.player(state);
        let points = 0..if man < board.men.len() { board.points.len() } else { 0 };
        points
            .map(|point| {
                board.men[man].point = point;
                self.with_board(&board, player)
            })
            .collect()
    }

    /// The value of a state that is not invalid.
    fn valid(&self, state: &State) -> Result<Value, OracleError> {
        let invalid = || OracleError::Unknown(invalid(&self.text(state)));
        self.value(state)?.ok_or_else(invalid)
    }

    /// The values of a state and of each of its moves. An error if the state is invalid, or if the best move has another
    /// value than the state.
    pub fn choices(&self, state: &State) -> Result<Choices, OracleError> {
        let (mut moves, mut failed) = (Vec::new(), None);
        let over = self.positions().moves(state, &mut |step| match self.valid(&step.next) {
            Ok(value) => {
                let value = value.after_move(step.keeps_turn);
                moves.push(Played { step, value });
            }
            Err(error) => failed = Some(error),
        });
        if let Some(error) = failed {
            return Err(error);
        }
        // A stable sort: moves of the same value stay in the order of the board.
        moves.sort_by_key(|played| Reverse(played.value));
        let value = match &over {
            Some(end) => end.value,
            None => self.valid(state)?,
        };
        // Without distances, only the outcomes must be equal.
        let is_same = |best: &Played| match self.has_distances() {
            true => best.value == value,
            false => best.value.outcome() == value.outcome(),
        };
        if !moves.first().is_none_or(is_same) {
            return Err(OracleError::Wrong(format!(
                "{}: the value of the best move contradicts the value of the state; `retrograde verify` finds the wrong value",
                self.text(state)
            )));
        }
        Ok(Choices { value, moves, over })
    }

    /// The answer about a state and its moves, for programs.
    pub fn answer(&self, state: &State) -> Result<StateAnswer, OracleError> {
        let worth = |value| Worth::new(value, self.has_distances());
        let (value, moves) = match self.value(state)? {
            None => (None, Vec::new()),
            Some(_) => {
                let Choices { value, moves, .. } = self.choices(state)?;
                (Some(value), moves)
            }
        };
        let answer = |played: Played| MoveAnswer {
            to: self.text(&played.step.next),
            notations: Notations::of(self.style(), &played.step),
            worth: worth(Some(played.value)),
        };
        let moves = moves.into_iter().map(answer).collect();
        Ok(StateAnswer { state: self.text(state), worth: worth(value), moves })
    }

    /// The same in the form of the game, if it has one of its own.
    pub fn object(&self, state: &State) -> Result<StateObject, OracleError> {
        match self.own_object(state) {
            Some(object) => Ok(StateObject::Own(object?)),
            None => Ok(StateObject::Answer(self.answer(state)?)),
        }
    }

    /// Best play from a state to the end.
    pub fn line(&self, from: &State) -> Result<Line, OracleError> {
        self.line_within(from, usize::MAX)
    }

    /// The same for at most so many plies. A line that goes on is of the kind `more`.
    pub fn line_within(&self, from: &State, plies_max: usize) -> Result<Line, OracleError> {
        let value = self.valid(from)?;
        if value != Value::Draw && !self.has_distances() {
            return Err(OracleError::Unknown(NO_DISTANCES.to_owned()));
        }
        // Only draws repeat.
        let mut seen = HashMap::new();
        let mut line = Line {
            states: vec![],
            moves: vec![],
            value,
            kind: "",
            last: value,
            back_to: None,
            why: String::new(),
        };
        let mut at = from.clone();
        loop {
            let place = line.states.len();
            let Choices { value, moves, over } = self.choices(&at)?;
            if value == Value::Draw
                && let Some(back_to) = seen.insert(at.clone(), place)
            {
                (line.kind, line.back_to, line.last) = ("cycle", Some(back_to), value);
                line.why = format!("from here play returns to ply {back_to} and repeats: a draw");
                return Ok(line);
            }
            line.states.push(at.clone());
            match (over, moves.into_iter().next()) {
                (None, Some(_)) if place == plies_max => {
                    (line.kind, line.last) = ("more", value);
                    "play goes on".clone_into(&mut line.why);
                    return Ok(line);
                }
                (None, Some(best)) => {
                    at = best.step.next.clone();
                    line.moves.push(best);
                }
                (over, _) => {
                    line.last = value;
                    let why = over.map_or("", |over| over.why);
                    let player = match self.players() {
                        [_] => "the player to move",
                        players => players[self.player(&at)],
                    };
                    line.kind = over.map_or("stuck", |over| over.kind);
                    line.why = format!("{why}: a {} for {player}", word(value));
                    return Ok(line);
                }
            }
        }
    }
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
    fn passed(&self, states: Range<u64>, visit: &mut dyn FnMut(u64, u64));

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
pub struct Choices {
    /// The value, for the player to move.
    pub value: Value,
    /// The moves, best first.
    pub moves: Vec<Played>,
    /// How the game ended, if it is over.
    pub over: Option<End>,
}

/// A move and its value.
#[derive(Clone, Debug)]
pub struct Played {
    /// The move.
    pub step: Move<State>,
    /// The value for the player who makes the move. The distance includes this move.
    pub value: Value,
}

/// Best play to the end.
#[derive(Clone, Debug)]
pub struct Line {
    /// The states, from the first to the last.
    pub states: Vec<State>,
    /// The moves between them. If play repeats, the last one leads back.
    pub moves: Vec<Played>,
    /// The value of the first state.
    pub value: Value,
    /// The kind of end, for programs: `terminal`, `stuck`, `cycle`, `more`.
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

/// The message when best play is unknown, because a table has no distances.
pub const NO_DISTANCES: &str = "the table has no distances, so best play is unknown";

/// The message about a state without a value.
fn invalid(state: &str) -> String {
    format!("{state} is invalid; nothing is played there")
}

/// Makes texts of positions from the words of a command line. If the text of a position has several words, the command line
/// may give each of them separately.
pub fn gather(oracle: &Oracle, words: Vec<String>) -> Vec<String> {
    /// A FEN has six, a position of morris with nine men each has 22.
    const WORDS_MAX: usize = 32;
    let mut texts = Vec::new();
    let mut rest = &words[..];
    while !rest.is_empty() {
        let most = rest.len().min(WORDS_MAX);
        let text = |count: &usize| rest[..*count].join(" ");
        let found = (1..=most).rev().find(|count| oracle.parse(&text(count)).is_ok());
        // A wrong text: a quoted one has blanks. Otherwise all words are one text.
        let count = found.unwrap_or(if rest[0].contains(' ') { 1 } else { rest.len() });
        texts.push(text(&count));
        rest = &rest[count..];
    }
    texts
}
