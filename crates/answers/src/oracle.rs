//! Questions about the states of one game or table, the same for every game: the value of a state, its moves, and
//! best play.

use retrograde_catalog::{Oracle, State, StateAnswer, States, Worth};
use serde::Serialize;

use crate::limits::Check;
use crate::problem::{Problem, ProblemKind};

/// States that a client can ask for: those of a game, or of one region of a family.
pub struct RegionOracle {
    oracle: Oracle,
    region: String,
}

/// The answer for one of many states.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum BatchAnswer {
    /// A state and its value.
    Worth {
        /// The state as text.
        state: String,
        /// Its value.
        #[serde(flatten)]
        worth: Worth,
    },
    /// A state with its moves.
    Answer(StateAnswer),
    /// A text that names no state.
    Problem {
        /// The text.
        state: String,
        /// What is wrong with it.
        error: String,
    },
}

impl RegionOracle {
    /// The states of a game, or of a region of a family.
    pub fn new(oracle: Oracle, region: impl Into<String>) -> RegionOracle {
        RegionOracle { oracle, region: region.into() }
    }

    /// The oracle that answers.
    pub fn oracle(&self) -> &Oracle {
        &self.oracle
    }

    /// All states of the region.
    pub fn states(&self) -> Result<Box<dyn States + '_>, Problem> {
        Ok(self.oracle.region(&self.region)?)
    }

    /// The start state, as text.
    pub fn start(&self) -> Option<String> {
        let start = self.oracle.start()?;
        (self.oracle.region_of(&start)? == self.region).then(|| self.oracle.text(&start))
    }

    /// A state and its value.
    pub fn worth(&self, text: &str) -> Result<(String, Worth), Problem> {
        let (oracle, state) = (&self.oracle, self.state(text)?);
        let worth = Worth::new(oracle.value(&state)?, oracle.has_distances());
        Ok((oracle.text(&state), worth))
    }

    /// A state, its value, and each of its moves.
    pub fn answer(&self, text: &str) -> Result<StateAnswer, Problem> {
        Ok(self.oracle.answer(&self.state(text)?)?)
    }

    /// The answer for each of many states. If a text names no state, only its own answer is an error.
    pub fn tell_all(
        &self,
        states: Vec<String>,
        moves: bool,
        check: Check<'_>,
    ) -> Result<Vec<BatchAnswer>, Problem> {
        let tell = |text: String| {
            check()?;
            let told = if moves {
                self.answer(&text).map(BatchAnswer::Answer)
            } else {
                self.worth(&text).map(|(state, worth)| BatchAnswer::Worth { state, worth })
            };
            match told {
                Err(problem) if problem.kind() != ProblemKind::Fault => {
                    Ok(BatchAnswer::Problem { state: text, error: problem.text().to_owned() })
                }
                told => told,
            }
        };
        states.into_iter().map(tell).collect()
    }

    /// The state that a text names. It must belong to this region, if there are regions.
    pub(crate) fn state(&self, text: &str) -> Result<State, Problem> {
        let state = self.oracle.parse(text)?;
        match self.oracle.region_of(&state) {
            Some(found) if found != self.region => Err(Problem::missing(format!(
                "this position is of {found}, not of {}: ask /tables/{found}",
                self.region
            ))),
            _ => Ok(state),
        }
    }
}
