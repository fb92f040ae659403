//! A table in memory: a byte a state, looked up in nanoseconds.
//!
//! For whoever asks for most states many times: a verification, or a game whose exits lead into the table. The bytes are
//! codes of values, as in a block, but the same in all of them, and in the order of the states, so that one look finds a
//! value. They lie in a map of their own, which goes back to the system when it is dropped; what is allocated block by block
//! stays with the heaps of threads that have ended, and the next table takes as much again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use memmap2::MmapMut;
use rayon::prelude::*;
use retrograde::{Probe, Value};

use crate::error::TableError;
use crate::table::Table;

/// All of a table, unpacked.
pub struct Loaded<'a> {
    table: &'a Table,
    /// The values that occur, by code.
    values: Vec<Option<Value>>,
    /// For each code its place among all as players order values: those that are void first.
    places: Vec<u32>,
    /// The codes of the states in turn.
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
        const BLOCKS: u64 = 256;
        let (states, blocks) = self.layout.bands(BLOCKS);
        let mut codes = MmapMut::map_anon(self.states() as usize * width)
            .map_err(|source| TableError::io(self.path(), source))?;
        let known = Mutex::new(HashMap::new());
        let code_of = |value: Option<Value>| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let next = known.len();
            *known.entry(value).or_insert(next)
        };
        let bands = codes.par_chunks_mut(states as usize * width).enumerate();
        bands.try_for_each(|(band, codes)| {
            let band = band as u64;
            let mut reader = self.container.reader();
            let mut values = Vec::new();
            for number in band * blocks..self.blocks().min((band + 1) * blocks) {
                let block = self.decode(number, reader.read(number, self.block_bytes_max())?)?;
                values.resize(self.layout.block_states(number), 0);
                block.fill_with(0, &mut values, code_of);
                for run in self.layout.runs(number) {
                    let codes = &mut codes[(run.first - band * states) as usize * width..];
                    let values = &values[run.at..run.at + run.len];
                    for (code, value) in codes.chunks_mut(width).zip(values) {
                        code.copy_from_slice(&value.to_le_bytes()[..width]);
                    }
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
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&code| values[code].map(Value::preference));
        let mut places = vec![0; values.len()];
        (0..).zip(&order).for_each(|(place, &code)| places[code] = place);
        Ok(Some(Loaded { table: self, values, places, codes, width }))
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
        self.table.check_kept(state)?;
        Ok(self.values[self.code(state)])
    }

    #[inline]
    fn code(&self, state: u64) -> usize {
        let state = state as usize;
        match self.width {
            1 => usize::from(self.codes[state]),
            width => {
                let code = &self.codes[state * width..][..width];
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
        let Some(last) = (values.len() as u64).checked_sub(1) else { return Ok(()) };
        self.table.check_kept(first)?;
        self.table.check_kept(first + last)?;
        // Made once of each value that occurs.
        let made: Vec<T> = self.values.iter().map(|value| made_of(*value)).collect();
        let half = self.table.header().half.is_some();
        for (value, state) in values.iter_mut().zip(first..) {
            if half {
                self.table.check_kept(state)?;
            }
            *value = made[self.code(state)];
        }
        Ok(())
    }

    #[inline]
    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, TableError> {
        let mut least: Option<(u32, usize)> = None;
        for &state in states {
            self.table.check_kept(state)?;
            let code = self.code(state);
            let here = (self.places[code], code);
            least = Some(least.map_or(here, |least| least.min(here)));
        }
        Ok(least.and_then(|(_, code)| self.values[code]))
    }
}
