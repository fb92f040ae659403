//! What the words engine leaves: two bits a state, and its distance in planes.

use std::ops::Range;

use super::level::{Arrays, Known};
use super::planes::Planes;
use crate::game::Value;
use crate::solution::{Counts, Kept};

/// The values of all states.
pub(crate) struct Sets {
    states: u64,
    /// Open is drawn; open and won is void.
    known: Vec<Known>,
    /// Final draws, where there are any.
    drawn: Vec<u64>,
    planes: Option<Planes>,
}

impl Sets {
    pub(crate) fn new(states: u64, arrays: Arrays) -> Sets {
        let Arrays { known, planes, fixed: drawn, .. } = arrays;
        Sets { states, known, drawn, planes }
    }

    fn counts_of_word(&self, word: usize, mask: u64) -> Counts {
        let Known { open, won } = self.known[word];
        let drawn = self.drawn.get(word).copied().unwrap_or(0);
        let ones = |set: u64| u64::from((set & mask).count_ones());
        Counts {
            win: ones(won & !open),
            loss: ones(!(won | open | drawn)),
            draw: ones((open & !won) | drawn),
            void: ones(won & open),
        }
    }
}

impl Kept for Sets {
    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.planes.is_some()
    }

    fn value(&self, at: usize) -> Option<Value> {
        assert!((at as u64) < self.states, "state {at} is none of the {} states", self.states);
        let distance = || self.planes.as_ref().map_or(0, |planes| planes.get(at));
        let counts = self.counts_of_word(at / 64, 1 << (at % 64));
        match counts {
            Counts { void: 1, .. } => None,
            Counts { win: 1, .. } => Some(Value::Win(distance())),
            Counts { loss: 1, .. } => Some(Value::Loss(distance())),
            _ => Some(Value::Draw),
        }
    }

    fn count(&self, range: Range<usize>) -> Counts {
        let mut counts = Counts::default();
        if range.is_empty() {
            return counts;
        }
        let (first, last) = (range.start / 64, (range.end - 1) / 64);
        for word in first..=last {
            let mut mask = !0;
            if word == first {
                mask &= !0 << (range.start % 64);
            }
            if word == last {
                mask &= !0 >> (63 - (range.end - 1) % 64);
            }
            counts += self.counts_of_word(word, mask);
        }
        counts
    }
}
