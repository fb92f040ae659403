//! Questions about the states of one table, the same for every game: what is this state worth, what is each of its moves,
//! how does best play go on.

use retrograde::{Probe, Status, Value, moves};
use retrograde_catalog::{Answer, Choice, Known, Playable, Rules, Values, Worth, ask};
use retrograde_chess::{Material, Position, Tablebase};

use crate::folder::{Entry, Folder};
use crate::line::{Line, Next, Passed, walk};
use crate::problem::Problem;

/// States that can be asked for.
pub(crate) enum Asked<'a> {
    /// Positions of one material.
    Chess(&'a Tablebase, Material),
    /// The states of a game.
    Game(&'a dyn Playable, Box<dyn Values + 'a>),
}

impl<'a> Asked<'a> {
    /// The states of a table.
    pub(crate) fn table(folder: &'a Folder, entry: &'a Entry) -> Result<Asked<'a>, Problem> {
        match entry {
            Entry::Chess(material) => Ok(Asked::Chess(folder.chess()?, *material)),
            Entry::Game(kept) => Asked::game(kept.game()?, Known::Table(kept.table())),
        }
    }

    /// The states of a game.
    pub(crate) fn game(game: &'a dyn Playable, known: Known<'a>) -> Result<Asked<'a>, Problem> {
        Ok(Asked::Game(game, game.values(known)?))
    }

    /// The state that play begins in, in words.
    pub(crate) fn start(&self) -> Option<String> {
        match self {
            Asked::Chess(..) => None,
            Asked::Game(game, _) => game.start().map(|start| game.text(start)),
        }
    }

    /// A state and its value.
    pub(crate) fn worth(&self, text: &str) -> Result<(String, Worth), Problem> {
        match self {
            Asked::Chess(tables, material) => {
                let position = position(text, material)?;
                let value = tables.value(&position)?;
                let worth = Worth::new(Some(value), tables.has_distances());
                Ok((position.to_string(), worth))
            }
            Asked::Game(game, values) => {
                let state = state(*game, text)?;
                let worth = Worth::new(values.probe(state)?, values.has_distances());
                Ok((game.text(state), worth))
            }
        }
    }

    /// A state, its value, and each of its moves.
    pub(crate) fn answer(&self, text: &str) -> Result<Answer, Problem> {
        match self {
            Asked::Chess(tables, material) => {
                let answer = tables.probe(&position(text, material)?)?;
                let worth = |value: Value| Worth::new(Some(value), tables.has_distances());
                let choice = |choice: &retrograde_chess::Choice| Choice {
                    to: Some(choice.after.to_string()),
                    worth: worth(choice.value),
                };
                Ok(Answer {
                    state: answer.position.to_string(),
                    worth: worth(answer.value),
                    moves: answer.moves.iter().map(choice).collect(),
                })
            }
            Asked::Game(game, values) => Ok(ask(*game, &**values, state(*game, text)?)?),
        }
    }

    /// So many plies of best play.
    pub(crate) fn line(&self, text: &str, plies: usize) -> Result<Line, Problem> {
        match self {
            Asked::Chess(tables, material) => {
                walk(position(text, material)?, plies, |position| pass_chess(tables, position))
            }
            Asked::Game(game, values) => {
                walk(state(*game, text)?, plies, |state| pass(*game, &**values, state))
            }
        }
    }
}

/// Looks at a position on a line.
fn pass_chess(tables: &Tablebase, position: Position) -> Result<Passed<Position>, Problem> {
    let answer = tables.probe(&position)?;
    let worth = |value: Value| Worth::new(Some(value), tables.has_distances());
    let next = match answer.best() {
        _ if position.material().is_none() => Next::End("final"),
        Some(best) => Next::To(best.after, worth(best.value)),
        None => Next::End("stuck"),
    };
    Ok(Passed { text: position.to_string(), worth: worth(answer.value), next })
}

/// Looks at a state on a line.
fn pass(game: &dyn Playable, values: &dyn Values, state: u64) -> Result<Passed<u64>, Problem> {
    let distances = values.has_distances();
    let value = Probe::probe(&values, state)?;
    let next = if let Status::Final(_) = game.status(state, &mut |_| {}) {
        Next::End("final")
    } else {
        match moves(&Rules(game), &values, state)?.first() {
            None => Next::End("stuck"),
            Some(best) => match best.to {
                None => Next::End("exit"),
                Some(to) => Next::To(to, Worth::new(Some(best.value), distances)),
            },
        }
    };
    Ok(Passed { text: game.text(state), worth: Worth::new(value, distances), next })
}

/// The state of a game that a text names.
fn state(game: &dyn Playable, text: &str) -> Result<u64, Problem> {
    game.parse(text).map_err(|error| Problem::bad(format!("state: {error}")))
}

/// The position that a FEN names, if it is of this material.
fn position(fen: &str, material: &Material) -> Result<Position, Problem> {
    let position: Position =
        fen.parse().map_err(|error| Problem::bad(format!("state: {error}")))?;
    match position.material() {
        Some((found, _)) if found != *material => Err(Problem::missing(format!(
            "this position is of {found}, not of {material}: ask /tables/{found}, or /standard"
        ))),
        _ => Ok(position),
    }
}
