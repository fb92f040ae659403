//! Finds the place of a state: its block, and its position in the block.
//!
//! The states of many games form rows. All states of a row have the same side to move. Values change little
//! along a row, and little from a row to the next row with the same side to move. So a block is a tile of
//! some rows and columns with one side to move. It takes about half the space of a plain range of states.
//! Rows of one length form a [`Grid`]. A table has one grid, or several in order. If a game has no rows, all
//! states are one row, and blocks are plain ranges.

use std::ops::Range;

use crate::divisor::Divisor;

/// The most states of a block, so that a position in a block fits in 16 bits.
pub(crate) const BLOCK_STATES_MAX: u64 = 1 << 16;

/// The most sides of a grid of which a table keeps one.
const SIDES_MAX: u64 = 64;

/// The most grids of a table.
const GRIDS_MAX: usize = 64;

/// A [`Rows`] with this number of states has all states of the game.
pub(crate) const ALL: u64 = u64::MAX;

/// Consecutive states that divide into rows of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// How many states.
    pub states: u64,
    /// The length of a row.
    pub columns: u64,
    /// How many sides alternate from row to row. In row `r`, counted from the first of these states, side `r
    /// % sides` is to move.
    pub sides: u64,
}

/// The order of states in the blocks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// In the order of their states, which is also the order of their blocks.
    pub(crate) grids: Vec<Grid>,
    /// For each grid, the number of its first block.
    first_blocks: Vec<u64>,
    states: u64,
    blocks: u64,
}

/// States in rows of one length, and the shape of their blocks. All counts except `states` are at least 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grid {
    /// The number of the first state.
    pub(crate) first: u64,
    /// How many states there are.
    pub(crate) states: u64,
    /// The length of a row. State `s`, counted from the first, is in column `s % columns` of row `s /
    /// columns`.
    pub(crate) columns: u64,
    /// How many sides alternate from row to row: in row `r`, side `r % sides` is to move.
    pub(crate) sides: u64,
    /// The side to move whose states the table keeps, if it does not keep all.
    pub(crate) half: Option<u64>,
    /// How many rows of one side a block has. The last blocks may have fewer.
    pub(crate) block_rows: u64,
    /// How many columns a block has. The last blocks may have fewer.
    pub(crate) block_columns: u64,
}

/// Finds the places of states.
#[derive(Clone, Debug)]
pub(crate) struct Finder(Vec<GridFinder>);

/// Finds the places of the states of a grid.
#[derive(Clone, Copy, Debug)]
struct GridFinder {
    grid: Grid,
    first_block: u64,
    columns: Divisor,
    sides: Divisor,
    block_rows: Divisor,
    block_columns: Divisor,
    strips: u64,
}

/// The place of a kept state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) block: u64,
    /// The position in the block.
    pub(crate) at: usize,
}

/// States that are consecutive both in the numbering and in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The first state.
    pub(crate) first: u64,
    /// The position of the first state in the block.
    pub(crate) at: usize,
    pub(crate) len: usize,
}

impl Layout {
    /// These grids in order. The error says what is wrong with them.
    pub(crate) fn new(grids: Vec<Grid>) -> Result<Layout, String> {
        if grids.is_empty() || grids.len() > GRIDS_MAX {
            return Err(format!("it has {} grids: a table has 1 to {GRIDS_MAX}", grids.len()));
        }
        let (mut states, mut blocks) = (0u64, 0u64);
        let mut layout = Layout { grids, first_blocks: Vec::new(), states, blocks };
        for grid in &mut layout.grids {
            *grid = Grid { first: states, ..*grid }.checked()?;
            layout.first_blocks.push(blocks);
            let end = states.checked_add(grid.states);
            states = end.ok_or("there are more than 2^64 states")?;
            // This cannot overflow: each block has at least one state.
            blocks += grid.blocks();
        }
        Ok(Layout { states, blocks, ..layout })
    }

