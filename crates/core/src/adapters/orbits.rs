//! Counts the positions of orbits: an orbit has as many as the group has elements, divided by its stabilizer.

use std::ops::Range;

use crate::rules::{Code, Outcome, Probe};
use crate::solve::solution::Counts;

/// How many values are read at a time.
const BLOCK: u64 = 1 << 14;

/// What gives states their stabilizers: it visits each state of a range, with 0 for an invalid state.
type Stabilizers<'a> = &'a mut dyn FnMut(u64, u32);

/// Counts the positions of each value. `order` is the number of symmetries. An invalid state counts once.
pub(super) fn count_orbits<P: Probe>(
    order: usize,
    values: &P,
    mut stabilizers: impl FnMut(Range<u64>, Stabilizers<'_>),
) -> Result<Counts, P::Error> {
    let mut counts = Counts::default();
    let mut codes = vec![Code::INVALID; BLOCK as usize];
    for first in (0..values.states()).step_by(BLOCK as usize) {
        let states = first..values.states().min(first + BLOCK);
        let codes = &mut codes[..(states.end - first) as usize];
        values.fill_codes(first, codes)?;
        stabilizers(states, &mut |state, stabilizer| {
            let images = order.checked_div(stabilizer as usize).unwrap_or(1) as u64;
            *match codes[(state - first) as usize].outcome() {
                Some(Outcome::Win) => &mut counts.win,
                Some(Outcome::Loss) => &mut counts.loss,
                Some(Outcome::Draw) => &mut counts.draw,
                None => &mut counts.invalid,
            } += images;
        });
    }
    Ok(counts)
}
