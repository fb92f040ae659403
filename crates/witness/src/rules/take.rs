//! Heaps: a player takes from one heap as many as the rules allow. A player who cannot move loses, or wins in
//! misère play.

use std::ops::Range;

use super::{run, runs, stuck};
use crate::proof::{Place, Rules};
use crate::table::Number;

/// The number of a state has the sizes of the heaps as digits. The first heap is the highest digit.
pub(crate) struct Take {
    /// For each heap, what one piece adds to the number, and the largest size.
    heaps: Vec<(u64, u64)>,
    /// `None` if any number may be taken.
    takes: Option<Vec<u64>>,
    misere: bool,
    states: u64,
}

impl Take {
    pub(crate) fn new(sizes: &[u64], takes: &str, misere: bool) -> Option<Take> {
        let (mut heaps, mut states) = (Vec::new(), 1u64);
        for &size in sizes.iter().rev() {
            heaps.insert(0, (states, size));
            states = states.checked_mul(size.checked_add(1)?)?;
        }
        let numbers = || takes.split(',').map(|take| take.parse().ok()).collect::<Option<_>>();
        let takes = if takes == "any" { None } else { Some(numbers()?) };
        Some(Take { heaps, takes, misere, states })
    }
}

impl Rules for Take {
    type Position = u64;

    fn runs(&self) -> u64 {
        runs(self.states)
    }

    fn run(&self, number: u64) -> Range<u64> {
        run(number, self.states)
    }

    fn each(&self, number: u64, mut visit: impl FnMut(&u64)) {
        self.run(number).for_each(|state| visit(&state));
    }

    fn place(&self, &position: &u64) -> Place {
        Place::Table(0, position)
    }

    fn moves(&self, &position: &u64, mut visit: impl FnMut(&u64)) {
        for &(weight, size) in &self.heaps {
            let left = position / weight % (size + 1);
            let mut take = |take: u64| visit(&(position - take * weight));
            match &self.takes {
                None => (1..=left).for_each(take),
                Some(takes) => {
                    takes.iter().filter(|&&some| some <= left).for_each(|&some| take(some));
                }
            }
        }
    }

    fn stuck(&self, _: &u64) -> Number {
        stuck(self.misere)
    }

    fn text(&self, &position: &u64) -> String {
        let sizes = self.heaps.iter().map(|(weight, size)| position / weight % (size + 1));
        sizes.map(|size| size.to_string()).collect::<Vec<_>>().join(",")
    }
}