    /// How many states the numbering has.
    #[inline]
    pub(crate) fn states(&self) -> u64 {
        self.states
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The most states that a block has.
    pub(crate) fn block_states_max(&self) -> usize {
        self.grids.iter().map(Grid::block_states_max).max().unwrap_or(1)
    }

    /// How many states are kept.
    pub(crate) fn states_kept(&self) -> u64 {
        self.grids.iter().map(Grid::states_kept).sum()
    }

    /// Whether all states are kept.
    pub(crate) fn keeps_all(&self) -> bool {
        self.grids.iter().all(|grid| grid.half.is_none())
    }

    /// Whether a state of the numbering is kept.
    #[inline]
    pub(crate) fn keeps(&self, state: u64) -> bool {
        self.grid_of(state).keeps(state)
    }

    /// The states that are kept, in ranges of at most `len`.
    pub(crate) fn runs_kept(&self, len: u64) -> impl Iterator<Item = Range<u64>> + '_ {
        self.runs_if(true, len)
    }

    /// The states that are not kept, in ranges of at most `len`.
    pub(crate) fn runs_not_kept(&self, len: u64) -> impl Iterator<Item = Range<u64>> + '_ {
        self.runs_if(false, len)
    }

    fn runs_if(&self, kept: bool, len: u64) -> impl Iterator<Item = Range<u64>> + '_ {
        let rows = self.grids.iter().flat_map(move |grid| {
            let rows = (0..grid.states / grid.columns).map(|row| grid.first + row * grid.columns);
            rows.filter(move |&row| grid.keeps(row) == kept).map(|row| row..row + grid.columns)
        });
        rows.flat_map(move |row| {
            let end = row.end;
            row.step_by(len as usize).map(move |first| first..end.min(first + len))
        })
    }

    /// How many states are left in the row, from this state on.
    pub(crate) fn row_left(&self, state: u64) -> u64 {
        let grid = self.grid_of(state);
        grid.columns - (state - grid.first) % grid.columns
    }

    /// The runs of a block, in the order of their positions.
    pub(crate) fn runs(&self, block: u64) -> impl Iterator<Item = Run> + use<> {
        let (grid, block) = self.grid_of_block(block);
        grid.runs(block)
    }

    /// How many states a block has.
    pub(crate) fn block_states(&self, block: u64) -> usize {
        let (grid, block) = self.grid_of_block(block);
        grid.block_states(block)
    }

    /// How many states are left in both the row and the block, from this state on.
    pub(crate) fn run_left(&self, state: u64) -> u64 {
        self.grid_of(state).run_left(state)
    }

    fn grid_of(&self, state: u64) -> &Grid {
        let after = self.grids.partition_point(|grid| grid.first <= state);
        // If several grids begin at the same state, the last one has states.
        &self.grids[after - 1]
    }

    /// The grid of a block, and the block's number within the grid.
    pub(crate) fn grid_of_block(&self, block: u64) -> (&Grid, u64) {
        let at = self.first_blocks.partition_point(|&first| first <= block) - 1;
        (&self.grids[at], block - self.first_blocks[at])
    }
}

