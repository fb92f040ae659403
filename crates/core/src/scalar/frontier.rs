//! The frontier: the states that settled last, and whose predecessors must still get updates.
//!
//! A sparse frontier is a queue, so a level costs as much as it has states. When the queue is full, the
//! frontier becomes marks. A mark stands for a block of 64 states that has frontier states. A sweep searches
//! a marked block for the code of its level, eight cells at a time, in the order of memory. There are few
//! marks, so they stay in the cache. To settle a state, the engine then accesses two cache lines instead of
//! three.

use super::storage::Storage;
use crate::solve::course::Tally;

/// An unfinished frontier: a queue, and marks for the states that do not fit into the queue.
pub(crate) struct Frontier {
    /// The longest frontier that is kept as a queue.
    queue_max: usize,
    pub(crate) queue: Vec<u64>,
    pub(crate) marked: Marked,
    /// How many states of the queue are won.
    queued_wins: u64,
}

impl Note for Frontier {
    #[inline(always)]
    fn note(&mut self, state: u64, at: usize, won: bool, marks_next: &mut [u64]) {
        if self.queue.len() < self.queue_max {
            self.queue.push(state);
            self.queued_wins += u64::from(won);
        } else {
            self.marked.note(state, at, won, marks_next);
        }
    }
}

impl Frontier {
    /// An empty frontier.
    pub(crate) fn new(queue_max: usize) -> Frontier {
        Frontier { queue_max, queue: Vec::new(), queued_wins: 0, marked: Marked::default() }
    }

    /// Empties it.
    pub(crate) fn clear(&mut self) {
        self.queue.clear();
        (self.queued_wins, self.marked) = (0, Marked::default());
    }

    /// How many states it holds.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = self.queued();
        tally += self.marked.0;
        tally
    }

    fn queued(&self) -> Tally {
        let wins = self.queued_wins;
        Tally { wins, losses: self.queue.len() as u64 - wins }
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.marked.0.total() > 0
    }

    /// Turns a complete frontier into one form, a queue or marks, and makes its marks the current ones. Its
    /// states settled at `level`.
    pub(crate) fn close(&mut self, storage: &mut Storage, level: u32) {
        if !self.is_marked() {
            return;
        }
        self.marked.0 = self.tally();
        self.queued_wins = 0;
        storage.mark(self.queue.drain(..));
        storage.turn_marks();
        // Half a queue, so that a frontier of about the length of a queue does not change its form at each
        // level.
        if self.marked.0.total() <= self.queue_max as u64 / 2 {
            storage.take_marked(level, &mut self.queue);
            self.queued_wins = std::mem::take(&mut self.marked.0).wins;
        }
    }
}

/// How many states a mark stands for.
pub(crate) const BLOCK: usize = 64;
/// How many states a word of marks covers. Parts begin and end at multiples of it.
pub(crate) const MARK_WORD: usize = BLOCK * 64;

/// Marks the block of a position.
#[inline(always)]
pub(crate) fn mark(marks: &mut [u64], at: usize) {
    marks[at / MARK_WORD] |= 1 << (at / BLOCK % 64);
}

/// Records the states that settle.
pub(crate) trait Note {
    /// Records the state at position `at` of a part with these marks, and whether it is won.
    fn note(&mut self, state: u64, at: usize, won: bool, marks_next: &mut [u64]);
}

/// Records states by marking their blocks, and counts them.
#[derive(Default)]
pub(crate) struct Marked(pub(crate) Tally);

impl Note for Marked {
    #[inline(always)]
    fn note(&mut self, _: u64, at: usize, won: bool, marks_next: &mut [u64]) {
        mark(marks_next, at);
        if won {
            self.0.wins += 1;
        } else {
            self.0.losses += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::Scale;
    use super::*;

    /// After one dense level, a game must not sweep all its marks at every later level.
    #[test]
    fn a_frontier_that_becomes_sparse_becomes_a_queue_again() {
        let scale = Scale::new(2, true);
        const QUEUE_MAX: usize = 100;
        for count in [1, QUEUE_MAX / 2, QUEUE_MAX / 2 + 1] {
            let mut storage = Storage::new(0..100_000, scale);
            let mut found = Marked::default();
            let (mut part, _) = storage.whole(7);
            let states: Vec<u64> = (0..count as u64).map(|i| i * 17).collect();
            states.iter().for_each(|&state| part.settle(state as usize, true, &mut found));
            let mut frontier = Frontier { marked: found, ..Frontier::new(QUEUE_MAX) };
            frontier.close(&mut storage, 7);
            assert_eq!(frontier.tally(), Tally { wins: count as u64, losses: 0 });
            if count <= QUEUE_MAX / 2 {
                assert_eq!((frontier.is_marked(), frontier.queue), (false, states));
                let mut marks = storage.marks.iter().chain(&storage.marks_next);
                assert!(marks.all(|&word| word == 0));
            } else {
                assert!(frontier.is_marked() && frontier.queue.is_empty());
            }
        }
    }
}
