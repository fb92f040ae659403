//! Which block holds a state, and where in it.
//!
//! A game often has rows: all that one side can do while the other stands still. Values change little along a
//! row and little from a row to the next of the same mover, so a block is a tile of some rows by some columns
//! of one mover's states, and takes about half of what a plain run of states takes. A game without
//! rows is one row, and its blocks are plain runs.

use crate::divisor::Divisor;

/// The most states a block may hold. A position in it then fits 16 bits.
pub(crate) const BLOCK_STATES_MAX: u64 = 1 << 16;

/// The order of states in the blocks of a table. All counts are at least 1, that of states aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// How many states the numbering has.
    pub(crate) states: u64,
    /// How long a row is. State `s` stands in column `s % columns` of row `s / columns`.
    pub(crate) columns: u64,
    /// How many movers take turns from row to row: in row `r` it is mover `r % movers`.
    pub(crate) movers: u64,
    /// The mover whose states are kept, if not all are.
    pub(crate) half: Option<u64>,
    /// How many rows of one mover a block has, where there are so many left.
    pub(crate) block_rows: u64,
    /// How many columns a block has, where there are so many left.
    pub(crate) block_columns: u64,
}

/// Finds the places of states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finder {
    layout: Layout,
    columns: Divisor,
    movers: Divisor,
    block_rows: Divisor,
    block_columns: Divisor,
    strips: u64,
}

/// Where a state is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) block: u64,
    /// The position in the block.
    pub(crate) at: usize,
}

/// States that follow one another both in the numbering and in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The first state.
    pub(crate) first: u64,
    /// The position of the first state in the block.
    pub(crate) at: usize,
    pub(crate) len: usize,
}

impl Layout {
    /// This layout, or what is wrong with it.
    pub(crate) fn checked(self) -> Result<Layout, String> {
        let Layout { states, columns, movers, half, block_rows, block_columns } = self;
        if columns == 0 || movers == 0 || block_rows == 0 || block_columns == 0 {
            return Err("a count of columns, movers or rows is 0".into());
        }
        let turn = columns.checked_mul(movers).filter(|turn| states.is_multiple_of(*turn));
        if turn.is_none() {
            return Err(format!(
                "{states} states do not fall into rows of {columns} for each of {movers} movers"
            ));
        }
        if let Some(mover) = half.filter(|mover| *mover >= movers) {
            return Err(format!(
                "there is no mover {mover}, they are counted from 0 to {}",
                movers - 1
            ));
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
        // No overflow: each band, mover and strip has a state of its own.
        self.rows().div_ceil(self.block_rows) * self.movers_kept() * self.strips()
    }

    /// States cut into bands, each of about so many blocks and all of their states: how many states and how many blocks a band
    /// has, where there are so many left.
    pub(crate) fn bands(&self, blocks: u64) -> (u64, u64) {
        let all = self.states.max(1);
        if self.rows() * self.movers == 1 {
            // One row is cut anywhere.
            return (blocks.saturating_mul(self.block_columns).min(all), blocks);
        }
        let across = self.movers_kept().saturating_mul(self.strips());
        let bands = (blocks / across).max(1);
        let rows = (bands * self.block_rows).saturating_mul(self.movers);
        (rows.saturating_mul(self.columns).min(all), bands.saturating_mul(across))
    }

    /// The most states that a block has.
    pub(crate) fn block_states_max(&self) -> usize {
        (self.block_rows * self.block_columns) as usize
    }

    /// Whether the state is kept.
    pub(crate) fn keeps(&self, state: u64) -> bool {
        self.half.is_none_or(|mover| state / self.columns % self.movers == mover)
    }

    /// The runs of a block, in the order of their positions.
    pub(crate) fn runs(&self, block: u64) -> impl Iterator<Item = Run> + use<> {
        let layout = *self;
        let strip = block % self.strips();
        let (band, mover) = (
            block / self.strips() / self.movers_kept(),
            block / self.strips() % self.movers_kept(),
        );
        let mover = self.half.unwrap_or(mover);
        let len = self.strip_columns(strip);
        let top = band * self.block_rows;
        (top..self.rows().min(top + self.block_rows)).map(move |row| Run {
            first: (row * layout.movers + mover) * layout.columns + strip * layout.block_columns,
            at: ((row - top) * len) as usize,
            len: len as usize,
        })
    }

    /// How many states a block has.
    pub(crate) fn block_states(&self, block: u64) -> usize {
        self.runs(block).map(|run| run.len).sum()
    }

    /// How many states from this one on stand in its row and in its block.
    pub(crate) fn run_left(&self, state: u64) -> u64 {
        let column = state % self.columns;
        let strip = column / self.block_columns;
        strip * self.block_columns + self.strip_columns(strip) - column
    }

    /// How many rows each mover has.
    pub(crate) fn rows(&self) -> u64 {
        self.states / self.columns / self.movers
    }

    pub(crate) fn movers_kept(&self) -> u64 {
        if self.half.is_some() { 1 } else { self.movers }
    }

    fn strips(&self) -> u64 {
        self.columns.div_ceil(self.block_columns)
    }

    fn strip_columns(&self, strip: u64) -> u64 {
        self.block_columns.min(self.columns - strip * self.block_columns)
    }
}

impl Finder {
    pub(crate) fn new(layout: Layout) -> Finder {
        let by = |divisor| Divisor::new(divisor, layout.states);
        Finder {
            layout,
            columns: by(layout.columns),
            movers: by(layout.movers),
            block_rows: by(layout.block_rows),
            block_columns: by(layout.block_columns),
            strips: layout.strips(),
        }
    }

