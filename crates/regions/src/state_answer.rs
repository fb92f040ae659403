//! The answer about a state as an object, for programs.

use retrograde_positions::Move;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::texts::Style;
use crate::worth::Worth;

/// A state with its value and its moves.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateAnswer {
    pub(crate) state: String,
    #[serde(flatten)]
    pub(crate) worth: Worth,
    /// Its moves, best first.
    pub(crate) moves: Vec<MoveAnswer>,
}

/// A move, and its value for the player who makes it, including the move.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveAnswer {
    /// The state after it.
    pub(crate) to: String,
    #[serde(flatten)]
    pub(crate) notations: Notations,
    #[serde(flatten)]
    pub(crate) worth: Worth,
}

/// A move in each notation of its family, by name.
pub(crate) struct Notations(Vec<(&'static str, String)>);

impl Notations {
    pub(crate) fn of<P>(style: &Style, step: &Move<P>) -> Notations {
        let entries = style.entries.iter();
        Notations(entries.map(|(name, notation)| (*name, notation.of(step).to_owned())).collect())
    }
}

impl Serialize for Notations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, text)| (name, text)))
    }
}

/// The notations that families have.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Notations {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Notations".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": {
                "move": { "type": "string" },
                "uci": { "type": "string" },
                "san": { "type": "string" },
            },
        })
    }
}

/// The answer of a game, if it has a form of its own, or else the answer that all have.
#[derive(Serialize)]
#[serde(untagged)]
pub enum StateObject {
    /// Such as that of lichess's table server.
    Own(Json),
    /// The state with its moves.
    Answer(StateAnswer),
}