impl Grid {
    /// This grid. The error says what is wrong with it.
    pub(crate) fn checked(self) -> Result<Grid, String> {
        let Grid { states, columns, sides, half, block_rows, block_columns, .. } = self;
        if columns == 0 || sides == 0 || block_rows == 0 || block_columns == 0 {
            return Err("a count of columns, sides or rows is 0".into());
        }
        let turn = columns.checked_mul(sides).filter(|turn| states.is_multiple_of(*turn));
        if turn.is_none() {
            return Err(format!(
                "{states} states do not divide into rows of {columns} for each of {sides} sides"
            ));
        }
        if let Some(to_move) = half.filter(|to_move| *to_move >= sides) {
            return Err(format!(
                "there is no side {to_move}: sides have the numbers 0 to {}",
                sides - 1
            ));
        }
        if half.is_some() && sides > SIDES_MAX {
            // Such a table would have few blocks and any number of states.
            return Err(format!("it keeps one of {sides} sides: a table has at most {SIDES_MAX}"));
        }
        if block_columns > columns {
            return Err(format!("blocks are {block_columns} columns wide, rows only {columns}"));
        }
        match block_rows.checked_mul(block_columns) {
            Some(block) if block <= BLOCK_STATES_MAX => Ok(self),
            _ => Err(format!(
                "blocks of {block_rows} by {block_columns} states hold more than {BLOCK_STATES_MAX}"
            )),
        }
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> u64 {
        // This cannot overflow: each band, side and strip has at least one state.
        self.rows().div_ceil(self.block_rows) * self.sides_kept() * self.strips()
    }

    /// The most states that a block has.
    pub(crate) fn block_states_max(&self) -> usize {
        (self.block_rows * self.block_columns) as usize
    }

    /// Whether the state is kept.
    pub(crate) fn keeps(&self, state: u64) -> bool {
        self.half.is_none_or(|to_move| (state - self.first) / self.columns % self.sides == to_move)
    }

    /// The runs of a block, in the order of their positions.
    pub(crate) fn runs(&self, block: u64) -> impl Iterator<Item = Run> + use<> {
        let grid = *self;
        let strip = block % self.strips();
        let (band, to_move) =
            (block / self.strips() / self.sides_kept(), block / self.strips() % self.sides_kept());
        let to_move = self.half.unwrap_or(to_move);
        let len = self.strip_columns(strip);
        let top = band * self.block_rows;
        (top..self.rows().min(top + self.block_rows)).map(move |row| Run {
            first: grid.first
                + (row * grid.sides + to_move) * grid.columns
                + strip * grid.block_columns,
            at: ((row - top) * len) as usize,
            len: len as usize,
        })
    }

    /// How many states a block has.
    pub(crate) fn block_states(&self, block: u64) -> usize {
        self.runs(block).map(|run| run.len).sum()
    }

    /// How many states are left in both the row and the block, from this state on.
    pub(crate) fn run_left(&self, state: u64) -> u64 {
        let column = (state - self.first) % self.columns;
        let strip = column / self.block_columns;
        strip * self.block_columns + self.strip_columns(strip) - column
    }

    /// How many rows each side has.
    pub(crate) fn rows(&self) -> u64 {
        self.states / self.columns / self.sides
    }

    /// How many states are kept.
    pub(crate) fn states_kept(&self) -> u64 {
        self.rows() * self.columns * self.sides_kept()
    }

    pub(crate) fn sides_kept(&self) -> u64 {
        if self.half.is_some() { 1 } else { self.sides }
    }

    fn strips(&self) -> u64 {
        self.columns.div_ceil(self.block_columns)
    }

    fn strip_columns(&self, strip: u64) -> u64 {
        self.block_columns.min(self.columns - strip * self.block_columns)
    }
}

impl Finder {
    pub(crate) fn new(layout: &Layout) -> Finder {
        let grids = layout.grids.iter().zip(&layout.first_blocks);
        Finder(grids.map(|(&grid, &first_block)| GridFinder::new(grid, first_block)).collect())
    }

    /// The place of a state of the numbering, if the table keeps it.
    #[inline]
    pub(crate) fn place(&self, state: u64) -> Option<Place> {
        // Few tables have more than one grid, and none has many.
        let of = self.0.iter().find(|of| state - of.grid.first < of.grid.states)?;
        of.place(state - of.grid.first)
    }
}

impl GridFinder {
    fn new(grid: Grid, first_block: u64) -> GridFinder {
        let by = |divisor| Divisor::new(divisor, grid.states);
        GridFinder {
            grid,
            first_block,
            columns: by(grid.columns),
            sides: by(grid.sides),
            block_rows: by(grid.block_rows),
            block_columns: by(grid.block_columns),
            strips: grid.strips(),
        }
    }

