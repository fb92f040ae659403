//! The part of the arrays that one thread owns, and all operations on a state: seed, update, settle.
//!
//! Only the owner of a part writes to it. So there are no atomics, and the code is the same for one thread
//! and for many.

use super::cell::{FIXED, SETTLED, Scale, find};
use super::frontier::{BLOCK, Note};
use crate::memory::prefetch;

/// A run of states that one thread owns, at one level of the solve.
pub(crate) struct PartMut<'a> {
    pub(crate) cells: CellsMut<'a>,
    pub(crate) beside: Beside<'a>,
}

/// The cells of a part, with all that an update reads. It is a separate struct, so that a loop of updates can
/// copy it first. Then the compiler keeps the copy in registers.
pub(crate) struct CellsMut<'a> {
    /// The first state of the run. Positions are relative to it.
    pub(super) start: u64,
    pub(super) cells: &'a mut [u8],
    /// The least code of an open state.
    pub(super) base: u8,
}

/// What `settle` writes besides the cell.
pub(crate) struct Beside<'a> {
    pub(super) code: u8,
    pub(super) won: &'a mut [u64],
    pub(super) marks_next: &'a mut [u64],
    /// The planes of higher digits. Each comes with the digit of the distance at which states settle now.
    pub(super) high: Vec<(&'a mut [u8], u8)>,
}

impl CellsMut<'_> {
    /// A second reference to the same cells.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> CellsMut<'_> {
        CellsMut { start: self.start, cells: self.cells, base: self.base }
    }

    /// The most moves that a cell can count without planes.
    pub(crate) fn count_max(&self) -> u32 {
        u32::from(u8::MAX - self.base) + 1
    }

    /// Opens the state at `at`. `count` is the number of its moves that are not yet known to lose. It is at
    /// most [`count_max`](CellsMut::count_max).
    #[inline(always)]
    pub(crate) fn seed_few(&mut self, at: usize, count: u32) {
        self.cells[at] = self.base + (count - 1) as u8;
    }

    /// Updates the state at `at`: the value of one of its moves is known. A winning move settles the state,
    /// and so does its last losing move. Skips settled, terminal and invalid states. Returns false if `at` is
    /// outside.
    #[inline(always)]
    pub(crate) fn update(
        &mut self,
        at: usize,
        winning: bool,
        beside: &mut Beside<'_>,
        found: &mut impl Note,
    ) -> bool {
        let Some(cell) = self.cells.get_mut(at) else { return false };
        let old = *cell;
        if winning {
            if old >= self.base {
                self.settle(at, true, beside, found);
            }
        } else {
            // The processor cannot predict whether the state is open. But an update is rarely the last one of
            // its state. So the first test uses arithmetic, and only the second test is a branch.
            *cell = old - u8::from(old >= self.base);
            if old == self.base {
                self.run_out(at, beside, found);
            }
        }
        true
    }

    /// The count in the cell at `at` has run out. If a higher digit is not zero, the count continues from
    /// there. Otherwise the state is lost.
    #[inline(always)]
    fn run_out(&mut self, at: usize, beside: &mut Beside<'_>, found: &mut impl Note) {
        if !beside.high.is_empty() && borrow(&mut beside.high, at) {
            self.cells[at] = u8::MAX;
        } else {
            self.settle(at, false, beside, found);
        }
    }

    /// Gives the state at `at` its value. It does not look at the cell.
    #[inline(always)]
    fn settle(&mut self, at: usize, win: bool, beside: &mut Beside<'_>, found: &mut impl Note) {
        self.cells[at] = beside.code;
        if !beside.high.is_empty() {
            settle_high(&mut beside.high, at);
        }
        if win {
            beside.won[at / 64] |= 1 << (at % 64);
        }
        found.note(self.start + at as u64, at, win, beside.marks_next);
    }
}

/// A separate function, because most games never need it.
#[cold]
#[inline(never)]
fn settle_high(high: &mut [(&mut [u8], u8)], at: usize) {
    for (plane, digit) in high {
        plane[at] = *digit;
    }
}

/// Subtracts one from the higher digits of a count. Returns false if they are all zero. Most games never need
/// it either.
#[cold]
#[inline(never)]
fn borrow(high: &mut [(&mut [u8], u8)], at: usize) -> bool {
    let Some(first) = high.iter().position(|(plane, _)| plane[at] != 0) else { return false };
    high[..first].iter_mut().for_each(|(plane, _)| plane[at] = u8::MAX);
    high[first].0[at] -= 1;
    true
}

impl PartMut<'_> {
    pub(crate) fn start(&self) -> u64 {
        self.cells.start
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.cells.len()
    }

    /// Opens the state at `at`. `count` is the number of its moves that are not yet known to lose.
    pub(crate) fn seed_open(&mut self, at: usize, count: u32) {
        let (code, high) = Scale::encode_count(self.cells.base, count);
        self.cells.cells[at] = code;
        for (k, (plane, _)) in self.beside.high.iter_mut().enumerate() {
            plane[at] = (high >> (8 * k)) as u8;
        }
    }

    /// Makes updates skip the state at `at`.
    pub(crate) fn seed_fixed(&mut self, at: usize) {
        self.cells.cells[at] = FIXED;
    }

    /// As [`CellsMut::update`].
    #[inline(always)]
    pub(crate) fn update(&mut self, at: usize, winning: bool, found: &mut impl Note) -> bool {
        self.cells.update(at, winning, &mut self.beside, found)
    }

    /// As [`CellsMut::settle`].
    #[inline(always)]
    pub(crate) fn settle(&mut self, at: usize, win: bool, found: &mut impl Note) {
        self.cells.settle(at, win, &mut self.beside, found);
    }

    /// Prefetches the cell of a state, if the part has it.
    #[inline(always)]
    pub(crate) fn prefetch(&self, state: u64) {
        let CellsMut { start, cells, .. } = &self.cells;
        prefetch(cells.get(state.wrapping_sub(*start) as usize));
    }

    /// Prefetches the memory that [`frontier`](PartMut::frontier) reads for a block.
    #[inline(always)]
    pub(crate) fn prefetch_block(&self, block: usize) {
        prefetch(self.cells.cells.get(block * BLOCK));
        prefetch(self.beside.won.get(block));
        for (plane, _) in &self.beside.high {
            prefetch(plane.get(block * BLOCK));
        }
    }

    /// Returns the frontier states of a block: first the lost states, then the won ones. They settled with
    /// `code` and `high`.
    #[inline(always)]
    pub(crate) fn frontier(&self, block: usize, code: u8, high: u32) -> (u64, u64) {
        let from = block * BLOCK;
        let to = (from + BLOCK).min(self.len());
        let mut mask = find(&self.cells.cells[from..to], code);
        for (k, (plane, _)) in self.beside.high.iter().enumerate() {
            mask &= find(&plane[from..to], (high >> (8 * k)) as u8);
        }
        let won = self.beside.won[block];
        (mask & !won, mask & won)
    }

    /// Without distances, level `n` has the same code as level `n - 2`. So this method gives another code to
    /// states that have sent their updates.
    pub(crate) fn retire(&mut self, block: usize, mut mask: u64) {
        while mask != 0 {
            self.cells.cells[block * BLOCK + mask.trailing_zeros() as usize] = SETTLED;
            mask &= mask - 1;
        }
    }

    pub(crate) fn is_won(&self, at: usize) -> bool {
        self.beside.won[at / 64] >> (at % 64) & 1 != 0
    }
}
