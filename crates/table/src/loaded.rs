//! A table in memory: a byte a state, looked up in nanoseconds.
//!
//! For whoever asks for most states many times: a verification, or a game whose exits lead into the table. The bytes are
//! codes of values, as in a block, but the same in all of them. They lie in a map of their own, which goes back to the
//! system when it is dropped; what is allocated block by block stays with the heaps of threads that have ended, and the next
//! table takes as much again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use memmap2::MmapMut;
use rayon::prelude::*;
use retrograde::{Probe, Value};

use crate::error::TableError;
use crate::layout::Place;
use crate::table::Table;

/// All of a table, unpacked.
pub struct Loaded<'a> {
    table: &'a Table,
    /// The values that occur, by code.
    values: Vec<Option<Value>>,
    /// The codes of each block in turn.
    codes: MmapMut,
    /// How many bytes each has.
    width: usize,
}

impl Table {
    /// Unpacks all of the table into memory, with all threads.
    pub fn load(&self) -> Result<Loaded<'_>, TableError> {
        let mut width = 1;
        loop {
            // Few tables have more values than a byte can tell apart.
            match self.load_in(width)? {
                Some(loaded) => return Ok(loaded),
                None => width *= 2,
            }
        }
    }

    /// Unpacks all of it with codes of so many bytes, if they can tell its values apart.
    fn load_in(&self, width: usize) -> Result<Option<Loaded<'_>>, TableError> {
        // A few hundred blocks at a time, so that each reader has use for its page of the index.
        const RUN: usize = 256;
        let stride = width * self.layout.block_states_max();
        let mut codes = MmapMut::map_anon(self.blocks() as usize * stride)
            .map_err(|source| TableError::io(self.path(), source))?;
        let known = Mutex::new(HashMap::new());
        let code_of = |value: Option<Value>| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let next = known.len();
            *known.entry(value).or_insert(next)
        };
        let runs = codes.par_chunks_mut(RUN * stride).enumerate();
        runs.try_for_each(|(run, codes)| {
            let mut reader = self.container.reader();
            let mut values = Vec::new();
            for (codes, number) in codes.chunks_mut(stride).zip((run * RUN) as u64..) {
                let block = self.decode(number, reader.read(number, self.block_bytes_max())?)?;
                values.resize(self.layout.block_states(number), 0);
                block.fill_with(0, &mut values, code_of);
                for (code, value) in codes.chunks_mut(width).zip(&values) {
                    code.copy_from_slice(&value.to_le_bytes()[..width]);
                }
            }
            Ok::<_, TableError>(())
        })?;
        let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
        if known.len().saturating_sub(1) as u128 >> (8 * width) != 0 {
            return Ok(None);
        }
        let mut values = vec![None; known.len()];
        known.into_iter().for_each(|(value, code)| values[code] = value);
        Ok(Some(Loaded { table: self, values, codes, width }))
    }
}

impl Loaded<'_> {
    /// The table.
    pub fn table(&self) -> &Table {
        self.table
    }

    /// The value of a state; `None` where it is void.
    #[inline]
    pub fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        Ok(self.values[self.code(self.position(self.table.place(state)?))])
    }

    fn position(&self, Place { block, at }: Place) -> usize {
        block as usize * self.table.layout.block_states_max() + at
    }

    #[inline]
    fn code(&self, position: usize) -> usize {
        match self.width {
            1 => usize::from(self.codes[position]),
            width => {
                let code = &self.codes[position * width..][..width];
                code.iter().rev().fold(0, |code, byte| code << 8 | usize::from(*byte))
            }
        }
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
        // Made once of each value that occurs.
        let made: Vec<T> = self.values.iter().map(|value| made_of(*value)).collect();
        let (mut state, mut rest) = (first, values);
        while !rest.is_empty() {
            let position = self.position(self.table.place(state)?);
            let len = rest.len().min(self.table.layout.run_left(state) as usize);
            let (run, after) = rest.split_at_mut(len);
            for (value, at) in run.iter_mut().zip(position..) {
                *value = made[self.code(at)];
            }
            (state, rest) = (state + len as u64, after);
        }
        Ok(())
    }
}
