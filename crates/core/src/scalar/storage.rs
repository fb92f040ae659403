//! The arrays of a run of states.
//!
//! A state takes one cell ([`cell`](super::cell)), one bit for *won*, and a 32nd of a bit for the marks of
//! the frontier ([`frontier`](super::frontier)). Callers use the arrays as one part or divide them into many.

use std::ops::Range;

use super::cell::{FIXED, INVALID, SETTLED, Scale};
use super::frontier::{BLOCK, Frontier, MARK_WORD, Marked, Note, mark};
use super::part::{Beside, CellsMut, PartMut};
use crate::memory::{Bits, Ones, Pages, has, zeros};
use crate::rules::{Code, Value};
use crate::solve::solution::{Counts, Kept};

/// All data of a run of states.
pub(crate) struct Storage {
    pub(crate) scale: Scale,
    /// The first state, a multiple of [`BLOCK`].
    pub(crate) start: u64,
    pub(crate) cells: Pages<u8>,
    /// Higher digits, one byte each, lowest first: of the count while a state is open, of the distance once
    /// it has settled. There are as many planes as the largest count and the longest distance so far need.
    pub(crate) high: Vec<Pages<u8>>,
    /// Unused planes.
    spare: Vec<Pages<u8>>,
    pub(crate) won: Bits,
    /// The marks of the current frontier.
    pub(crate) marks: Bits,
    /// The marks of the next frontier.
    pub(crate) marks_next: Bits,
}

impl Storage {
    /// Arrays of invalid states.
    pub(crate) fn new(states: Range<u64>, scale: Scale) -> Storage {
        let len = (states.end - states.start) as usize;
        let blocks = len.div_ceil(BLOCK);
        Storage {
            scale,
            start: states.start,
            cells: Pages::zeroed(len),
            high: (0..scale.count_planes).map(|_| Pages::zeroed(len)).collect(),
            spare: Vec::new(),
            won: zeros(len),
            marks: zeros(blocks),
            marks_next: zeros(blocks),
        }
    }

    /// Makes them arrays for other states, which are all invalid. Keeps the memory if the number of states is
    /// the same.
    pub(crate) fn restart(&mut self, states: Range<u64>) {
        if states.end - states.start != self.cells.len() as u64 {
            *self = Storage::new(states, self.scale);
            return;
        }
        self.start = states.start;
        self.cells.fill(INVALID);
        self.spare.append(&mut self.high);
        self.add_planes_for(0);
        for bits in [&mut self.won, &mut self.marks, &mut self.marks_next] {
            bits.fill(0);
        }
    }

    /// The bytes of arrays for `states` states, when states settle at `level`.
    pub(crate) fn bytes(states: u64, scale: Scale, level: u32) -> u64 {
        let words = |bits: u64| bits.div_ceil(64) * 8;
        let cells = states.saturating_mul(1 + scale.planes(level) as u64);
        cells.saturating_add(words(states)).saturating_add(2 * words(states.div_ceil(BLOCK as u64)))
    }

    /// Adds the planes that `level` needs. Zeros are right for every shorter distance.
    pub(crate) fn add_planes_for(&mut self, level: u32) {
        while self.high.len() < self.scale.planes(level) {
            let plane = self.spare.pop().map(|mut plane| {
                plane.fill(0);
                plane
            });
            self.high.push(plane.unwrap_or_else(|| Pages::zeroed(self.cells.len())));
        }
    }

    /// Turns a complete frontier into one form, a queue or marks, and makes its marks the current ones. Its
    /// states settled at `level`.
    pub(crate) fn close(&mut self, frontier: &mut Frontier, level: u32) {
        if !frontier.is_marked() {
            return;
        }
        frontier.marked.0 = frontier.tally();
        frontier.queued_wins = 0;
        for state in frontier.queue.drain(..) {
            mark(&mut self.marks_next, (state - self.start) as usize);
        }
        std::mem::swap(&mut self.marks, &mut self.marks_next);
        // Half a queue, so that a frontier of about the length of a queue does not change its form at each
        // level.
        if frontier.marked.0.total() <= frontier.queue_max as u64 / 2 {
            self.take_marked(level, &mut frontier.queue);
            frontier.queued_wins = std::mem::take(&mut frontier.marked.0).wins;
        }
    }

    /// Moves the states that settled at `level` from the marks to a queue.
    fn take_marked(&mut self, level: u32, queue: &mut Vec<u64>) {
        let (code, high) = self.scale.encode(level);
        let (part, marks) = self.whole(level);
        for (i, marks) in marks.iter_mut().enumerate() {
            for block in Ones(std::mem::take(marks)) {
                let block = i * 64 + block as usize;
                let (lost, won) = part.frontier(block, code, high);
                let first = part.start() + (block * BLOCK) as u64;
                queue.extend(Ones(lost | won).map(|at| first + at));
            }
        }
    }

