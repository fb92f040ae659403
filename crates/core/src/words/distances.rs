//! The distances of all states by shard, and those of a part while its words settle.

use std::io;
use std::ops::Range;

use super::inbox::Run;
use super::log::{LogStore, SHARD_WORDS_MAX, Store};
use super::planes::Planes;
use super::shard::Shard;

/// The distances of all states by shard.
pub(super) struct Distances {
    pub(super) shards: Vec<Shard>,
    /// How many words each shard has, but for the last.
    pub(super) shard_words: usize,
    /// Where full blocks of logs go; `None` keeps them in memory.
    pub(super) store: Option<Store>,
}

impl Distances {
    /// No distances yet.
    pub(super) fn new(
        words: usize,
        shard_words: usize,
        store: Option<Box<dyn LogStore>>,
    ) -> Distances {
        assert!(shard_words.is_power_of_two() && shard_words <= SHARD_WORDS_MAX, "{shard_words}");
        let shards = (0..words.div_ceil(shard_words)).map(|_| Shard::default()).collect();
        Distances { shards, shard_words, store: store.map(Store::new) }
    }

    /// Their memory, up to `level`.
    pub(super) fn bytes(&self, words: u64, level: u32) -> u64 {
        match self.store {
            None => Planes::bytes(words, level),
            Some(_) => Distances::bytes_beside_store(words, self.shard_words),
        }
    }

    /// Their memory for so many words if a store holds the logs.
    pub(super) fn bytes_beside_store(words: u64, shard_words: usize) -> u64 {
        Store::bytes_beside(words.div_ceil(shard_words as u64))
    }
}

/// The distances of a part, if they are kept.
pub(super) struct DistancesPart<'a> {
    /// The words of the part.
    pub(super) words: Range<usize>,
    pub(super) shards: &'a mut [Shard],
    pub(super) shard_words: usize,
    pub(super) store: Option<&'a Store>,
}

impl DistancesPart<'_> {
    /// Records states that settle at a level: sets of the words whose bits are in `marked`, the first of which is
    /// word `first`, a multiple of 64.
    #[inline(always)]
    pub(super) fn note(
        &mut self,
        level: u32,
        first: usize,
        marked: u64,
        sets: &Run,
    ) -> io::Result<()> {
        if self.shards.is_empty() {
            return Ok(());
        }
        let shift = self.shard_words.trailing_zeros();
        let (shard, at) = (first >> shift, first & (self.shard_words - 1));
        let words = self.shard_words.min(self.words.end - (shard << shift));
        let kept = &mut self.shards[shard - (self.words.start >> shift)];
        kept.note(level, (at, words), (marked, sets), (shard as u32, self.store))
    }
}
