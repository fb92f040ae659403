//! Best play from a state to the end, for every game.

use retrograde::Value;
use retrograde_catalog::word;
use serde::{Serialize, Serializer};

use crate::report::list::distance;
use crate::term::failure::Failure;

/// Best play, as an object.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Played<'a> {
    pub(crate) game: &'a str,
    #[cfg_attr(test, schemars(extend("enum" = ["win", "loss", "draw"])))]
    value: &'static str,
    distance: Option<u32>,
    #[cfg_attr(test, schemars(with = "Vec<Step>"))]
    states: Steps<'a>,
    end: End,
}

impl<'a> Played<'a> {
    /// A line of `states` states. `step` describes each of them.
    pub(crate) fn new(
        (game, value, distances): (&'a str, Value, bool),
        states: usize,
        step: impl Fn(usize) -> Result<Step, Failure> + 'a,
        end: End,
    ) -> Played<'a> {
        let states = Steps { states, step: Box::new(step) };
        Played { game, value: word(value), distance: distance(value, distances), states, end }
    }
}

/// The states of a line. There may be millions, so each is made when it is written.
struct Steps<'a> {
    states: usize,
    step: Box<dyn Fn(usize) -> Result<Step, Failure> + 'a>,
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{Error, SerializeSeq};
        let mut list = serializer.serialize_seq(Some(self.states))?;
        for place in 0..self.states {
            let step = (self.step)(place).map_err(|failure| S::Error::custom(failure.message()))?;
            list.serialize_element(&step)?;
        }
        list.end()
    }
}

/// A state of a line.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Step {
    pub(crate) state: String,
    #[cfg_attr(test, schemars(extend("enum" = ["win", "loss", "draw"])))]
    pub(crate) value: &'static str,
    pub(crate) distance: Option<u32>,
    pub(crate) picture: Option<String>,
    /// The move played there, in each notation; null in the last state.
    #[serde(flatten, serialize_with = "entries")]
    #[cfg_attr(test, schemars(with = "crate::report::entries::Notations"))]
    pub(crate) played: Vec<(&'static str, Option<String>)>,
}

fn entries<S: Serializer>(
    entries: &[(&'static str, Option<String>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, text)| (name, text)))
}

/// How a line ends. The value is that of its last state.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct End {
    #[cfg_attr(test, schemars(extend("enum" = crate::report::entries::ENDS)))]
    pub(crate) kind: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = ["win", "loss", "draw"])))]
    pub(crate) value: &'static str,
    /// The ply of the state that occurs again.
    pub(crate) back_to: Option<u64>,
}
