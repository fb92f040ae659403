//! A value as text, for people and programs.

use retrograde::{Outcome, Value};
use serde::Serialize;

/// A value as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Worth {
    /// `win`, `loss`, `draw`, or `invalid` for a number that is no position.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "loss", "draw", "invalid"])))]
    pub value: &'static str,
    /// The distance in plies; none for a draw, and if distances were not kept.
    pub distance: Option<u32>,
}

impl Worth {
    /// A value with its distance, if distances were kept.
    pub fn new(value: Option<Value>, distances: bool) -> Worth {
        Worth {
            value: value.map_or("invalid", word),
            distance: value.and_then(Value::distance).filter(|_| distances),
        }
    }
}

/// `win`, `loss` or `draw`.
pub fn word(value: Value) -> &'static str {
    match value.outcome() {
        Outcome::Win => "win",
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
    }
}
