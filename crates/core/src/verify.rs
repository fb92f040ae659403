//! Whether an answer is right: every value must follow from the values one move on.
//!
//! A win has a move that wins in its distance and none that wins sooner; a loss has only moves that
//! lose, the longest in its distance; a draw has a move that draws and none that wins. Only one
//! answer obeys everywhere: by induction on the distance its wins and losses are right, and among wrong
//! draws one would have a move that gives it away.

use std::fmt;

use rayon::prelude::*;

use crate::game::{Game, Probe, Status, Value};

/// What a verification has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many states the numbering has.
    pub states: u64,
    /// How many moves were looked at, exits among them.
    pub moves: u64,
}

/// Why an answer could not be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken<E> {
    /// A value does not follow from the rules and the values one move on.
    Value {
        /// The state.
        state: u64,
        /// What the answer says; `None` for void.
        found: Option<Value>,
        /// What follows.
        expected: Option<Value>,
    },
    /// The answer has another number of states than the game.
    States {
        /// How many the answer has.
        found: u64,
        /// How many the game has.
        expected: u64,
    },
    /// Looking up a state failed.
    Probe(E),
}

impl<E: fmt::Display> fmt::Display for Broken<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |value: &Option<Value>| match value {
            None => "void".to_string(),
            Some(value) => format!("{value:?}"),
        };
        match self {
            Broken::Value { state, found, expected } => {
                write!(f, "state {state} is {} but {} follows", name(found), name(expected))
            }
            Broken::States { found, expected } => {
                write!(f, "the answer has {found} states but the game has {expected}")
            }
            Broken::Probe(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Broken<E> {}

/// Checks that every value follows from the rules and the values one move on, and names the first
/// state where it does not. Without distances the check is weaker: it cannot tell a win from
/// a promise of one that is never kept.
pub fn verify<P: Probe>(game: &impl Game, probe: &P) -> Result<Verified, Broken<P::Error>>
where
    P::Error: Send,
{
    const RUN: u64 = 1 << 14;
    let states = game.states();
    if probe.states() != states {
        return Err(Broken::States { found: probe.states(), expected: states });
    }
    let runs = states.div_ceil(RUN);
    let check = |run: u64| {
        (run * RUN..states.min(run * RUN + RUN))
            .try_fold(0, |moves, state| Ok(moves + verify_state(game, probe, state)?))
    };
    // In waves and in order, so that the state named is the first, however many threads look.
    let wave = 16 * rayon::current_num_threads() as u64;
    let mut moves = 0;
    for first in (0..runs).step_by(wave as usize) {
        let results: Vec<Result<u64, _>> =
            (first..runs.min(first + wave)).into_par_iter().map(check).collect();
        for result in results {
            moves += result?;
        }
    }
    Ok(Verified { states, moves })
}

/// Checks one state. Returns how many moves it has.
fn verify_state<P: Probe>(
    game: &impl Game,
    probe: &P,
    state: u64,
) -> Result<u64, Broken<P::Error>> {
    let mut best: Option<Value> = None;
    let mut moves = 0;
    let mut consider = |value: Value| {
        moves += 1;
        if best.is_none_or(|best| value.preference() > best.preference()) {
            best = Some(value);
        }
    };
    let mut failed = None;
    let expected = match game.status(state, &mut consider) {
        Status::Void => None,
        Status::Final(value) => Some(value),
        Status::Open => {
            game.successors(state, |to| match probe.probe(to) {
                Ok(Some(value)) => consider(value.after_move(game.keeps_turn(state, to))),
                Ok(None) => {
                    let void =
                        Broken::Value { state: to, found: None, expected: Some(Value::Draw) };
                    failed = Some(void);
                }
                Err(error) => failed = Some(Broken::Probe(error)),
            });
            Some(best.unwrap_or(Value::Loss(0)))
        }
    };
    if let Some(failed) = failed {
        return Err(failed);
    }
    let found = probe.probe(state).map_err(Broken::Probe)?;
    let same = match (found, expected) {
        (Some(found), Some(expected)) if !probe.has_distances() => {
            found.outcome() == expected.outcome()
        }
        _ => found == expected,
    };
    if same { Ok(moves) } else { Err(Broken::Value { state, found, expected }) }
}
