//! Counts the positions of orbits: an orbit has as many as the group has elements, divided by its stabilizer.

use std::ops::Range;

use crate::in_order::{AT_ONCE, try_map};
use crate::rules::{Code, Outcome, Probe};
use crate::solve::solution::Counts;

/// How many values are read at a time.
const BLOCK: u64 = 1 << 14;

impl Counts {
    /// Adds so many states of an outcome, or invalid ones.
    pub(crate) fn add(&mut self, outcome: Option<Outcome>, states: u64) {
        *match outcome {
            Some(Outcome::Win) => &mut self.win,
            Some(Outcome::Loss) => &mut self.loss,
            Some(Outcome::Draw) => &mut self.draw,
            None => &mut self.invalid,
        } += states;
    }
}

/// What gets the states of a range, each with a number.
type Visit<'a, N> = &'a mut dyn FnMut(u64, N);

/// Counts the positions of each value, on all threads. `images` says how many positions each state of a range stands for.
pub fn count_images<P: Probe>(
    values: &P,
    images: impl Fn(Range<u64>, Visit<'_, u64>) + Sync,
) -> Result<Counts, P::Error> {
    let states = values.states();
    let count = |block: u64| {
        let (first, mut counts) = (block * BLOCK, Counts::default());
        let here = first..states.min(first + BLOCK);
        let mut codes = vec![Code::INVALID; (here.end - first) as usize];
        values.fill_codes(first, &mut codes)?;
        // Of several ranks, each counts the states that it has.
        if codes.iter().all(|code| *code == Code::INVALID) {
            return Ok(Counts { invalid: here.end - first, ..counts });
        }
        images(here, &mut |state, images| {
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

/// Counts the positions of each value. `order` is the number of symmetries. `stabilizers` gives 0 for an invalid state, which counts
/// once.
pub(super) fn count_orbits<P: Probe>(
    order: usize,
    values: &P,
    stabilizers: impl Fn(Range<u64>, Visit<'_, u32>) + Sync,
) -> Result<Counts, P::Error> {
    count_images(values, |states, visit| {
        stabilizers(states, &mut |state, stabilizer| {
            visit(state, order.checked_div(stabilizer as usize).unwrap_or(1) as u64);
        });
    })
}
