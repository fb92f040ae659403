//! The frontier: the states that settled last, and whose predecessors must still get updates.
//!
//! A sparse frontier is a queue, so a level costs as much as it has states. When the queue is full, the
//! frontier becomes marks. A mark stands for a block of 64 states that has frontier states. A sweep searches
//! a marked block for the code of its level, eight cells at a time, in the order of memory. There are few
//! marks, so they stay in the cache. To settle a state, the engine then accesses two cache lines instead of
//! three.

use crate::solve::histogram::Tally;

/// An unfinished frontier: a queue, and marks for the states that do not fit into the queue.
pub(crate) struct Frontier {
    /// The longest frontier that is kept as a queue.
    pub(super) queue_max: usize,
    pub(crate) queue: Vec<u64>,
    pub(crate) marked: Marked,
    /// How many states of the queue are won.
    pub(super) queued_wins: u64,
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
