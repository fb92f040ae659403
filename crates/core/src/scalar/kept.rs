//! The solution of the scalar engine: a cell, a won bit, and the higher digits of the distance.

use std::ops::Range;

use super::cell::{FIXED, INVALID, SETTLED};
use super::storage::Storage;
use crate::memory::bits::has;
use crate::rules::Value;
use crate::solve::solution::{Counts, Kept};

impl Kept for Storage {
    fn states(&self) -> u64 {
        self.cells.len() as u64
    }

    fn has_distances(&self) -> bool {
        self.scale.distances
    }

    fn value(&self, at: usize) -> Option<Value> {
        let code = self.cells[at];
        if code == INVALID {
            return None;
        }
        if code == FIXED || code >= self.scale.base {
            return Some(Value::Draw);
        }
        let high = self.high.iter().rev().fold(0, |high, plane| high << 8 | u32::from(plane[at]));
        let distance = self.scale.decode(code, high);
        Some(if has(&self.won, at) { Value::Win(distance) } else { Value::Loss(distance) })
    }

    fn count(&self, range: Range<usize>) -> Counts {
        // Few enough cells that a byte can count them, many enough to fill vectors.
        const RUN: usize = 128;
        let base = self.scale.base;
        let (mut settled_count, mut invalid) = (0, 0);
        for run in self.cells[range.clone()].chunks(RUN) {
            let settled = run.iter().map(|&cell| u8::from((SETTLED..base).contains(&cell)));
            settled_count += u64::from(settled.sum::<u8>());
            invalid += u64::from(run.iter().map(|&cell| u8::from(cell == INVALID)).sum::<u8>());
        }
        let win = count_ones(&self.won, range.clone());
        let states = (range.end - range.start) as u64;
        Counts { win, loss: settled_count - win, draw: states - settled_count - invalid, invalid }
    }
}

/// How many bits of a range are set.
fn count_ones(bits: &[u64], range: Range<usize>) -> u64 {
    if range.is_empty() {
        return 0;
    }
    let (first, last) = (range.start / 64, (range.end - 1) / 64);
    let words = &bits[first..=last];
    let all: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
    let below = words[0] & !(!0 << (range.start % 64));
    let above = if range.end.is_multiple_of(64) {
        0
    } else {
        words[last - first] & (!0 << (range.end % 64))
    };
    all - u64::from(below.count_ones()) - u64::from(above.count_ones())
}
