//! A solve state by state, kept and taken up again: its arrays. Which states the last level settled is found by
//! their distance.

use super::cell::Cell;
use super::storage::Arrays;
use crate::solve::snapshot::{Sink, Source};
use crate::solve::solver::SolveError;

/// How many cells are turned into bytes at a time.
const RUN: usize = 1 << 14;

impl<C: Cell> Arrays<C> {
    /// Writes what is known of every state.
    pub(crate) fn write(&self, sink: &mut Sink<'_>) {
        let mut bytes = Vec::new();
        for cells in self.cells.chunks(RUN) {
            bytes.clear();
            C::to_bytes(cells, &mut bytes);
            sink.bytes(&bytes);
        }
        sink.number(self.high.len() as u64);
        for plane in &self.high {
            plane.chunks(RUN).for_each(|digits| sink.bytes(digits));
        }
        sink.numbers(self.won.as_raw_slice().iter().copied());
    }

    /// Reads what [`write`](Arrays::write) wrote. The planes are those for `level`.
    pub(crate) fn read(&mut self, level: u32, source: &mut Source<'_>) -> Result<(), SolveError> {
        let mut bytes = Vec::new();
        for cells in self.cells.chunks_mut(RUN) {
            bytes.resize(size_of_val(cells), 0);
            source.bytes(&mut bytes)?;
            C::from_bytes(&bytes, cells);
        }
        self.add_planes_for(level);
        if source.number()? != self.high.len() as u64 {
            return Err(SolveError::Snapshot);
        }
        for digits in self.high.iter_mut().flat_map(|plane| plane.chunks_mut(RUN)) {
            source.bytes(digits)?;
        }
        source.numbers(self.won.as_raw_mut_slice().iter_mut())
    }
}
