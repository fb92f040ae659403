//! Packs blocks of a table.
//!
//! The writer packs a few blocks of each shape to choose the shape, and then all blocks. Usually the threads of this
//! process do that. The processes of a cluster pack blocks together, because each of them has some of the values.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use retrograde::internal::threads;

use crate::compression::{Compression, Packer};
use crate::error::WriteError;
use crate::exits::BestExits;
use crate::header::InvalidStates;
use crate::layout::{Grid, Layout};
use crate::source::{Scratch, Source, Values};

/// The states of one block. They form a rectangle: some columns of some rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub(crate) grid: Grid,
    /// The number of the block in the grid.
    pub(crate) block: u64,
}

impl Tile {
    /// The length of [`Tile::to_bytes`].
    pub const BYTES: usize = 64;

    /// The tile of a block.
    pub(crate) fn of(layout: &Layout, block: u64) -> Tile {
        let (&grid, block) = layout.grid_of_block(block);
        Tile { grid, block }
    }

    /// Its states in order.
    pub fn runs(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        self.grid.runs(self.block).map(|run| run.first..run.first + run.len as u64)
    }

    /// Writes it for another process.
    pub fn to_bytes(&self) -> [u8; Tile::BYTES] {
        let Grid { first, states, columns, sides, half, block_rows, block_columns } = self.grid;
        let half = half.unwrap_or(u64::MAX);
        let numbers = [first, states, columns, sides, half, block_rows, block_columns, self.block];
        let mut bytes = [0; Tile::BYTES];
        bytes.copy_from_slice(numbers.map(u64::to_le_bytes).as_flattened());
        bytes
    }

    /// Reads it. `None` if there is no such tile in a game of this number of states.
    pub fn from_bytes(bytes: &[u8; Tile::BYTES], all: u64) -> Option<Tile> {
        let mut numbers = bytes.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number));
        let numbers = [(); 8].map(|()| numbers.next().unwrap_or_default());
        let [first, states, columns, sides, half, block_rows, block_columns, block] = numbers;
        let half = (half != u64::MAX).then_some(half);
        let grid = Grid { first, states, columns, sides, half, block_rows, block_columns };
        let grid = grid.checked().ok()?;
        let inside = first.checked_add(states)? <= all && block < grid.blocks();
        inside.then_some(Tile { grid, block })
    }
}

/// How blocks are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The strength of compression.
    pub compression: Compression,
    /// Whether the blocks mark invalid states.
    pub invalid_states: InvalidStates,
    /// Whether the blocks leave out values that exits give.
    pub leaves_out_exits: bool,
}

/// Packs blocks for a [`Writer`](crate::Writer).
pub trait PackTiles: Sync {
    /// How many states there are.
    fn states(&self) -> u64;

    /// Whether the values have distances.
    fn has_distances(&self) -> bool;

    /// How many blocks to pack in one call, while the writer writes those of the call before.
    fn batch(&self) -> usize;

    /// Packs each tile with [`TilePackers`], and returns the results in the same order.
    fn pack(&self, tiles: &[Tile], packing: Packing) -> Result<Vec<Vec<u8>>, WriteError>;
}

/// Packs tiles. Any number of threads can use it, and each gets buffers of its own.
#[derive(Default)]
pub struct TilePackers {
    /// The packers of threads that do not pack now.
    idle: Mutex<Vec<TilePacker>>,
}

/// Packs one tile after the other.
struct TilePacker {
    packing: Packing,
    packer: Packer,
    scratch: Scratch,
    raw: Vec<u8>,
}

impl TilePackers {
    /// Packs a tile with these values and exits. The error says why it cannot.
    pub fn pack(
        &self,
        tile: Tile,
        packing: Packing,
        values: &dyn Values,
        exits: Option<&dyn BestExits>,
    ) -> Result<Vec<u8>, String> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let packer = idle().pop().filter(|packer| packer.packing == packing);
        let mut packer = packer.map_or_else(|| TilePacker::new(packing), Ok)?;
        let packed = packer.pack(tile, values, exits);
        idle().push(packer);
        packed
    }
}

impl TilePacker {
    fn new(packing: Packing) -> Result<TilePacker, String> {
        let packer = Packer::new(packing.compression).map_err(|error| error.to_string())?;
        Ok(TilePacker { packing, packer, scratch: Scratch::default(), raw: Vec::new() })
    }

    fn pack(
        &mut self,
        tile: Tile,
        values: &dyn Values,
        exits: Option<&dyn BestExits>,
    ) -> Result<Vec<u8>, String> {
        let TilePacker { packing, packer, scratch, raw } = self;
        let source = Source {
            values,
            forget_invalid: packing.invalid_states == InvalidStates::Forgotten,
            exits: exits.filter(|_| packing.leaves_out_exits),
        };
        raw.clear();
        source.encode(scratch, tile.grid.runs(tile.block), raw)?;
        packer.block(raw).map_err(|error| format!("a block cannot be packed: {error}"))
    }
}

/// Packs with the threads of rayon's current pool.
pub(crate) struct Local<'a> {
    values: &'a dyn Values,
    exits: Option<&'a dyn BestExits>,
    packers: TilePackers,
}

/// How many blocks each thread packs in one call.
const BATCH: usize = 32;

impl<'a> Local<'a> {
    pub(crate) fn new(values: &'a dyn Values, exits: Option<&'a dyn BestExits>) -> Local<'a> {
        Local { values, exits, packers: TilePackers::default() }
    }
}

impl PackTiles for Local<'_> {
    fn states(&self) -> u64 {
        self.values.states()
    }

    fn has_distances(&self) -> bool {
        self.values.has_distances()
    }

    fn batch(&self) -> usize {
        BATCH * rayon::current_num_threads()
    }

    fn pack(&self, tiles: &[Tile], packing: Packing) -> Result<Vec<Vec<u8>>, WriteError> {
        let Local { values, exits, packers } = self;
        let pack = |at: usize| packers.pack(tiles[at], packing, *values, *exits);
        let packed = threads::map(tiles.len(), pack).into_iter();
        packed.collect::<Result<_, _>>().map_err(WriteError::Source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_read_as_it_was_written_and_others_are_refused() {
        let grid = Grid {
            first: 100,
            states: 240,
            columns: 10,
            sides: 2,
            half: None,
            block_rows: 5,
            block_columns: 4,
        };
        for half in [None, Some(0), Some(1)] {
            let grid = Grid { half, ..grid };
            for block in 0..grid.blocks() {
                let tile = Tile { grid, block };
                assert_eq!(Tile::from_bytes(&tile.to_bytes(), 340), Some(tile));
            }
            let after = Tile { grid, block: grid.blocks() };
            assert_eq!(Tile::from_bytes(&after.to_bytes(), 340), None);
        }
        let tile = Tile { grid, block: 0 };
        assert_eq!(Tile::from_bytes(&tile.to_bytes(), 339), None, "a state that does not exist");
        for strange in [
            Grid { first: u64::MAX, ..grid },
            Grid { columns: 0, ..grid },
            Grid { columns: 7, ..grid },
            Grid { half: Some(2), ..grid },
            Grid { block_rows: u64::MAX, ..grid },
        ] {
            assert_eq!(Tile::from_bytes(&Tile { grid: strange, block: 0 }.to_bytes(), 340), None);
        }
    }
}
