//! The distances of all states by shard, and those of a part while its words settle.

use std::io;
use std::ops::Range;

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
    /// Whether distances are kept.
    pub(super) fn are_kept(&self) -> bool {
        !self.shards.is_empty()
    }

    /// Records states that settle at a level: words of the part, each with a set of its states.
    pub(super) fn note(&mut self, level: u32, settled: &[(usize, u64)]) -> io::Result<()> {
        if self.shards.is_empty() {
            return Ok(());
        }
        let shift = self.shard_words.trailing_zeros();
        let mut rest = settled;
        while let Some(&(word, _)) = rest.first() {
            let shard = word >> shift;
            let same = rest.iter().take_while(|(word, _)| word >> shift == shard).count();
            let (run, after) = rest.split_at(same);
            rest = after;
            let words = self.shard_words.min(self.words.end - (shard << shift));
            let kept = &mut self.shards[shard - (self.words.start >> shift)];
            let at = |word: usize| word & (self.shard_words - 1);
            let entries = run.iter().map(|&(word, states)| (at(word) as u16, states));
            kept.note(level, words, entries, (shard as u32, self.store))?;
        }
        Ok(())
    }
}
