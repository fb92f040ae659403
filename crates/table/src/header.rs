//! The header of a table, readable as text.

use retrograde::Counts;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::layout::{Grid, Layout, Rows};

/// The game of a table, as its writer describes it. A program can build the game again from this alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The name of the game in one lower-case word: `pursuit`.
    pub game: String,
    /// The parameters of the game as a JSON object, by name.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub parameters: Json,
    /// The text of its board, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// How many states each side wins, loses and draws; empty if the writer did not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<SideCounts>,
    /// How many positions are won, lost and drawn, with all mirror images. `None` if each state is one position, or if the
    /// writer did not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<ImageCounts>,
}

/// Positions by value, with all mirror images. Several of them may share a state, which [`SideCounts`] count once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageCounts {
    /// Positions that the player to move wins.
    pub win: u64,
    /// Positions that the player to move loses.
    pub loss: u64,
    /// Positions that neither player wins.
    pub draw: u64,
}

impl From<Counts> for ImageCounts {
    fn from(Counts { win, loss, draw, .. }: Counts) -> ImageCounts {
        ImageCounts { win, loss, draw }
    }
}

impl From<ImageCounts> for Counts {
    fn from(ImageCounts { win, loss, draw }: ImageCounts) -> Counts {
        Counts { win, loss, draw, invalid: 0 }
    }
}

/// The states with one side to move, by value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideCounts {
    /// The side to move: `thief`.
    #[serde(alias = "mover")]
    pub side: String,
    /// States that this player wins.
    pub win: u64,
    /// States that this player loses.
    pub loss: u64,
    /// States that neither player wins.
    pub draw: u64,
    /// Invalid states: numbers that stand for no position.
    #[serde(rename = "invalid", alias = "void")]
    pub invalid: u64,
}

impl SideCounts {
    /// The counts of this side.
    pub fn new(side: &str, counts: Counts) -> SideCounts {
        let Counts { win, loss, draw, invalid } = counts;
        SideCounts { side: side.into(), win, loss, draw, invalid }
    }

    /// The counts without the name of the side.
    pub fn counts(&self) -> Counts {
        let &SideCounts { win, loss, draw, invalid, .. } = self;
        Counts { win, loss, draw, invalid }
    }
}

/// Whether a table marks invalid states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InvalidStates {
    /// The table says which states are invalid.
    #[default]
    Kept,
    /// The table may give any value for an invalid state, so a reader must ask the rules first. On boards
    /// with walls this saves a third of the table.
    Forgotten,
}

/// Whether a table has values that exits give. An exit is a move into another table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exits {
    /// The table has the values of all states that it keeps.
    #[default]
    Kept,
    /// If the best move of a state is an exit, the table may hold any value that is no better. The value of
    /// the state is then the better of this one and the best exit. A reader needs the rules and the other
    /// tables.
    Forgotten,
}

impl Exits {
    /// Whether a header leaves out the key.
    fn are_kept(&self) -> bool {
        *self == Exits::Kept
    }
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The game of the table.
    #[serde(flatten)]
    pub about: About,
    /// How many states there are, including invalid ones.
    pub states: u64,
    /// Whether the table has distances. If not, every distance is 0.
    pub distances: bool,
    /// The unit of distances: always `plies`.
    pub unit: String,
    /// The longest distance of the histogram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<u32>,
    /// Whether the table marks invalid states.
    #[serde(rename = "invalid", alias = "voids")]
    pub invalid_states: InvalidStates,
    /// Whether the table has the values of states whose best move is an exit.
    #[serde(default, skip_serializing_if = "Exits::are_kept")]
    pub exits: Exits,
    /// The compression of the blocks. This is only information, because each block says whether it is
    /// compressed.
    pub compression: String,
    /// The rows of states, and the blocks made from them.
    pub grids: Vec<GridHeader>,
}

/// A run of states in rows of one length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridHeader {
    /// How many states. They follow the states of the previous grid.
    pub states: u64,
    /// The length of a row.
    pub columns: u64,
    /// How many sides alternate from row to row. In row `r`, side `r % sides` is to move.
    pub sides: u64,
    /// The side to move whose states the table keeps, if it does not keep all.
    #[serde(rename = "kept", default, skip_serializing_if = "Option::is_none")]
    pub half: Option<u64>,
    /// How many rows of one side a block has.
    pub block_rows: u64,
    /// How many columns a block has.
    pub block_columns: u64,
}

/// The unit of all distances.
pub(crate) const PLIES: &str = "plies";

impl Header {
    /// Parses the header of a table of this version.
    pub(crate) fn parse(text: &str, version: u32) -> Result<Header, String> {
        let mut header: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if let (1, Some(keys)) = (version, header.as_object_mut()) {
            let grids = Json::Array(vec![grid_of_version_1(keys)]);
            keys.insert("grids".into(), grids);
        }
        serde_json::from_value(header).map_err(|error| error.to_string())
    }

    /// The order of the states. The error says what is wrong with it.
    pub(crate) fn layout(&self) -> Result<Layout, String> {
        if self.unit != PLIES {
            return Err(format!("distances have the unit '{}', not plies", self.unit));
        }
        let layout = Layout::new(self.grids.iter().map(GridHeader::grid).collect())?;
        match layout.states() == self.states {
            true => Ok(layout),
            false => Err(format!("its grids have {} states, not {}", layout.states(), self.states)),
        }
    }

    /// The side to move whose states the table keeps, if it does not keep all.
    pub fn half(&self) -> Option<u64> {
        self.grids.iter().find_map(|grid| grid.half)
    }

    /// The rows of states, in the form that [`Writer::grids`](crate::Writer::grids) takes.
    pub fn rows(&self) -> impl Iterator<Item = Rows> + '_ {
        self.grids.iter().map(|&GridHeader { states, columns, sides, .. }| Rows {
            states,
            columns,
            sides,
        })
    }

    pub(crate) fn to_text(&self) -> String {
        let mut header = self.clone();
        // Another crate in the build can change the order of serde_json, and that must not change a table.
        header.about.parameters.sort_all_objects();
        // This cannot fail: all keys are strings, and no number is NaN.
        serde_json::to_string_pretty(&header).expect("a header is JSON") + "\n"
    }
}

impl GridHeader {
    pub(crate) fn of(grid: &Grid) -> GridHeader {
        let Grid { states, columns, sides, half, block_rows, block_columns, .. } = *grid;
        GridHeader { states, columns, sides, half, block_rows, block_columns }
    }

    fn grid(&self) -> Grid {
        let GridHeader { states, columns, sides, half, block_rows, block_columns } = *self;
        Grid { first: 0, states, columns, sides, half, block_rows, block_columns }
    }
}

/// The single grid of a version 1 table. Its keys were in the header itself.
fn grid_of_version_1(keys: &mut serde_json::Map<String, Json>) -> Json {
    let mut grid = serde_json::Map::new();
    grid.extend(keys.get("states").map(|states| ("states".into(), states.clone())));
    for (old, new) in [
        ("columns", "columns"),
        ("movers", "sides"),
        ("half", "kept"),
        ("block_rows", "block_rows"),
        ("block_columns", "block_columns"),
    ] {
        grid.extend(keys.remove(old).map(|value| (new.into(), value)));
    }
    Json::Object(grid)
}
