//! The header of a table: what one can read of it without a program.

use retrograde::Counts;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::layout::Layout;

/// What a table is of, as its writer says. With it the game can be set up again from the table alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The name of the game in one lower-case word: `pursuit`.
    pub game: String,
    /// What else its rules depend on, as JSON: an object, each parameter under its name.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub parameters: Json,
    /// The text of its board, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// How many states each mover wins, loses, draws; empty where nobody counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<MoverCounts>,
}

/// The states in which one of the players is to move, by value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoverCounts {
    /// Who is to move: `thief`.
    pub mover: String,
    /// States that this player wins.
    pub win: u64,
    /// States that this player loses.
    pub loss: u64,
    /// States that neither wins.
    pub draw: u64,
    /// Holes in the numbering.
    pub void: u64,
}

impl MoverCounts {
    /// The counts of this mover.
    pub fn new(mover: &str, counts: Counts) -> MoverCounts {
        let Counts { win, loss, draw, void } = counts;
        MoverCounts { mover: mover.into(), win, loss, draw, void }
    }
}

/// Whether void states are known as such.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Voids {
    /// A void state is void.
    #[default]
    Kept,
    /// A void state reads as anything: who has the rules at hand asks them first. On boards with walls
    /// this saves a third of the table.
    Forgotten,
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// What the table is of.
    #[serde(flatten)]
    pub about: About,
    /// How many states there are, holes included.
    pub states: u64,
    /// Whether distances are kept. Without them every distance reads 0.
    pub distances: bool,
    /// What distances count: always `plies`.
    pub unit: String,
    /// The longest distance of the histogram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<u32>,
    /// Whether void states are known as such.
    pub voids: Voids,
    /// How the blocks are packed. Only for people: each block tells by itself.
    pub compression: String,
    /// How long the rows are that the states fall into.
    pub columns: u64,
    /// How many movers take turns from row to row.
    pub movers: u64,
    /// The mover whose states are kept, if not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half: Option<u64>,
    /// How many rows of one mover a block has.
    pub block_rows: u64,
    /// How many columns a block has.
    pub block_columns: u64,
}

/// The unit of all distances.
pub(crate) const PLIES: &str = "plies";

impl Header {
    /// The order of the states, or what is wrong with it.
    pub(crate) fn layout(&self) -> Result<Layout, String> {
        if self.unit != PLIES {
            return Err(format!("distances are counted in '{}', not in plies", self.unit));
        }
        let Header { states, columns, movers, half, block_rows, block_columns, .. } = *self;
        Layout { states, columns, movers, half, block_rows, block_columns }.checked()
    }

    pub(crate) fn to_text(&self) -> String {
        let mut header = self.clone();
        header.about.parameters = sorted(header.about.parameters);
        // Nothing in it can fail to be written: all keys are strings, and no number is NaN.
        serde_json::to_string_pretty(&header).expect("a header is JSON") + "\n"
    }
}

/// The same value with its keys in order. Whether serde_json keeps them in order or as they came is
/// for whoever builds the program to choose, and must not change a table.
fn sorted(value: Json) -> Json {
    match value {
        Json::Array(values) => values.into_iter().map(sorted).collect(),
        Json::Object(entries) => {
            let mut entries: Vec<(String, Json)> = entries.into_iter().collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            entries.into_iter().map(|(key, value)| (key, sorted(value))).collect()
        }
        plain => plain,
    }
}
