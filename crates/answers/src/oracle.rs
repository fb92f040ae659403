//! Questions about the states of one table, the same for every game: the value of a state, its moves, and
//! best play.

use retrograde_catalog::{Oracle, State, States, Worth};
use serde::Serialize;

use crate::folder::{Entry, Folder};
use crate::line::{Line, Move, Next, Passed, walk};
use crate::problem::Problem;

/// States that a client can ask for: those of a game, or of one region of a family.
pub(crate) struct RegionOracle {
    oracle: Oracle,
    region: String,
}

/// A state with its value and its moves.
#[derive(Serialize)]
pub(crate) struct Answer {
    state: String,
    /// Its value for the player to move.
    #[serde(flatten)]
    worth: Worth,
    /// Its moves, best first.
    moves: Vec<Choice>,
}

/// A move.
#[derive(Serialize)]
struct Choice {
    /// The state after it.
    to: String,
    /// Its value for the player who makes it, including the move.
    #[serde(flatten)]
    worth: Worth,
}

impl RegionOracle {
    /// The states of a table.
    pub(crate) fn table(folder: &Folder, entry: &Entry) -> Result<RegionOracle, Problem> {
        match entry {
            Entry::Region(region) => {
                Ok(RegionOracle { oracle: folder.family()?.clone(), region: region.clone() })
            }
            Entry::Game(kept) => Ok(RegionOracle::game(kept.oracle()?)),
        }
    }

    /// The states of a game.
    pub(crate) fn game(oracle: Oracle) -> RegionOracle {
        RegionOracle { oracle, region: String::new() }
    }

    /// The oracle that answers.
    pub(crate) fn oracle(&self) -> &Oracle {
        &self.oracle
    }

    /// All states of the region.
    pub(crate) fn states(&self) -> Result<Box<dyn States + '_>, Problem> {
        Ok(self.oracle.region(&self.region)?)
    }

    /// The start state, as text.
    pub(crate) fn start(&self) -> Option<String> {
        let start = self.oracle.start()?;
        (self.oracle.region_of(&start)? == self.region).then(|| self.oracle.text(&start))
    }

    /// A state and its value.
    pub(crate) fn worth(&self, text: &str) -> Result<(String, Worth), Problem> {
        let (oracle, state) = (&self.oracle, self.state(text)?);
        let worth = Worth::new(oracle.value(&state)?, oracle.has_distances());
        Ok((oracle.text(&state), worth))
    }

    /// A state, its value, and each of its moves.
    pub(crate) fn answer(&self, text: &str) -> Result<Answer, Problem> {
        let (oracle, state) = (&self.oracle, self.state(text)?);
        let worth = |value| Worth::new(value, oracle.has_distances());
        let (value, moves) = match oracle.value(&state)? {
            None => (None, Vec::new()),
            Some(_) => {
                let asked = oracle.choices(&state)?;
                (Some(asked.value), asked.moves)
            }
        };
        let moves = moves.into_iter().map(|played| Choice {
            to: oracle.text(&played.step.next),
            worth: worth(Some(played.value)),
        });
        Ok(Answer { state: oracle.text(&state), worth: worth(value), moves: moves.collect() })
    }

    /// Best play, for at most `plies` plies.
    pub(crate) fn line(&self, text: &str, plies: usize) -> Result<Line, Problem> {
        walk(self.state(text)?, plies, |state| self.pass(&state))
    }

    /// Looks at a state on a line.
    fn pass(&self, state: &State) -> Result<Passed<State>, Problem> {
        let oracle = &self.oracle;
        let worth = |value| Worth::new(value, oracle.has_distances());
        let text = oracle.text(state);
        if oracle.value(state)?.is_none() {
            return Ok(Passed { text, worth: worth(None), next: Next::End("stuck") });
        }
        let asked = oracle.choices(state)?;
        let next = match (oracle.region_of(state), asked.over, asked.moves.into_iter().next()) {
            (None, ..) => Next::End("terminal"),
            (_, Some(over), None) if over.kind == "terminal" => Next::End("terminal"),
            (_, _, None) => Next::End("stuck"),
            (_, _, Some(best)) => {
                let (worth, step) = (worth(Some(best.value)), best.step);
                Next::Move(Move { to: step.next, worth, name: step.name })
            }
        };
        Ok(Passed { text, worth: worth(Some(asked.value)), next })
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
