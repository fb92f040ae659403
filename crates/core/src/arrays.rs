//! The arrays of a solve, and the part of them that one thread owns.
//!
//! A state costs one cell ([`cell`](crate::cell)), one bit for *won*, and a 32nd of a bit for the
//! frontier: not the states of the frontier are marked but the blocks of 64 states that hold some, and
//! a marked block is searched for the code of its level, eight cells at a time. Marks are so few
//! that they stay in the cache, and settling a state touches two lines of memory, not three.
//!
//! Threads share nothing: the arrays are cut into parts, and whoever owns a part is the only one to
//! write it. So there are no atomics, and one thread and many run the same code.

use crate::bits::{Bits, Ones, zeros};
use crate::cell::{Cell, FIXED, SETTLED, Scale};
use crate::fetch::fetch;
use crate::frontier::Note;
use crate::pages::Pages;

/// How many states a mark stands for.
pub(crate) const BLOCK: usize = 64;
/// How many states a word of marks stands for: parts begin and end at multiples of it.
pub(crate) const MARK_WORD: usize = BLOCK * 64;

/// All arrays of a solve.
pub(crate) struct Arrays<C> {
    pub(crate) scale: Scale,
    pub(crate) cells: Pages<C>,
    /// The higher digits of the distances, one byte each, least first; there are as many planes as
    /// the longest distance so far needs.
    pub(crate) high: Vec<Pages<u8>>,
    pub(crate) won: Bits,
    /// The marks of the frontier that is being propagated.
    pub(crate) marks: Bits,
    /// The marks of the frontier that is being found.
    pub(crate) marks_next: Bits,
}

impl<C: Cell> Arrays<C> {
    /// Arrays of void states.
    pub(crate) fn new(states: u64, scale: Scale) -> Arrays<C> {
        let states = states as usize;
        let blocks = states.div_ceil(BLOCK);
        Arrays {
            scale,
            cells: Pages::zeroed(states),
            high: Vec::new(),
            won: zeros(states),
            marks: zeros(blocks),
            marks_next: zeros(blocks),
        }
    }

    /// What arrays for so many states take, with so many planes.
    pub(crate) fn bytes(states: u64, planes: u64) -> u64 {
        let words = |bits: u64| bits.div_ceil(64) * 8;
        let cells = states.saturating_mul(size_of::<C>() as u64 + planes);
        cells.saturating_add(words(states)).saturating_add(2 * words(states.div_ceil(BLOCK as u64)))
    }

    /// How many planes a distance needs.
    pub(crate) fn planes_for(&self, level: u32) -> usize {
        let (_, high) = self.scale.encode(level);
        (u32::BITS - high.leading_zeros()).div_ceil(8) as usize
    }

    /// Adds the planes that `level` needs. Zeros are right for every shorter distance.
    pub(crate) fn add_planes_for(&mut self, level: u32) {
        while self.high.len() < self.planes_for(level) {
            self.high.push(Pages::zeroed(self.cells.len()));
        }
    }

    /// What was found becomes what is propagated.
    pub(crate) fn turn_marks(&mut self) {
        std::mem::swap(&mut self.marks, &mut self.marks_next);
    }

    /// Moves the states that settled at `level` from the marks to a queue.
    pub(crate) fn take_marked(&mut self, level: u32, queue: &mut Vec<u64>) {
        let (code, high) = self.scale.encode(level);
        let (part, marks) = self.whole(level);
        for (i, marks) in marks.iter_mut().enumerate() {
            for block in Ones(std::mem::take(marks)) {
                let block = i * 64 + block as usize;
                let (lost, won) = part.frontier(block, C::new(code), high);
                queue.extend(Ones(lost | won).map(|at| (block * BLOCK) as u64 + at));
            }
        }
    }

    /// Notes the states that settled at `level`, as they were noted when they did.
    pub(crate) fn note_settled(&mut self, level: u32, found: &mut impl Note) {
        let (code, high) = self.scale.encode(level);
        let blocks = self.cells.len().div_ceil(BLOCK);
        let (part, _) = self.whole(level);
        for block in 0..blocks {
            let (lost, won) = part.frontier(block, C::new(code), high);
            for bit in Ones(lost | won) {
                let at = block * BLOCK + bit as usize;
                found.note(at as u64, at, part.marks_next);
            }
        }
    }

    /// Cuts the arrays into parts of `len` states, each with the marks to propagate beside it.
    /// States that settle through a part settle at `level`.
    pub(crate) fn parts(
        &mut self,
        len: usize,
        level: u32,
    ) -> impl Iterator<Item = (Part<'_, C>, &mut [u64])> {
        assert!(len.is_multiple_of(MARK_WORD), "parts of whole words of marks");
        let (code, high) = self.scale.encode(level);
        let (code, base) = (C::new(code), C::new(self.scale.base));
        let mut planes: Vec<_> = self.high.iter_mut().map(|plane| plane.chunks_mut(len)).collect();
        let cells = self.cells.chunks_mut(len);
        let won = self.won.as_raw_mut_slice().chunks_mut(len / 64);
        let marks = self.marks.as_raw_mut_slice().chunks_mut(len / MARK_WORD);
        let marks_next = self.marks_next.as_raw_mut_slice().chunks_mut(len / MARK_WORD);
        cells.zip(won).zip(marks.zip(marks_next)).enumerate().map(
            move |(i, ((cells, won), (marks, marks_next)))| {
                let high_digits = planes
                    .iter_mut()
                    .enumerate()
                    .map(|(k, chunks)| {
                        (chunks.next().expect("a plane has every part"), (high >> (8 * k)) as u8)
                    })
                    .collect();
                let start = (i * len) as u64;
                (Part { start, cells, won, marks_next, high: high_digits, code, base }, marks)
            },
        )
    }

    /// The arrays, which must not be empty, as one part.
    pub(crate) fn whole(&mut self, level: u32) -> (Part<'_, C>, &mut [u64]) {
        let len = self.cells.len().next_multiple_of(MARK_WORD);
        self.parts(len, level).next().expect("one part holds all")
    }
}

/// A run of states that one thread owns, at one level of the solve.
pub(crate) struct Part<'a, C> {
    /// The first state of the run; positions inside it are counted from here.
    pub(crate) start: u64,
    cells: &'a mut [C],
    won: &'a mut [u64],
    marks_next: &'a mut [u64],
    /// The planes of higher digits, each with the digit of what settles now.
    high: Vec<(&'a mut [u8], u8)>,
    /// The code of what settles now.
    code: C,
    /// The least code of an open state.
    base: C,
}

impl<C: Cell> Part<'_, C> {
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
        found.note(self.start + at as u64, at, self.marks_next);
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
    pub(crate) fn fetch(&self, state: u64) {
        fetch(self.cells.get(state.wrapping_sub(self.start) as usize));
    }

    /// Asks for all that the search of a block reads.
    #[inline(always)]
    pub(crate) fn fetch_block(&self, block: usize) {
        fetch(self.cells.get(block * BLOCK));
        fetch(self.won.get(block));
        for (plane, _) in &self.high {
            fetch(plane.get(block * BLOCK));
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
