//! Sets of states of which few words are touched at a level.
//!
//! A word that has been added to is marked by a bit, and 64 such bits by a bit of their own, so that
//! going through a set costs what it holds and one 262,144th of what the game holds.

use std::ops::ControlFlow;

use super::ones;

/// How many words one word of the top summary stands for: sets are cut at multiples of it.
pub(crate) const TOP_WORD: usize = 64 * 64;

/// A set of states.
pub(crate) struct Set {
    words: Vec<u64>,
    /// A bit for each word that may hold states.
    dirty: Vec<u64>,
    /// A bit for each word of `dirty` that is not zero.
    top: Vec<u64>,
}

impl Set {
    /// The empty set of states in so many words.
    pub(crate) fn new(words: usize) -> Set {
        let dirty = words.div_ceil(64);
        Set { words: vec![0; words], dirty: vec![0; dirty], top: vec![0; dirty.div_ceil(64)] }
    }

    /// What a set of states in so many words takes.
    pub(crate) fn bytes(words: u64) -> u64 {
        let dirty = words.div_ceil(64);
        words.saturating_add(dirty).saturating_add(dirty.div_ceil(64)).saturating_mul(8)
    }

    /// Cuts the set into parts of `len` words.
    pub(crate) fn parts(&mut self, len: usize) -> impl Iterator<Item = SetPart<'_>> {
        assert!(len.is_multiple_of(TOP_WORD), "parts of whole words of the top summary");
        let dirty = self.dirty.chunks_mut(len / 64);
        let top = self.top.chunks_mut(len / 64 / 64);
        let cut = self.words.chunks_mut(len).zip(dirty.zip(top));
        cut.map(|(words, (dirty, top))| SetPart { words, dirty, top })
    }

    /// The set as one part.
    pub(crate) fn whole(&mut self) -> SetPart<'_> {
        SetPart { words: &mut self.words, dirty: &mut self.dirty, top: &mut self.top }
    }
}

/// A run of words of a set.
pub(crate) struct SetPart<'a> {
    words: &'a mut [u64],
    dirty: &'a mut [u64],
    top: &'a mut [u64],
}

impl SetPart<'_> {
    pub(crate) fn word(&self, at: usize) -> u64 {
        self.words[at]
    }

    /// Adds states to the word at `at`. False if there is no such word.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize, mask: u64) -> bool {
        let Some(word) = self.words.get_mut(at) else { return false };
        *word |= mask;
        let dirty = &mut self.dirty[at / 64];
        if *dirty == 0 {
            self.top[at / 64 / 64] |= 1 << (at / 64 % 64);
        }
        *dirty |= 1 << (at % 64);
        true
    }

    /// Takes states out of the word at `at`.
    pub(crate) fn remove(&mut self, at: usize, mask: u64) {
        self.words[at] &= !mask;
    }

    /// Takes the words that hold states out of the set, in order, until `visit` has enough. True if
    /// the set is empty.
    #[inline(always)]
    pub(crate) fn drain(&mut self, mut visit: impl FnMut(usize, u64) -> ControlFlow<()>) -> bool {
        for (i, top) in self.top.iter_mut().enumerate() {
            while *top != 0 {
                let at = i * 64 + top.trailing_zeros() as usize;
                while self.dirty[at] != 0 {
                    let word = at * 64 + self.dirty[at].trailing_zeros() as usize;
                    self.dirty[at] &= self.dirty[at] - 1;
                    let mask = std::mem::take(&mut self.words[word]);
                    if visit(word, mask).is_break() {
                        return false;
                    }
                }
                *top &= *top - 1;
            }
        }
        true
    }

    /// Replaces every word that holds states, in order, by what `visit` makes of it.
    #[inline(always)]
    pub(crate) fn update(&mut self, mut visit: impl FnMut(usize, u64) -> u64) {
        for (i, top) in self.top.iter_mut().enumerate() {
            for bit in ones(*top) {
                let at = i * 64 + bit as usize;
                let mut kept = 0;
                for bit in ones(self.dirty[at]) {
                    let word = at * 64 + bit as usize;
                    let mask = visit(word, self.words[word]);
                    self.words[word] = mask;
                    kept |= u64::from(mask != 0) << bit;
                }
                self.dirty[at] = kept;
                *top &= !(u64::from(kept == 0) << bit);
            }
        }
    }
}
