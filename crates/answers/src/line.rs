//! Best play from a state, for a number of plies. The winner hurries, the loser delays, and a draw ends where
//! a state repeats.

use retrograde_catalog::{NO_DISTANCES, Worth};
use serde::Serialize;

use crate::oracle::RegionOracle;
use crate::problem::Problem;

/// A line of play.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// The states in order. The first is the requested one.
    states: Vec<Stop>,
    /// `terminal`: the rules decide. `stuck`: no move is left. `cycle`: play
    /// returns to an earlier state. `more`: play continues beyond the requested plies.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["terminal", "stuck", "cycle", "more"])))]
    end: &'static str,
    /// Where in `states` the cycle begins.
    back_to: Option<usize>,
}

/// A state of the line.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Stop {
    state: String,
    #[serde(flatten)]
    worth: Worth,
    /// The name of the move to this state; none for the first state.
    #[serde(rename = "move")]
    name: Option<String>,
}

impl RegionOracle {
    /// Best play, for at most `plies` plies.
    pub fn line(&self, text: &str, plies: usize) -> Result<Line, Problem> {
        let (oracle, from) = (self.oracle(), self.state(text)?);
        let value = oracle.value(&from)?;
        let worth = |value| Worth::new(value, oracle.has_distances());
        match worth(value) {
            Worth { value: "invalid", .. } => {
                let text = "the state is invalid: no position of the game is meant";
                return Err(Problem::refused(text));
            }
            Worth { value: "win" | "loss", distance: None } => {
                return Err(Problem::refused(NO_DISTANCES));
            }
            _ => {}
        }
        let line = oracle.line_within(&from, plies)?;
        let values = line.moves.iter().map(|played| played.value).chain([line.last]);
        let names =
            [None].into_iter().chain(line.moves.iter().map(|played| Some(&played.step.name)));
        let stop = |((state, value), name): ((_, _), Option<&String>)| Stop {
            state: oracle.text(state),
            worth: worth(Some(value)),
            name: name.cloned(),
        };
        let states = line.states.iter().zip(values).zip(names).map(stop).collect();
        // Games have more kinds of ends, such as mate. A decided state outside of all tables is one by the rules.
        let decided = line.states.last().is_some_and(|last| oracle.region_of(last).is_none());
        let end = match line.kind {
            "terminal" | "cycle" | "more" => line.kind,
            _ if decided => "terminal",
            _ => "stuck",
        };
        Ok(Line { states, end, back_to: line.back_to })
    }
}
