//! A state as the page draws it: the side to move, the board as text, and the name and look of each move.

use std::collections::HashSet;

use retrograde_catalog::{Oracle, Played, State, Worth};
use serde::Serialize;

use crate::ask::Asked;
use crate::problem::Problem;

/// A state to look at.
#[derive(Serialize)]
pub(crate) struct View {
    state: String,
    /// The table with this state, if the game is solved in regions.
    table: Option<String>,
    #[serde(flatten)]
    worth: Worth,
    /// The side to move, if the players differ.
    side: Option<&'static str>,
    /// The side to move next, if the players differ.
    opponent: Option<&'static str>,
    /// The board as text. Letters, digits and dots are places; `-`, `|`, `/` and `\` are lines between them;
    /// names of rows stand before them, names of columns below.
    picture: Option<String>,
    /// For each player, the letter of their men, and how many men they still have in hand. Empty if no player has any.
    hand: Vec<(char, u32)>,
    /// The same placement with the other player to move, if it exists.
    passed: Option<String>,
    /// The moves, best first.
    moves: Vec<Step>,
}

/// A move to look at.
#[derive(Serialize)]
struct Step {
    to: Option<String>,
    #[serde(flatten)]
    worth: Worth,
    /// Its name.
    #[serde(rename = "move")]
    name: String,
    /// The board after it.
    picture: Option<String>,
    /// The ways to make it on the board as drawn, if the board after it may be drawn in another orientation.
    ways: Vec<Way>,
}

/// A way to make a move.
#[derive(Debug, Serialize)]
pub(crate) struct Way {
    /// Its name.
    name: String,
    /// The board after it, neither turned nor with other letters.
    picture: String,
}

/// The ways to make a move of a state.
pub(crate) fn ways(oracle: &dyn Oracle, from: &State, to: Option<&State>) -> Vec<Way> {
    let ways = to.map(|to| oracle.ways(from, to)).unwrap_or_default();
    ways.into_iter().map(|way| Way { name: way.name, picture: way.picture }).collect()
}

impl Asked<'_> {
    /// A state to look at, of any region: one game leads through several.
    pub(crate) fn view(&self, text: &str) -> Result<View, Problem> {
        let oracle = self.oracle();
        let state = oracle.parse(text)?;
        let worth = |value| Worth::new(value, oracle.has_distances());
        let value = oracle.value(&state)?;
        let Some(_) = value else {
            let (state, worth) = (text.to_owned(), worth(None));
            let moves = vec![];
            return Ok(View {
                state,
                table: None,
                worth,
                side: None,
                opponent: None,
                picture: None,
                hand: vec![],
                passed: None,
                moves,
            });
        };
        let step = |played: Played| Step {
            to: played.to.as_ref().map(|to| oracle.text(to)),
            worth: worth(Some(played.value)),
            name: match played.to {
                Some(_) => played.label,
                None => "out of the game".to_owned(),
            },
            ways: ways(oracle, &state, played.to.as_ref()),
            picture: played.to.and_then(|to| picture(oracle, &to)),
        };
        let mut moves: Vec<Step> = oracle.ask(&state)?.moves.into_iter().map(step).collect();
        // Moves to symmetric images of one position are shown as one move, with all its ways.
        let mut met = HashSet::new();
        moves.retain(|step| step.ways.is_empty() || met.insert(step.to.clone()));
        let players = oracle.players();
        let player = |number: usize| (players.len() > 1).then(|| players[number % 2]);
        let side = oracle.player(&state);
        Ok(View {
            state: oracle.text(&state),
            table: oracle.region_of(&state).filter(|region| !region.is_empty()),
            worth: worth(value),
            side: player(side),
            opponent: player(side + 1),
            picture: picture(oracle, &state),
            hand: oracle.hand(&state),
            passed: oracle.passed(&state).map(|passed| oracle.text(&passed)),
            moves,
        })
    }
}

/// The board as text. Boards of pieces have a page of their own.
fn picture(oracle: &dyn Oracle, state: &State) -> Option<String> {
    let of_pieces = oracle.view(state).is_some_and(|view| view.pieces);
    if of_pieces { None } else { oracle.picture(state) }
}
