//! Best play from a state, for a number of plies. The winner hurries, the loser delays, and a draw ends where
//! a state repeats.

use std::collections::HashMap;
use std::hash::Hash;

use retrograde_catalog::Worth;
use serde::Serialize;

use crate::problem::Problem;

/// A line of play.
#[derive(Debug, Serialize)]
pub struct Line {
    /// The states in order. The first is the requested one.
    states: Vec<Stop>,
    /// `terminal`: the rules decide. `stuck`: no move is left. `cycle`: play
    /// returns to an earlier state. `more`: play continues beyond the requested plies.
    end: &'static str,
    /// Where in `states` the cycle begins.
    back_to: Option<usize>,
}

/// A state of the line.
#[derive(Debug, Serialize)]
struct Stop {
    state: String,
    #[serde(flatten)]
    worth: Worth,
    /// The name of the move to this state; none for the first state.
    #[serde(rename = "move")]
    name: Option<String>,
}

/// A state on the walk along best play.
pub(crate) struct Passed<S> {
    /// The state as text.
    pub(crate) text: String,
    /// Its value.
    pub(crate) worth: Worth,
    /// The best move.
    pub(crate) next: Next<S>,
}

/// A move.
pub(crate) struct Move<S> {
    /// Where it leads.
    pub(crate) to: S,
    /// Its value.
    pub(crate) worth: Worth,
    /// Its name.
    pub(crate) name: String,
}

/// How play continues.
pub(crate) enum Next<S> {
    /// By a move.
    Move(Move<S>),
    /// It ends, and why.
    End(&'static str),
}

/// Walks along best play. `pass` reads a state. The value of the best move must agree with that of the state.
pub(crate) fn walk<S: Clone + Eq + Hash>(
    from: S,
    plies_max: usize,
    mut pass: impl FnMut(S) -> Result<Passed<S>, Problem>,
) -> Result<Line, Problem> {
    let mut states: Vec<Stop> = Vec::new();
    let mut seen = HashMap::new();
    let (mut state, mut name) = (from, None);
    let (end, back_to) = loop {
        if let Some(&back_to) = seen.get(&state) {
            break ("cycle", Some(back_to));
        }
        if states.len() > plies_max {
            break ("more", None);
        }
        seen.insert(state.clone(), states.len());
        let Passed { text, worth, next } = pass(state)?;
        if worth.value != "draw" && worth.distance.is_none() {
            let text = match worth.value {
                "invalid" => "the state is invalid: no position of the game is meant",
                _ => "the table has no distances, so best play is unknown",
            };
            return Err(Problem::refused(text));
        }
        states.push(Stop { state: text.clone(), worth, name: name.take() });
        match next {
            Next::End(end) => break (end, None),
            Next::Move(best) if best.worth != worth => {
                let words = "the value of the best move contradicts the value of the state";
                return Err(Problem::fault(format!("{text}: {words}")));
            }
            Next::Move(best) => (state, name) = (best.to, Some(best.name)),
        }
    };
    Ok(Line { states, end, back_to })
}
