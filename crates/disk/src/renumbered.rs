//! A solution in another numbering of its game.

use std::ops::Range;

use retrograde::{Code, Counts, Probe, Value};

/// The values of a solution in another numbering. The new numbering consists of blocks of states. The solution has the
/// same blocks in another order.
pub struct Renumbered<'a, S> {
    solution: &'a S,
    block_len: u64,
    place_of: &'a [u32],
}

impl<'a, S> Renumbered<'a, S> {
    /// Blocks of `block_len` states. `place_of` gives the place of each block in the numbering of the solution.
    pub fn new(solution: &'a S, block_len: u64, place_of: &'a [u32]) -> Renumbered<'a, S> {
        Renumbered { solution, block_len, place_of }
    }

    /// The same numbering.
    pub fn same(solution: &'a S) -> Renumbered<'a, S> {
        Renumbered { solution, block_len: u64::MAX, place_of: &[0] }
    }

    /// How many of these states have each value. `count` counts the states of the solution.
    pub fn count<E>(
        &self,
        states: Range<u64>,
        count: impl Fn(&S, Range<u64>) -> Result<Counts, E>,
    ) -> Result<Counts, E> {
        let (mut counts, mut first) = (Counts::default(), states.start);
        while first < states.end {
            let (at, run) = self.place(first);
            let len = run.min(states.end - first);
            counts += count(self.solution, at..at + len)?;
            first += len;
        }
        Ok(counts)
    }

    /// The number that a state has in the solution. Also how many states, beginning with this one, have consecutive numbers
    /// in both numberings.
    fn place(&self, state: u64) -> (u64, u64) {
        let (block, inside) = (state / self.block_len, state % self.block_len);
        let place = u64::from(self.place_of[block as usize]);
        (place * self.block_len + inside, self.block_len - inside)
    }
}

impl<S: Probe> Probe for Renumbered<'_, S> {
    type Error = S::Error;

    fn states(&self) -> u64 {
        self.solution.states()
    }

    fn has_distances(&self) -> bool {
        self.solution.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, S::Error> {
        self.solution.probe(self.place(state).0)
    }

    fn fill_codes(&self, mut first: u64, mut codes: &mut [Code]) -> Result<(), S::Error> {
        while !codes.is_empty() {
            let (at, run) = self.place(first);
            let here = run.min(codes.len() as u64);
            let (now, later) = codes.split_at_mut(here as usize);
            self.solution.fill_codes(at, now)?;
            (first, codes) = (first + here, later);
        }
        Ok(())
    }
}
