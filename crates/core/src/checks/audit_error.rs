//! The result of an audit: how a game breaks its contract.

use std::fmt;

use crate::rules::Value;

/// The result of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audited {
    /// How many states were checked.
    pub states: u64,
    /// How many moves the open states have.
    pub moves: u64,
}

/// How a game breaks its contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditError {
    /// `successors(from)` and `predecessors(to)` visit each other a different number of times.
    Moves {
        /// The state that the move leaves.
        from: u64,
        /// The state that it leads to.
        to: u64,
        /// How often `successors` visits it.
        forwards: u64,
        /// How often `predecessors` visits it.
        backwards: u64,
    },
    /// `degree` differs from the number of successors.
    Degree {
        /// The state.
        state: u64,
        /// The result of `degree`.
        degree: u64,
        /// How many successors are visited.
        successors: u64,
    },
    /// A state has more moves than `degree_max` says.
    DegreeMax {
        /// The state.
        state: u64,
        /// How many moves it has.
        degree: u64,
        /// The result of `degree_max`.
        degree_max: u64,
    },
    /// `successors(state)` does not end when `visit` breaks, or does not say that it has ended.
    Stop {
        /// The state.
        state: u64,
    },
    /// `classify` or `invalid_states` contradicts `status` and `degree`.
    Classify {
        /// The state.
        state: u64,
    },
    /// `predecessors(state)` and `predecessors_of_each` visit `from` a different number of times.
    Each {
        /// The state.
        state: u64,
        /// The predecessor.
        from: u64,
        /// How often `predecessors` visits it.
        alone: u64,
        /// How often `predecessors_of_each` visits it, for several states at once.
        together: u64,
    },
    /// A method of [`BitParallel`](crate::bit_parallel::BitParallel) contradicts the methods for single
    /// states.
    Words {
        /// The method.
        method: &'static str,
        /// The word that it was asked about.
        word: u64,
        /// The set of states it was given.
        set: u64,
        /// The first state about which it is wrong.
        state: u64,
    },
    /// The value of an exit is a win or a loss in 0, so it does not count the move itself.
    Exit {
        /// The state that has the exit.
        state: u64,
        /// The value of the exit.
        value: Value,
    },
    /// A move leads to an invalid state.
    IntoInvalid {
        /// The state that the move leaves.
        from: u64,
        /// The invalid state.
        to: u64,
    },
    /// A move leads out of `0..states`, forwards or backwards.
    Outside {
        /// The state.
        state: u64,
        /// What it visited.
        visited: u64,
    },
    /// The progress callback asked to stop.
    Cancelled,
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            AuditError::Moves { from, to, forwards, backwards } => write!(
                f,
                "state {from}: successors({from}) visits {to} {} but predecessors({to}) visits {from} {}",
                times(forwards),
                times(backwards)
            ),
            AuditError::Degree { state, degree, successors } => write!(
                f,
                "state {state}: degree({state}) is {degree} but successors({state}) visits {successors}"
            ),
            AuditError::DegreeMax { state, degree, degree_max } => {
                write!(f, "state {state}: it has {degree} moves but degree_max() is {degree_max}")
            }
            AuditError::Stop { state } => write!(
                f,
                "state {state}: successors({state}) must end at a visit that breaks, and return what the last visit returned"
            ),
            AuditError::Classify { state } => write!(
                f,
                "state {state}: classify(..) or invalid_states({}) says something else of it than status({state}) and degree({state})",
                state / 64
            ),
            AuditError::Each { state, from, alone, together } => write!(
                f,
                "state {state}: predecessors({state}) visits {from} {} but predecessors_of_each(..) visits it {}",
                times(alone),
                times(together)
            ),
            AuditError::Words { method, word, set, state } => write!(
                f,
                "state {state}: {method}({word}, {set:#x}) disagrees with the scalar methods"
            ),
            AuditError::Exit { state, value } => write!(
                f,
                "state {state}: exits({state}) visits the value {value:?}; add the move itself"
            ),
            AuditError::IntoInvalid { from, to } => {
                write!(f, "state {from}: successors({from}) visits {to}, which is invalid")
            }
            AuditError::Outside { state, visited } => {
                write!(
                    f,
                    "state {state}: its moves visit {visited}, which is not a state of the game"
                )
            }
            AuditError::Cancelled => f.write_str("the audit was stopped"),
        }
    }
}

impl std::error::Error for AuditError {}

impl AuditError {
    /// The state that shows the error, if there is one.
    pub fn state(&self) -> Option<u64> {
        match *self {
            AuditError::Moves { from: state, .. }
            | AuditError::Degree { state, .. }
            | AuditError::DegreeMax { state, .. }
            | AuditError::Stop { state }
            | AuditError::Classify { state }
            | AuditError::Each { state, .. }
            | AuditError::Words { state, .. }
            | AuditError::Exit { state, .. }
            | AuditError::IntoInvalid { from: state, .. }
            | AuditError::Outside { state, .. } => Some(state),
            AuditError::Cancelled => None,
        }
    }
}

fn times(n: u64) -> String {
    match n {
        0 => "never".to_string(),
        1 => "once".to_string(),
        n => format!("{n} times"),
    }
}
