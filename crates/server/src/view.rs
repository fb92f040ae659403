//! A state as the page draws it: the side to move, the board as text, and the name and look of each move.

use retrograde::play::{Move, moves};
use retrograde_catalog::{Playable, Rules, Values, Worth};
use serde::Serialize;

use crate::ask::Asked;
use crate::problem::Problem;

/// A state to look at.
#[derive(Serialize)]
pub(crate) struct View {
    state: String,
    #[serde(flatten)]
    worth: Worth,
    /// Who is to move, where the players differ.
    mover: Option<&'static str>,
    /// The board as text. Letters, digits and dots are places; `-`, `|`, `/` and `\` are lines between them.
    picture: Option<String>,
    /// The same placement with the other player to move, where there is one.
    passed: Option<String>,
    /// Best first.
    moves: Vec<Step>,
}

/// A move to look at.
#[derive(Serialize)]
struct Step {
    to: Option<String>,
    #[serde(flatten)]
    worth: Worth,
    /// What the move is called.
    #[serde(rename = "move")]
    name: String,
    /// The board after it.
    picture: Option<String>,
}

impl Asked<'_> {
    /// A state to look at.
    pub(crate) fn view(&self, text: &str) -> Result<View, Problem> {
        match self {
            Asked::Region(..) => {
                let answer = self.answer(text)?;
                let step = |choice: retrograde_catalog::Choice| Step {
                    name: choice.to.clone().unwrap_or_default(),
                    to: choice.to,
                    worth: choice.worth,
                    picture: None,
                };
                Ok(View {
                    state: answer.state,
                    worth: answer.worth,
                    mover: None,
                    picture: None,
                    passed: None,
                    moves: answer.moves.into_iter().map(step).collect(),
                })
            }
            Asked::Game(game, values) => view(*game, &**values, text),
        }
    }
}

fn view(game: &dyn Playable, values: &dyn Values, text: &str) -> Result<View, Problem> {
    let state = game.parse(text).map_err(|error| Problem::bad(format!("state: {error}")))?;
    let distances = values.has_distances();
    let value = values.probe(state)?;
    let worth = Worth::new(value, distances);
    if value.is_none() {
        let state = text.to_owned();
        return Ok(View { state, worth, mover: None, picture: None, passed: None, moves: vec![] });
    }
    let step = |Move { to, value }| Step {
        to: to.map(|to| game.text(to)),
        worth: Worth::new(Some(value), distances),
        name: to.map_or_else(|| "out of the game".to_owned(), |to| game.step(state, to)),
        picture: to.and_then(|to| game.picture(to)),
    };
    let steps = moves(&Rules(game), &values, state)?.into_iter().map(step).collect();
    let names = game.movers();
    Ok(View {
        state: game.text(state),
        worth,
        mover: (names.len() > 1).then(|| names[game.mover(state)]),
        picture: game.picture(state),
        passed: game.passed(state).map(|passed| game.text(passed)),
        moves: steps,
    })
}
