//! The schemas of entries whose names games and families choose.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// How a line may end.
pub(crate) const ENDS: [&str; 7] =
    ["terminal", "stuck", "exit", "cycle", "checkmate", "stalemate", "bare kings"];

/// A move of a line in the notations of its game; null in the last state.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Notations {
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
}

/// What a game says of its result.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Remark {
    #[serde(skip_serializing_if = "Option::is_none")]
    police_first: Option<Vec<String>>,
}

/// What the table of a region says of each side to move, under the name that its family chooses.
#[derive(JsonSchema, Serialize)]
pub(crate) struct InfoSides {
    #[serde(skip_serializing_if = "Option::is_none")]
    placements: Option<FamilySides>,
    /// A game whose positions share states by symmetry has its counts here.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<PositionsOf>,
}

#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
enum PositionsOf {
    Sides(FamilySides),
    Counts { win: u64, loss: u64, draw: u64 },
}

/// By the names of the players, or as a list.
#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub(crate) enum FamilySides {
    Named(BTreeMap<String, SideOf>),
    Listed(Vec<SideOf>),
}

/// A side to move: whose men there are, and what it wins.
#[derive(JsonSchema, Serialize)]
pub(crate) struct SideOf {
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<u32>,
    win: u64,
    draw: u64,
    loss: u64,
    longest: Option<u32>,
    /// A position with the longest win: in chess `fen`, else `position`.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
}
