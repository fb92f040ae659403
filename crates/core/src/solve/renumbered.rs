//! A solution by other numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use super::solution::{Counts, Kept, Solution};
use crate::rules::{Code, Probe, Value};

impl Solution {
    /// How many bytes the result of [`renumbered`](Solution::renumbered) takes.
    pub fn bytes_renumbered(states: u64) -> u64 {
        2 * states
    }

    /// The same values by other numbers. `numbers` gets a range of states of this solution, and a place for the number of each. It
    /// fills in those of valid states. All other numbers are invalid.
    ///
    /// # Panics
    ///
    /// If a number is not below `states`.
    pub fn renumbered(
        &self,
        states: u64,
        mut numbers: impl FnMut(Range<u64>, &mut [Option<u64>]),
    ) -> Solution {
        const BLOCK: usize = 1 << 12;
        let mut kept = Renumbered {
            codes: vec![Code::INVALID; states as usize],
            far: BTreeMap::new(),
            has_distances: self.has_distances(),
        };
        let (mut codes, mut found) = ([Code::INVALID; BLOCK], [None; BLOCK]);
        for first in (0..self.states()).step_by(BLOCK) {
            let end = self.states().min(first + BLOCK as u64);
            let codes = &mut codes[..(end - first) as usize];
            let found = &mut found[..codes.len()];
            found.fill(None);
            let Ok(()) = self.fill_codes(first, codes);
            numbers(first..end, found);
            for ((state, code), number) in (first..end).zip(codes).zip(found) {
                let Some(number) = *number else { continue };
                kept.codes[number as usize] = *code;
                if code.is_far()
                    && let Some(distance) = self.value(state).and_then(Value::distance)
                {
                    kept.far.insert(number as usize, distance);
                }
            }
        }
        let bytes = self.bytes() + Solution::bytes_renumbered(states);
        Solution::new(Box::new(kept), self.histogram().clone(), bytes)
    }
}

/// Values by the numbers that a caller wants.
struct Renumbered {
    codes: Vec<Code>,
    /// The distances of far codes.
    far: BTreeMap<usize, u32>,
    has_distances: bool,
}

impl Kept for Renumbered {
    fn states(&self) -> u64 {
        self.codes.len() as u64
    }

    fn has_distances(&self) -> bool {
        self.has_distances
    }

    fn value(&self, at: usize) -> Option<Value> {
        self.codes[at].value_with(|| self.far[&at])
    }

    fn fill_codes(&self, at: usize, codes: &mut [Code]) {
        codes.copy_from_slice(&self.codes[at..at + codes.len()]);
    }

    fn count(&self, range: Range<usize>) -> Counts {
        let mut counts = Counts::default();
        self.codes[range].iter().for_each(|code| counts.add(code.outcome(), 1));
        counts
    }
}
