//! Marks: the frontier as it is stored in the arrays.
//!
//! Marks stand for blocks of 64 states that have frontier states. A marked block is searched for the code of
//! its level, eight cells at a time. Marks are so few that they stay in the cache, and settling a state
//! touches two cache lines instead of three.

use crate::solve::course::Tally;

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
