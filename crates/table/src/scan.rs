//! Lookups of many states: a list in any order, a range, all states. Also the check of every byte.

use std::ops::Range;

use retrograde::internal::threads;
use retrograde::{Code, Probe, Value};

use crate::error::TableError;
use crate::layout::Place;
use crate::table::Table;

impl Table {
    /// The values of many states in any order, as [`probe`](Table::probe) gives them. It uses all threads,
    /// and unpacks each block once.
    pub fn probe_many(&self, states: &[u64]) -> Result<Vec<Option<Value>>, TableError> {
        let mut order: Vec<(Place, usize)> = Vec::with_capacity(states.len());
        let mut others = Vec::new();
        for (rank, state) in states.iter().enumerate() {
            match self.place(*state) {
                Ok(place) => order.push((place, rank)),
                Err(_) if self.answers(*state) => others.push(rank),
                Err(error) => return Err(error),
            }
        }
        order.sort_by_key(|(place, _)| place.block);
        let mut values = vec![None; states.len()];
        let mut put = |found: Vec<(usize, Option<Value>)>| {
            found.into_iter().for_each(|(rank, value)| values[rank] = value);
            Ok(())
        };
        let blocks: Vec<_> = order.chunk_by(|(a, _), (b, _)| a.block == b.block).collect();
        let in_block = |at: u64| {
            let places = blocks[at as usize];
            let block = self.cached(places[0].0.block)?;
            let found = |(place, rank): &(Place, usize)| {
                Ok((*rank, self.raised(states[*rank], block.value(place.at))?))
            };
            places.iter().map(found).collect()
        };
        threads::try_map(blocks.len() as u64, 64, in_block, &mut put)?;
        let runs: Vec<_> = others.chunks(1 << 8).collect();
        let recovered = |at: u64| {
            let found = |rank: &usize| Ok((*rank, self.probe(states[*rank])?));
            runs[at as usize].iter().map(found).collect::<Result<_, TableError>>()
        };
        threads::try_map(runs.len() as u64, 64, recovered, put)?;
        Ok(values)
    }

    /// The values of the states from `first` on. Fills all of `values`.
    pub fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), TableError> {
        Probe::fill(self, first, values)
    }

    /// Writes the codes of the states from `first` on. The table must keep these states.
    pub(crate) fn fill_kept(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        let (mut state, mut rest) = (first, codes);
        while !rest.is_empty() {
            let Place { block, at } = self.place(state)?;
            let len = rest.len().min(self.layout.run_left(state) as usize);
            let (run, after) = rest.split_at_mut(len);
            self.valued(block)?.fill_codes(at, run);
            (state, rest) = (state + len as u64, after);
        }
        Ok(())
    }

    /// How many blocks the table has.
    pub fn blocks(&self) -> u64 {
        self.layout.blocks()
    }

    /// Goes through the stored values of some blocks, at full speed. If the table [leaves out values that
    /// exits give](crate::Exits::Forgotten), a stored value may be worse than the value. Calls `visit` with
    /// the first of some consecutive states, and their values. It follows the order of the file. If the table
    /// has [rows](crate::Writer::rows), this is not the order of states. Several threads may each take a
    /// range of blocks.
    ///
    /// # Panics
    ///
    /// If the table has no such blocks.
    pub fn scan(
        &self,
        blocks: Range<u64>,
        mut visit: impl FnMut(u64, &[Option<Value>]),
    ) -> Result<(), TableError> {
        let mut reader = self.container.reader();
        let mut values = Vec::new();
        for number in blocks {
            let block = self.decode(number, reader.read(number, self.block_bytes_max())?)?;
            for run in self.layout.runs(number) {
                values.resize(run.len, None);
                block.fill(run.at, &mut values);
                visit(run.first, &values);
            }
        }
        Ok(())
    }

    /// Checks every byte of the file, with all threads. Returns the first error in the file.
    pub fn check(&self) -> Result<(), TableError> {
        self.levels()?;
        self.container
            .check(self.block_bytes_max(), |number, bytes| self.decode(number, bytes).is_ok())
    }
}
