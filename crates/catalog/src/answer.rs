//! What a person or a program may ask about a state: its value and its moves.

use retrograde::play::{Move, PlayError, moves};
use retrograde::{Outcome, Value};
use retrograde_table::TableError;
use serde::Serialize;

use crate::any_game::{AnyGame, Rules};
use crate::values::Values;

/// A state with its value and its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The state as text.
    pub state: String,
    /// Its value for the player to move.
    #[serde(flatten)]
    pub worth: Worth,
    /// Its moves, best first.
    pub moves: Vec<Choice>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The state after it; `None` if it leads out of the game.
    pub to: Option<String>,
    /// Its value for the player who makes it, including the move.
    #[serde(flatten)]
    pub worth: Worth,
}

/// A value as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// `win`, `loss`, `draw`, or `invalid` for a number that is no position.
    pub value: &'static str,
    /// The distance in plies; `None` for a draw, and if distances were not kept.
    pub distance: Option<u32>,
}

impl Worth {
    /// A value with its distance, if distances were kept.
    pub fn new(value: Option<Value>, distances: bool) -> Worth {
        Worth {
            value: value.map_or("invalid", word),
            distance: value.and_then(Value::distance).filter(|_| distances),
        }
    }
}

/// `win`, `loss` or `draw`.
pub fn word(value: Value) -> &'static str {
    match value.outcome() {
        Outcome::Win => "win",
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
    }
}

/// The value of a state and of its moves.
pub fn ask(
    game: &dyn AnyGame,
    values: &dyn Values,
    state: u64,
) -> Result<Answer, PlayError<TableError>> {
    let distances = values.has_distances();
    let value = values.probe(state)?;
    let choices = match value {
        None => Vec::new(),
        Some(_) => moves(&Rules(game), &values, state)?,
    };
    let choice = |Move { to, value }| Choice {
        to: to.map(|to| game.text(to)),
        worth: Worth::new(Some(value), distances),
    };
    Ok(Answer {
        state: game.text(state),
        worth: Worth::new(value, distances),
        moves: choices.into_iter().map(choice).collect(),
    })
}
