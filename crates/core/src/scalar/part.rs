//! The part of the arrays that one thread owns, and all that is ever done to a state: seed, visit, settle.
//!
//! Whoever owns a part is the only one to write it. So there are no atomics, and one thread and many run the same code.

use super::cell::{Cell, FIXED, SETTLED};
use super::marks::{BLOCK, Note};
use crate::memory::prefetch::prefetch;

/// A run of states that one thread owns, at one level of the solve.
pub(crate) struct PartMut<'a, C> {
    /// The first state of the run; positions inside it are counted from here.
    pub(crate) start: u64,
    pub(super) cells: &'a mut [C],
    pub(super) won: &'a mut [u64],
    pub(super) marks_next: &'a mut [u64],
    /// The planes of higher digits, each with the digit of what settles now.
    pub(super) high: Vec<(&'a mut [u8], u8)>,
    /// The code of what settles now.
    pub(super) code: C,
    /// The least code of an open state.
    pub(super) base: C,
}

impl<C: Cell> PartMut<'_, C> {
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Puts the state at `at` beyond the reach of visits.
    pub(crate) fn seed_fixed(&mut self, at: usize) {
        self.cells[at] = C::new(FIXED);
    }

    /// Opens the state at `at` with so many moves that are not known to lose.
    pub(crate) fn seed_open(&mut self, at: usize, count: u32) {
        self.cells[at] = C::new(self.base.get() + (count - 1));
    }

    /// One move of the state at `at` has become known: a winning one settles it, the last of the
    /// losing ones too. Settled, final and void states are passed over. False if `at` lies outside.
    #[inline(always)]
    pub(crate) fn visit(&mut self, at: usize, winning: bool, found: &mut impl Note) -> bool {
        let Some(cell) = self.cells.get_mut(at) else { return false };
        let old = *cell;
        if winning {
            if old >= self.base {
                self.settle(at, true, found);
            }
        } else {
            // Whether the state is open is a coin toss to the branch predictor, that its last move
            // has come is rare: so the first is arithmetic and only the second a branch.
            *cell = C::new(old.get() - u32::from(old >= self.base));
            if old == self.base {
                self.settle(at, false, found);
            }
        }
        true
    }

    /// Gives the state at `at` its value, whatever its cell said before.
    #[inline(always)]
    pub(crate) fn settle(&mut self, at: usize, win: bool, found: &mut impl Note) {
        self.cells[at] = self.code;
        if !self.high.is_empty() {
            self.settle_high(at);
        }
        if win {
            self.won[at / 64] |= 1 << (at % 64);
        }
        found.note(self.start + at as u64, at, win, self.marks_next);
    }

    /// Out of line, because most games never come here.
    #[cold]
    #[inline(never)]
    fn settle_high(&mut self, at: usize) {
        for (plane, digit) in &mut self.high {
            plane[at] = *digit;
        }
    }

    /// Asks for the cell of a state, if the part holds it.
    #[inline(always)]
    pub(crate) fn prefetch(&self, state: u64) {
        prefetch(self.cells.get(state.wrapping_sub(self.start) as usize));
    }

    /// Asks for all that the search of a block reads.
    #[inline(always)]
    pub(crate) fn prefetch_block(&self, block: usize) {
        prefetch(self.cells.get(block * BLOCK));
        prefetch(self.won.get(block));
        for (plane, _) in &self.high {
            prefetch(plane.get(block * BLOCK));
        }
    }

    /// The frontier states of a block, lost and won, which settled with `code` and `high`.
    #[inline(always)]
    pub(crate) fn frontier(&self, block: usize, code: C, high: u32) -> (u64, u64) {
        let from = block * BLOCK;
        let to = (from + BLOCK).min(self.cells.len());
        let mut mask = C::find(&self.cells[from..to], code);
        for (k, (plane, _)) in self.high.iter().enumerate() {
            mask &= u8::find(&plane[from..to], (high >> (8 * k)) as u8);
        }
        let won = self.won[block];
        (mask & !won, mask & won)
    }

    /// Where distances are not kept, the code of a level is used again two levels later: what has
    /// been propagated must give it up.
    pub(crate) fn retire(&mut self, block: usize, mut mask: u64) {
        while mask != 0 {
            self.cells[block * BLOCK + mask.trailing_zeros() as usize] = C::new(SETTLED);
            mask &= mask - 1;
        }
    }

    pub(crate) fn is_won(&self, at: usize) -> bool {
        self.won[at / 64] >> (at % 64) & 1 != 0
    }
}
