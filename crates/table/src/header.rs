//! The header of a table: what one can read of it without a program.

use retrograde::Counts;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::layout::{Grid, Layout};
use crate::writer::Rows;

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
    /// Invalid states: holes in the numbering.
    #[serde(rename = "invalid", alias = "void")]
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
    #[serde(rename = "invalid", alias = "voids")]
    pub voids: Voids,
    /// How the blocks are packed. Only for people: each block tells by itself.
    pub compression: String,
    /// The rows that the states fall into, and the blocks that are cut from them.
    pub grids: Vec<GridHeader>,
}

/// States that fall into rows of one length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridHeader {
    /// How many states there are: those after the states of the grid before.
    pub states: u64,
    /// How long the rows are.
    pub columns: u64,
    /// How many movers take turns from row to row.
    pub movers: u64,
    /// The mover whose states are kept, if not all are.
    #[serde(rename = "kept", default, skip_serializing_if = "Option::is_none")]
    pub half: Option<u64>,
    /// How many rows of one mover a block has.
    pub block_rows: u64,
    /// How many columns a block has.
    pub block_columns: u64,
}

/// The unit of all distances.
pub(crate) const PLIES: &str = "plies";

impl Header {
    /// Reads the header of a table of this version of the format.
    pub(crate) fn parse(text: &str, version: u32) -> Result<Header, String> {
        let mut header: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if let (1, Some(keys)) = (version, header.as_object_mut()) {
            let grids = Json::Array(vec![grid_of_version_1(keys)]);
            keys.insert("grids".into(), grids);
        }
        serde_json::from_value(header).map_err(|error| error.to_string())
    }

    /// The order of the states, or what is wrong with it.
    pub(crate) fn layout(&self) -> Result<Layout, String> {
        if self.unit != PLIES {
            return Err(format!("distances are counted in '{}', not in plies", self.unit));
        }
        let layout = Layout::new(self.grids.iter().map(GridHeader::grid).collect())?;
        match layout.states() == self.states {
            true => Ok(layout),
            false => Err(format!("its grids have {} states, not {}", layout.states(), self.states)),
        }
    }

    /// The mover whose states are kept, if not all are.
    pub fn half(&self) -> Option<u64> {
        self.grids.iter().find_map(|grid| grid.half)
    }

    /// The rows that the states fall into, as a [`Writer`](crate::Writer::grids) takes them.
    pub fn rows(&self) -> impl Iterator<Item = Rows> + '_ {
        self.grids.iter().map(|&GridHeader { states, columns, movers, .. }| Rows {
            states,
            columns,
            movers,
        })
    }

    pub(crate) fn to_text(&self) -> String {
        let mut header = self.clone();
        header.about.parameters = sorted(header.about.parameters);
        // Nothing in it can fail to be written: all keys are strings, and no number is NaN.
        serde_json::to_string_pretty(&header).expect("a header is JSON") + "\n"
    }
}

impl GridHeader {
    pub(crate) fn of(grid: &Grid) -> GridHeader {
        let Grid { states, columns, movers, half, block_rows, block_columns, .. } = *grid;
        GridHeader { states, columns, movers, half, block_rows, block_columns }
    }

    fn grid(&self) -> Grid {
        let GridHeader { states, columns, movers, half, block_rows, block_columns } = *self;
        Grid { first: 0, states, columns, movers, half, block_rows, block_columns }
    }
}

/// The one grid of a table of version 1, whose keys stood in the header itself.
fn grid_of_version_1(keys: &mut serde_json::Map<String, Json>) -> Json {
    let mut grid = serde_json::Map::new();
    grid.extend(keys.get("states").map(|states| ("states".into(), states.clone())));
    for (old, new) in [
        ("columns", "columns"),
        ("movers", "movers"),
        ("half", "kept"),
        ("block_rows", "block_rows"),
        ("block_columns", "block_columns"),
    ] {
        grid.extend(keys.remove(old).map(|value| (new.into(), value)));
    }
    Json::Object(grid)
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