    /// Where a state is kept, if it is.
    #[inline]
    pub(crate) fn place(&self, state: u64) -> Option<Place> {
        let layout = &self.layout;
        debug_assert!(state < layout.states);
        let (row, column) = self.columns.divide(state);
        let (row, mover) = self.movers.divide(row);
        let mover = match layout.half {
            None => mover,
            Some(kept) if kept == mover => 0,
            Some(_) => return None,
        };
        let (band, row) = self.block_rows.divide(row);
        let (strip, column) = self.block_columns.divide(column);
        Some(Place {
            block: (band * layout.movers_kept() + mover) * self.strips + strip,
            at: (row * layout.strip_columns(strip) + column) as usize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_testkit::Rng;

    #[test]
    fn every_kept_state_has_one_place_and_runs_find_it() {
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let (columns, movers) = (rng.within(1..30), rng.within(1..4));
            let layout = Layout {
                states: columns * movers * rng.below(12),
                columns,
                movers,
                half: rng.chance(50).then(|| rng.below(movers)),
                block_rows: rng.within(1..6),
                block_columns: rng.within(1..columns + 1),
            };
            let layout = layout.checked().unwrap();
            let finder = Finder::new(layout);
            let (band_states, band_blocks) = layout.bands(rng.within(1..5));
            let mut found = 0;
            for block in 0..layout.blocks() {
                let mut at = 0;
                for run in layout.runs(block) {
                    assert_eq!(run.at, at);
                    at += run.len;
                    assert_eq!(layout.run_left(run.first), run.len as u64);
                    let band =
                        block / band_blocks * band_states..(block / band_blocks + 1) * band_states;
                    assert!(band.contains(&run.first) && run.first + run.len as u64 <= band.end);
                    for i in 0..run.len {
                        let place = Place { block, at: run.at + i };
                        assert_eq!(finder.place(run.first + i as u64), Some(place));
                        found += 1;
                    }
                }
                assert_eq!(layout.block_states(block), at);
                assert!((1..=layout.block_states_max()).contains(&at));
            }
            let kept = (0..layout.states).filter(|state| layout.keeps(*state)).count();
            assert_eq!(found, kept);
            let placed = (0..layout.states).filter(|state| finder.place(*state).is_some()).count();
            assert_eq!(placed, kept);
        }
    }

    #[test]
    fn what_cannot_be_laid_out_is_refused() {
        let good = Layout {
            states: 40,
            columns: 10,
            movers: 2,
            half: None,
            block_rows: 2,
            block_columns: 5,
        };
        assert!(good.checked().is_ok());
        for bad in [
            Layout { columns: 0, ..good },
            Layout { movers: 0, ..good },
            Layout { block_rows: 0, ..good },
            Layout { block_columns: 0, ..good },
            Layout { states: 41, ..good },
            Layout { states: 30, ..good },
            Layout { half: Some(2), ..good },
            Layout { block_columns: 11, ..good },
            Layout { block_rows: 20_000, ..good },
            Layout { block_rows: u64::MAX, ..good },
            Layout { columns: u64::MAX, movers: u64::MAX, ..good },
        ] {
            assert!(bad.checked().is_err(), "{bad:?}");
        }
    }
}
