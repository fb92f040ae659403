//! Counts the positions of orbits: an orbit has as many as the group has elements, divided by its stabilizer.

use std::ops::Range;

use crate::in_order::{AT_ONCE, try_map};
use crate::rules::{Code, Outcome, Probe};
use crate::solve::solution::Counts;

/// How many values are read at a time.
const BLOCK: u64 = 1 << 14;

impl Counts {
    /// Adds so many states of an outcome, or invalid ones.
    pub fn add(&mut self, outcome: Option<Outcome>, states: u64) {
        *match outcome {
            Some(Outcome::Win) => &mut self.win,
            Some(Outcome::Loss) => &mut self.loss,
            Some(Outcome::Draw) => &mut self.draw,
            None => &mut self.invalid,
        } += states;
    }
}

/// What gets the states of a range with their stabilizers, 0 for an invalid state.
type Stabilizers<'a> = &'a mut dyn FnMut(u64, u32);

/// Counts the positions of each value. `order` is the number of symmetries. An invalid state counts once.
pub(super) fn count_orbits<P: Probe>(
    order: usize,
    values: &P,
    stabilizers: impl Fn(Range<u64>, Stabilizers<'_>) + Sync,
) -> Result<Counts, P::Error> {
    let states = values.states();
    let count = |block: u64| {
        let (first, mut counts) = (block * BLOCK, Counts::default());
        let here = first..states.min(first + BLOCK);
        let mut codes = vec![Code::INVALID; (here.end - first) as usize];
        values.fill_codes(first, &mut codes)?;
        stabilizers(here, &mut |state, stabilizer| {
            let images = order.checked_div(stabilizer as usize).unwrap_or(1) as u64;
            counts.add(codes[(state - first) as usize].outcome(), images);
        });
        Ok(counts)
    };
    let mut all = Counts::default();
    try_map(states.div_ceil(BLOCK), AT_ONCE, count, |counts| {
        all += counts;
        Ok(())
    })?;
    Ok(all)
}
