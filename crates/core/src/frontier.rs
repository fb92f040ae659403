//! The frontier: what settled last and has not been propagated.
//!
//! While it is sparse it is a queue, so that a level costs what it holds and not what the game
//! holds; when the queue is full it becomes marks on blocks, which cost nothing to add to and are swept
//! in the order of memory.

use crate::arrays::{Arrays, BLOCK, MARK_WORD};
use crate::cell::Cell;

/// The longest frontier that is kept as a queue.
pub(crate) const QUEUE_MAX: usize = 1 << 13;

/// Where the states that settle are noted.
pub(crate) trait Note {
    /// Notes the state at position `at` of a part whose marks are given.
    fn note(&mut self, state: u64, at: usize, marks_next: &mut [u64]);
}

/// Notes states by marking their blocks; counts them.
#[derive(Default)]
pub(crate) struct Marked(pub(crate) u64);

impl Note for Marked {
    #[inline(always)]
    fn note(&mut self, _: u64, at: usize, marks_next: &mut [u64]) {
        marks_next[at / MARK_WORD] |= 1 << (at / BLOCK % 64);
        self.0 += 1;
    }
}

/// A frontier as it is being found: a queue, and marks for what the queue has no room for.
#[derive(Default)]
pub(crate) struct Frontier {
    pub(crate) queue: Vec<u64>,
    pub(crate) marked: Marked,
}

impl Note for Frontier {
    #[inline(always)]
    fn note(&mut self, state: u64, at: usize, marks_next: &mut [u64]) {
        if self.queue.len() < QUEUE_MAX {
            self.queue.push(state);
        } else {
            self.marked.note(state, at, marks_next);
        }
    }
}

impl Frontier {
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.marked.0 == 0
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.marked.0 > 0
    }

    /// Brings a frontier that is complete into one form, and its marks to where they are swept.
    pub(crate) fn close<C: Cell>(&mut self, arrays: &mut Arrays<C>) {
        if self.is_marked() {
            let marks = arrays.marks_next.as_raw_mut_slice();
            for state in self.queue.drain(..) {
                self.marked.note(state, state as usize, marks);
            }
            arrays.turn_marks();
        }
    }
}
