//! A table in memory: a byte a state, looked up in nanoseconds.
//!
//! For whoever asks for most states many times: a verification, or a game whose exits lead into
//! the table.

use rayon::prelude::*;
use retrograde::{Probe, Value};

use crate::code::Block;
use crate::error::TableError;
use crate::layout::Place;
use crate::table::Table;

/// All of a table, unpacked.
pub struct Loaded<'a> {
    table: &'a Table,
    blocks: Vec<Block>,
}

impl Table {
    /// Unpacks all of the table into memory, with all threads.
    pub fn load(&self) -> Result<Loaded<'_>, TableError> {
        // A few hundred blocks at a time, so that each reader has use for its page of the index.
        const RUN: u64 = 256;
        let runs: Vec<Vec<Block>> = (0..self.blocks().div_ceil(RUN))
            .into_par_iter()
            .map(|run| {
                let mut reader = self.container.reader();
                (run * RUN..self.blocks().min((run + 1) * RUN))
                    .map(|number| self.decode(number, reader.read(number, self.block_bytes_max())?))
                    .collect()
            })
            .collect::<Result<_, TableError>>()?;
        Ok(Loaded { table: self, blocks: runs.into_iter().flatten().collect() })
    }

    /// About how many bytes [`load`](Table::load) takes.
    pub fn load_bytes(&self) -> u64 {
        self.layout.rows() * self.layout.columns * self.layout.movers_kept()
            + self.blocks() * size_of::<Block>() as u64
    }
}

impl Loaded<'_> {
    /// The table.
    pub fn table(&self) -> &Table {
        self.table
    }

    /// The value of a state; `None` where it is void.
    pub fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        let Place { block, at } = self.table.place(state)?;
        Ok(self.blocks[block as usize].value(at))
    }
}

impl Probe for Loaded<'_> {
    type Error = TableError;

    fn states(&self) -> u64 {
        self.table.states()
    }

    fn has_distances(&self) -> bool {
        self.table.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.probe(state)
    }

    fn fill_with<T: Copy + PartialEq>(
        &self,
        first: u64,
        values: &mut [T],
        made_of: impl Fn(Option<Value>) -> T,
    ) -> Result<(), TableError> {
        let block_of = |block| Ok(&self.blocks[block as usize]);
        self.table.fill_from(first, values, made_of, block_of)
    }
}