    /// The place of a state of the grid, if the table keeps it.
    #[inline]
    fn place(&self, state: u64) -> Option<Place> {
        let grid = &self.grid;
        let (row, column) = self.columns.divide(state);
        let (row, to_move) = self.sides.divide(row);
        let to_move = match grid.half {
            None => to_move,
            Some(kept) if kept == to_move => 0,
            Some(_) => return None,
        };
        let (band, row) = self.block_rows.divide(row);
        let (strip, column) = self.block_columns.divide(column);
        Some(Place {
            block: self.first_block + (band * grid.sides_kept() + to_move) * self.strips + strip,
            at: (row * grid.strip_columns(strip) + column) as usize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_testkit::Rng;

    #[test]
    fn a_forged_grid_of_one_side_has_no_more_states_than_its_blocks_justify() {
        // One block, and 2^40 states.
        let grid = |sides| Grid {
            first: 0,
            states: sides,
            columns: 1,
            sides,
            half: Some(0),
            block_rows: 1,
            block_columns: 1,
        };
        assert!(grid(2).checked().is_ok() && grid(SIDES_MAX).checked().is_ok());
        let refused = grid(1 << 40).checked().unwrap_err();
        assert!(refused.contains("at most 64"), "{refused}");
    }

    #[test]
    fn every_kept_state_has_one_place_and_runs_find_it() {
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let grid = |_| {
                let (columns, sides) = (rng.within(1..30), rng.within(1..4));
                Grid {
                    first: 0,
                    states: columns * sides * rng.below(12),
                    columns,
                    sides,
                    half: rng.chance(50).then(|| rng.below(sides)),
                    block_rows: rng.within(1..6),
                    block_columns: rng.within(1..columns + 1),
                }
            };
            let grids: Vec<Grid> = (0..3).map(grid).collect();
            let layout = Layout::new(grids).unwrap();
            let finder = Finder::new(&layout);
            let mut found = 0;
            for block in 0..layout.blocks() {
                let mut at = 0;
                for run in layout.runs(block) {
                    assert_eq!(run.at, at);
                    at += run.len;
                    assert_eq!(layout.run_left(run.first), run.len as u64);
                    assert!(layout.row_left(run.first) >= run.len as u64);
                    for i in 0..run.len {
                        let place = Place { block, at: run.at + i };
                        assert_eq!(finder.place(run.first + i as u64), Some(place));
                        found += 1;
                    }
                }
                assert_eq!(layout.block_states(block), at);
                assert!((1..=layout.block_states_max()).contains(&at));
            }
            let kept = (0..layout.states()).filter(|state| layout.keeps(*state)).count() as u64;
            assert_eq!((found, kept), (kept, layout.states_kept()));
            let placed = (0..layout.states()).filter(|state| finder.place(*state).is_some());
            assert_eq!(placed.count() as u64, kept);
        }
    }

    #[test]
    fn what_cannot_be_laid_out_is_refused() {
        let good = Grid {
            first: 0,
            states: 40,
            columns: 10,
            sides: 2,
            half: None,
            block_rows: 2,
            block_columns: 5,
        };
        assert!(Layout::new(vec![good]).is_ok());
        for bad in [
            Grid { columns: 0, ..good },
            Grid { sides: 0, ..good },
            Grid { block_rows: 0, ..good },
            Grid { block_columns: 0, ..good },
            Grid { states: 41, ..good },
            Grid { states: 30, ..good },
            Grid { half: Some(2), ..good },
            Grid { block_columns: 11, ..good },
            Grid { block_rows: 20_000, ..good },
            Grid { block_rows: u64::MAX, ..good },
            Grid { columns: u64::MAX, sides: u64::MAX, ..good },
        ] {
            assert!(Layout::new(vec![good, bad]).is_err(), "{bad:?}");
        }
        assert!(Layout::new(Vec::new()).is_err());
        assert!(Layout::new(vec![good; GRIDS_MAX + 1]).is_err());
        let half = Grid { states: 1 << 63, columns: 1 << 62, sides: 1, ..good };
        assert!(Layout::new(vec![half, half]).is_err());
    }
}
