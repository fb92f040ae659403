//! A state as the page shows it: the side to move, the board as data, and the name and points of each move.

use retrograde_catalog::{Played, Worth};
use retrograde_positions::Board;
use serde::Serialize;

use crate::oracle::RegionOracle;
use crate::problem::Problem;

/// A state to look at.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View {
    state: String,
    /// The table with this state, if the game is solved in regions.
    table: Option<String>,
    #[serde(flatten)]
    worth: Worth,
    /// The side to move, if the players differ.
    side: Option<&'static str>,
    /// The side to move next, if the players differ.
    opponent: Option<&'static str>,
    /// The board, if the game has one that is not too large to draw.
    board: Option<Board>,
    /// The same placement with the other player to move, if it exists.
    passed: Option<String>,
    /// The moves, best first.
    moves: Vec<Step>,
}

/// A move to look at.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Step {
    to: String,
    #[serde(flatten)]
    worth: Worth,
    /// Its name.
    #[serde(rename = "move")]
    name: String,
    /// The points of the board to point at, in order, to make it.
    points: Vec<usize>,
    /// The points of the men that it takes.
    taken: Vec<usize>,
}

impl RegionOracle {
    /// A state to look at, of any region: one game leads through several.
    pub fn view(&self, text: &str) -> Result<View, Problem> {
        let oracle = self.oracle();
        let state = oracle.parse(text)?;
        let worth = |value| Worth::new(value, oracle.has_distances());
        let value = oracle.value(&state)?;
        let moves = match value {
            None => Vec::new(),
            Some(_) => oracle.choices(&state)?.moves,
        };
        let step = |Played { step, value }| Step {
            to: oracle.text(&step.next),
            worth: worth(Some(value)),
            name: step.name,
            points: step.points,
            taken: step.taken,
        };
        let players = oracle.players();
        let player = |number: usize| (players.len() > 1).then(|| players[number % 2]);
        let (side, board) = (oracle.player(&state), oracle.board(&state));
        let passed = board.as_ref().filter(|_| players.len() > 1);
        let passed = passed.and_then(|board| oracle.with_board(board, 1 - side));
        Ok(View {
            state: oracle.text(&state),
            table: oracle.region_of(&state).filter(|region| !region.is_empty()),
            worth: worth(value),
            side: player(side),
            opponent: player(side + 1),
            passed: passed.map(|passed| oracle.text(&passed)),
            board,
            moves: moves.into_iter().map(step).collect(),
        })
    }
}
