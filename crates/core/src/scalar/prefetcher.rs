//! The marked blocks of a sweep, in batches. Each cache line is prefetched one step before it is read.
//!
//! ```text
//! for each batch of marked blocks:
//!     take the next batch out of the marks, and prefetch its cells
//!     search this batch's cells for the frontier, and prefetch the cells of the predecessors
//!     apply the updates of this batch
//! ```

use super::cell::Scale;
use super::marks::BLOCK;
use super::part::PartMut;
use crate::rules::Predecessors;

/// How many blocks a batch has at most.
const BATCH_MAX: usize = 16;

/// The states of the frontier in one block.
#[derive(Clone, Copy, Default)]
pub(crate) struct Settled {
    /// The block.
    pub(crate) block: usize,
    /// The lost ones.
    pub(crate) lost: u64,
    /// The won ones.
    pub(crate) won: u64,
}

/// How to recognize the states of the frontier.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    code: u8,
    high: u32,
}

impl Search {
    pub(crate) fn new(scale: Scale, level: u32) -> Search {
        let (code, high) = scale.encode(level);
        Search { code, high }
    }
}

/// The marked blocks of a part that have not been swept.
pub(crate) struct Prefetcher<'a> {
    marks: &'a mut [u64],
    /// The word of the next mark.
    at: usize,
    /// The blocks taken from the marks whose cells were prefetched.
    asked: [usize; BATCH_MAX],
    asked_len: usize,
    /// How many blocks a batch has.
    batch: usize,
}

impl<'a> Prefetcher<'a> {
    /// Begins at a word of marks.
    pub(crate) fn new(marks: &'a mut [u64], at: usize, batch: usize) -> Prefetcher<'a> {
        let batch = batch.clamp(1, BATCH_MAX);
        Prefetcher { marks, at, asked: [0; BATCH_MAX], asked_len: 0, batch }
    }

    /// How many words of marks are complete.
    pub(crate) fn words_done(&self) -> usize {
        self.at
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at == self.marks.len() && self.asked_len == 0
    }

    /// The frontier of the blocks that were prefetched last; empty at first. Prefetches the next blocks if
    /// there are to be `more`.
    #[inline(always)]
    pub(crate) fn next<G: Predecessors>(
        &mut self,
        game: &G,
        part: &PartMut<'_>,
        search: Search,
        more: bool,
    ) -> Batch {
        let (blocks, len) = (self.asked, std::mem::take(&mut self.asked_len));
        if more {
            self.ask(part);
        }
        let mut batch = Batch { settled: [Settled::default(); BATCH_MAX], len };
        for (settled, &block) in batch.settled.iter_mut().zip(&blocks[..len]) {
            let (lost, won) = part.frontier(block, search.code, search.high);
            *settled = Settled { block, lost, won };
            let first = part.start() + (block * BLOCK) as u64;
            let hints = game.prefetch().of(lost | won);
            game.predecessors_of_each(first, hints, |_, from| part.prefetch(from));
        }
        batch
    }

    /// Takes blocks from the marks and prefetches their cells.
    #[inline(always)]
    fn ask(&mut self, part: &PartMut<'_>) {
        while let Some(word) = self.marks.get_mut(self.at) {
            while *word != 0 {
                if self.asked_len == self.batch {
                    return;
                }
                let block = self.at * 64 + word.trailing_zeros() as usize;
                part.prefetch_block(block);
                self.asked[self.asked_len] = block;
                self.asked_len += 1;
                *word &= *word - 1;
            }
            self.at += 1;
        }
    }
}

/// The frontier of some blocks.
pub(crate) struct Batch {
    settled: [Settled; BATCH_MAX],
    len: usize,
}

impl Batch {
    pub(crate) fn iter(&self) -> impl Iterator<Item = Settled> {
        self.settled[..self.len].iter().copied()
    }
}
