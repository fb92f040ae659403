//! What a person or another program gets to know of a state: what it is worth, and what each of its moves is.

use retrograde::play::{Move, PlayError, moves};
use retrograde::{Outcome, Value};
use retrograde_table::TableError;
use serde::Serialize;

use crate::playable::{Playable, Rules};
use crate::values::Values;

/// A state with its value and its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The state in words.
    pub state: String,
    /// What it is worth to the player to move.
    #[serde(flatten)]
    pub worth: Worth,
    /// Its moves, best first.
    pub moves: Vec<Choice>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The state it leads to; `None` where it leads out of the game.
    pub to: Option<String>,
    /// What it is worth to the player who makes it, the move counted.
    #[serde(flatten)]
    pub worth: Worth,
}

/// A value in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// `win`, `loss`, `draw`, or `void` where no position is meant.
    pub value: &'static str,
    /// In how many plies; `None` where there is no end, and where distances were not kept.
    pub distance: Option<u32>,
}

impl Worth {
    /// What a value is worth; its distance only where distances were kept.
    pub fn new(value: Option<Value>, distances: bool) -> Worth {
        Worth {
            value: value.map_or("void", word),
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

/// What is known of a state and of its moves.
pub fn ask(
    game: &dyn Playable,
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
