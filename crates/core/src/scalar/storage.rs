//! The arrays of a solve, which are cut into parts.
//!
//! A state costs one cell ([`cell`](super::cell)), one bit for *won*, and a 32nd of a bit for the
//! marks of the frontier ([`marks`](super::marks)).

use super::cell::{Cell, Scale};
use super::marks::{BLOCK, MARK_WORD, Note};
use super::part::Part;
use crate::memory::bits::{Bits, Ones, zeros};
use crate::memory::pages::Pages;

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