    /// Records the states that settled at `level` again, after a snapshot was read.
    pub(crate) fn note_settled(&mut self, level: u32, found: &mut Marked) {
        let (code, high) = self.scale.encode(level);
        for (part, _) in self.parts(usize::MAX, level) {
            for block in 0..part.len().div_ceil(BLOCK) {
                let (lost, won) = part.frontier(block, code, high);
                for bit in Ones(lost | won) {
                    let at = block * BLOCK + bit as usize;
                    found.note(at as u64, at, won >> bit & 1 != 0, part.beside.marks_next);
                }
            }
        }
    }

    /// Divides the arrays into parts of `len` states, each with its current marks. States that settle through
    /// a part settle at `level`.
    pub(crate) fn parts(
        &mut self,
        len: usize,
        level: u32,
    ) -> impl Iterator<Item = (PartMut<'_>, &mut [u64])> {
        let len = len.min(self.cells.len().next_multiple_of(MARK_WORD)).max(MARK_WORD);
        assert!(len.is_multiple_of(MARK_WORD), "parts of whole words of marks");
        let (code, high) = self.scale.encode(level);
        let base = self.scale.base;
        let mut planes: Vec<_> = self.high.iter_mut().map(|plane| plane.chunks_mut(len)).collect();
        let cells = self.cells.chunks_mut(len);
        let won = self.won.chunks_mut(len / 64);
        let marks = self.marks.chunks_mut(len / MARK_WORD);
        let marks_next = self.marks_next.chunks_mut(len / MARK_WORD);
        let starts = (self.start..).step_by(len);
        let arrays = starts.zip(cells.zip(won)).zip(marks.zip(marks_next));
        arrays.map(move |((start, (cells, won)), (marks, marks_next))| {
            let high_digits = planes
                .iter_mut()
                .enumerate()
                .map(|(k, chunks)| {
                    (chunks.next().expect("a plane has every part"), (high >> (8 * k)) as u8)
                })
                .collect();
            let beside = Beside { code, won, marks_next, high: high_digits };
            (PartMut { cells: CellsMut { start, cells, base }, beside }, marks)
        })
    }

    /// The arrays as one part. They must not be empty.
    pub(crate) fn whole(&mut self, level: u32) -> (PartMut<'_>, &mut [u64]) {
        self.parts(usize::MAX, level).next().expect("one part holds all")
    }

    /// The value of a state with this cell, these higher digits and this bit.
    #[inline(always)]
    fn value_of(&self, cell: u8, high: u32, won: bool) -> Option<Value> {
        if cell == INVALID {
            return None;
        }
        if cell == FIXED || cell >= self.scale.base {
            return Some(Value::Draw);
        }
        let distance = self.scale.decode(cell, high);
        Some(if won { Value::Win(distance) } else { Value::Loss(distance) })
    }
}

/// The solution: a cell, a won bit, and the higher digits of the distance.
impl Kept for Storage {
    fn states(&self) -> u64 {
        self.cells.len() as u64
    }

    fn has_distances(&self) -> bool {
        self.scale.distances
    }

    fn value(&self, at: usize) -> Option<Value> {
        let high = self.high.iter().rev().fold(0, |high, plane| high << 8 | u32::from(plane[at]));
        self.value_of(self.cells[at], high, has(&self.won, at))
    }

    fn fill_codes(&self, at: usize, codes: &mut [Code]) {
        let planes = (self.high.first(), self.high.len());
        if planes.1 > 1 {
            return (at..).zip(codes).for_each(|(at, code)| *code = Code::of(self.value(at)));
        }
        let Scale { base, distances, .. } = self.scale;
        let (digit, radix) = if distances { (2, 2 * self.scale.radix()) } else { (0, 0) };
        // This has no branches, because the processor cannot predict which value comes.
        let code = |cell: u8, high: u8, won: u64| {
            let settled = cell.wrapping_sub(SETTLED);
            let distance = digit * u32::from(settled) + radix * u32::from(high);
            let open = u32::from(cell != INVALID);
            Code::of_number(if settled < base - SETTLED { 2 + distance + won as u32 } else { open })
        };
        let (mut at, mut rest) = (at, codes);
        while !rest.is_empty() {
            // The states of one word of bits.
            let len = rest.len().min(64 - at % 64);
            let (codes, left) = rest.split_at_mut(len);
            let won = self.won[at / 64] >> (at % 64);
            let cells = self.cells[at..at + len].iter().zip(codes).enumerate();
            match planes.0 {
                None => cells.for_each(|(i, (&cell, to))| *to = code(cell, 0, won >> i & 1)),
                Some(plane) => {
                    let all = cells.zip(&plane[at..at + len]);
                    all.for_each(|((i, (&cell, to)), &high)| *to = code(cell, high, won >> i & 1));
                }
            }
            (at, rest) = (at + len, left);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::histogram::Tally;

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
            storage.close(&mut frontier, 7);
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
