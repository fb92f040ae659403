//! The bits of a solve with a window: in memory those of neighbouring shards, in the store those of all shards.

use std::io;
use std::ops::Range;

use zerocopy::IntoBytes;

use super::store::{BODY_BYTES, Store};
use crate::memory::Pages;
use crate::solve::error::LogError;
use crate::words::known::{Known, SharedKnown, WordBits};

/// The bits of neighbouring shards in memory.
pub(super) struct Window {
    pub(super) known: Pages<Known>,
    /// The shard at the start of the memory.
    first: usize,
    /// The shards in memory: from `begin` to `end`.
    pub(super) begin: usize,
    pub(super) end: usize,
}

impl Window {
    pub(super) fn new(words: usize) -> Window {
        Window { known: Pages::zeroed(words), first: 0, begin: 0, end: 0 }
    }

    /// Forgets all shards.
    pub(super) fn clear(&mut self) {
        (self.first, self.begin, self.end) = (0, 0, 0);
    }

    /// The first shard if it leaves, the shards that stay, and space for the next shard if it comes.
    pub(super) fn split(
        &mut self,
        bits: &StoredBits,
        leaves: bool,
        comes: bool,
    ) -> [&mut [Known]; 3] {
        let first = bits.words_of(self.first).start;
        let len = |shard: usize, there: bool| if there { bits.words_of(shard).len() } else { 0 };
        let mut begin = bits.words_of(self.begin).start - first;
        let mut end = bits.words_of(self.end).start - first;
        if end + len(self.end, comes) > self.known.len() {
            self.known.copy_within(begin..end, 0);
            (begin, end) = (0, end - begin);
            self.first = self.begin;
        }
        let known = &mut self.known[begin..end + len(self.end, comes)];
        let (known, next) = known.split_at_mut(end - begin);
        let (left, staying) = known.split_at_mut(len(self.begin, leaves));
        [left, staying, next]
    }
}

/// The bits of words from `first` on.
#[derive(Clone, Copy)]
pub(super) struct BitsFrom<'a> {
    pub(super) first: usize,
    pub(super) known: &'a [SharedKnown],
}

impl WordBits for BitsFrom<'_> {
    #[inline(always)]
    fn own(&self, word: usize) -> &SharedKnown {
        &self.known[word - self.first]
    }

    #[inline(always)]
    fn target(&self, word: u64) -> Option<&SharedKnown> {
        self.known.get((word as usize).wrapping_sub(self.first))
    }
}

/// The bits of all shards, in a store.
pub(super) struct StoredBits {
    /// How many passes there have been.
    pub(super) pass: u32,
    pub(super) shards: Vec<StoredShard>,
    pub(super) shard_words: usize,
    pub(super) words: usize,
}

/// How many copies of the bits of a shard the store has space for: those that a durable snapshot names, those that a
/// snapshot names of which this is unknown, and those of the solve.
pub(super) const COPIES: u8 = 3;

/// The bits of a shard.
#[derive(Clone, Copy, Default)]
pub(super) struct StoredShard {
    /// The pass that wrote them.
    pub(super) pass: u32,
    /// Which of the copies they are.
    pub(super) copy: u8,
    /// Which copies a snapshot on the disk may name, as the bits of a number.
    pub(super) named: u8,
    /// Whether the window has other bits.
    pub(super) changed: bool,
}

impl StoredBits {
    pub(super) fn new(words: usize, shard_words: usize) -> StoredBits {
        // The seed changes all shards.
        let stored = StoredShard { changed: true, ..StoredShard::default() };
        StoredBits {
            pass: 0,
            shards: vec![stored; words.div_ceil(shard_words)],
            shard_words,
            words,
        }
    }

    /// The words of a shard. None for the number after the last shard.
    pub(super) fn words_of(&self, shard: usize) -> Range<usize> {
        let at = |shard: usize| self.words.min(shard * self.shard_words);
        at(shard)..at(shard + 1)
    }

    /// How many blocks of the store a copy of a shard takes.
    fn blocks_of_copy(&self) -> u64 {
        (self.shard_words * size_of::<Known>()).div_ceil(BODY_BYTES) as u64
    }

    /// How many blocks all copies take, from the first block on.
    pub(super) fn blocks(&self) -> u64 {
        u64::from(COPIES) * self.blocks_of_copy() * self.shards.len() as u64
    }

    /// The blocks of a copy: the number of each in the store, and its place.
    fn blocks_at(
        &self,
        shard: usize,
        pass: u32,
        copy: u8,
    ) -> impl Iterator<Item = (u64, [u32; 2])> {
        /// Logs have the other places.
        const BITS: u32 = 1 << 31;
        let copy = u64::from(COPIES) * shard as u64 + u64::from(copy);
        let first = copy * self.blocks_of_copy();
        (0..).map(move |i| (first + u64::from(i), [BITS | shard as u32, pass << 8 | i]))
    }

    /// Writes the bits of a shard, if they have changed. Returns the copy.
    pub(super) fn save(
        &self,
        store: &Store,
        shard: usize,
        known: &[Known],
    ) -> io::Result<Option<u8>> {
        let StoredShard { copy, named, changed, .. } = self.shards[shard];
        if !changed {
            return Ok(None);
        }
        let is_free = |copy: &u8| named >> copy & 1 == 0;
        let copy = Some(copy).filter(is_free).or_else(|| (0..COPIES).find(is_free));
        let copy = copy.expect("a snapshot is written only if it leaves a copy free");
        let bodies = known.as_bytes().chunks(BODY_BYTES);
        for (body, (number, place)) in bodies.zip(self.blocks_at(shard, self.pass, copy)) {
            if body.len() == BODY_BYTES {
                store.write_at(number, place, body)?;
            } else {
                let mut whole = body.to_vec();
                whole.resize(BODY_BYTES, 0);
                store.write_at(number, place, &whole)?;
            }
        }
        Ok(Some(copy))
    }

    /// Whether a copy of each shard stays free if one more snapshot names the current ones.
    pub(super) fn can_be_named(&self) -> bool {
        self.shards
            .iter()
            .all(|stored| (stored.named | 1 << stored.copy).count_ones() < COPIES.into())
    }

    /// A snapshot that names the current copies is on the disk, or may be. If it is, there is no other.
    pub(super) fn are_named(&mut self, alone: bool) {
        for stored in &mut self.shards {
            stored.named = if alone { 0 } else { stored.named } | 1 << stored.copy;
        }
    }

    /// Takes note of a copy that was written, if it was.
    pub(super) fn is_saved(&mut self, shard: usize, copy: Option<u8>) {
        if let (stored, Some(copy)) = (&mut self.shards[shard], copy) {
            *stored = StoredShard { pass: self.pass, copy, changed: false, ..*stored };
        }
    }

    /// Reads the bits of a shard.
    pub(super) fn load(
        &self,
        store: &Store,
        shard: usize,
        known: &mut [Known],
    ) -> Result<(), LogError> {
        let StoredShard { pass, copy, .. } = self.shards[shard];
        let (bodies, mut block) = (known.as_mut_bytes().chunks_mut(BODY_BYTES), Vec::new());
        for (body, (number, place)) in bodies.zip(self.blocks_at(shard, pass, copy)) {
            body.copy_from_slice(&store.read(number, place, &mut block)?[..body.len()]);
        }
        Ok(())
    }

    /// Reads the bits of a shard into new memory.
    pub(super) fn loaded(&self, store: &Store, shard: usize) -> Result<Pages<Known>, LogError> {
        let mut known = Pages::zeroed(self.words_of(shard).len());
        self.load(store, shard, &mut known)?;
        Ok(known)
    }
}
