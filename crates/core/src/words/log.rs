//! The log of distances: the states that settle at each level, as words and sets, in the order in which the
//! engine finds them.
//!
//! If the engine wrote each distance when its state settles, it would access a distant cache line. That was
//! up to a third of the time. So the engine only appends to the log. It divides the words into *shards* of
//! some thousands, and each shard has its own log. To find the distances of a shard, a thread replays its
//! log, within a cache.
//!
//! ```text
//! block: sets u64, then for each set the word of the shard that it belongs to u16
//! ```

use std::ops::Range;

use zerocopy::{FromBytes, IntoBytes};

use super::planes::{LevelBits, LogEntry, Planes};
use crate::memory::Pages;

/// If an entry has this in place of a word, the entry holds a level in place of a set. The entries after it
/// settled at this level. So a shard has fewer words than this number.
pub(crate) const LEVEL: u16 = u16::MAX;
/// The most words of a shard.
pub(crate) const SHARD_WORDS_MAX: usize = LEVEL as usize;
/// How many words of entries fit into a number.
const WORDS_A_NUMBER: usize = 4;

/// The log of a shard in memory. It has space for as many bytes as planes take.
#[derive(Default)]
pub(crate) struct Log {
    pub(super) entries: LogBlock,
    /// The level of the last entry; 0 if there is none, because level 0 is not logged.
    pub(super) level: u32,
}

/// Some entries.
pub(crate) struct LogBlock {
    /// The sets of all entries, then their words, four to a number.
    pub(super) numbers: Pages<u64>,
    /// How many entries fit, a multiple of four.
    capacity: usize,
    /// How many entries there are.
    pub(super) len: usize,
}

impl Default for LogBlock {
    fn default() -> LogBlock {
        LogBlock::with_numbers(0)
    }
}

impl LogBlock {
    /// Space for entries in `numbers` numbers. The system gives memory when the engine writes to it.
    pub(crate) fn with_numbers(numbers: usize) -> LogBlock {
        let capacity = numbers / (1 + WORDS_A_NUMBER) * WORDS_A_NUMBER;
        LogBlock { numbers: Pages::zeroed(numbers), capacity, len: 0 }
    }

    /// Whether it has space for any entries.
    pub(crate) fn has_space(&self) -> bool {
        self.capacity > 0
    }

    /// How many entries still fit.
    pub(crate) fn room(&self) -> usize {
        self.capacity - self.len
    }

    /// The numbers with the words of some entries.
    pub(super) fn word_numbers(&self, entries: usize) -> Range<usize> {
        self.capacity..self.capacity + entries.div_ceil(WORDS_A_NUMBER)
    }

    /// The words and the sets of all entries.
    fn entries(&self) -> (&[u16], &[u64]) {
        let words = self.numbers[self.word_numbers(self.capacity)].as_bytes();
        let words = <[u16]>::ref_from_bytes(words).unwrap_or_else(|_| unreachable!("aligned"));
        (&words[..self.len], &self.numbers[..self.len])
    }

    /// Appends entries, which must fit.
    #[inline(always)]
    pub(crate) fn extend(&mut self, entries: impl Iterator<Item = LogEntry>) {
        let words = self.word_numbers(self.capacity).len();
        let (sets, rest) = self.numbers.as_mut().split_at_mut(self.capacity);
        let words = <[u16]>::mut_from_bytes(rest[..words].as_mut_bytes());
        let words = words.unwrap_or_else(|_| unreachable!("numbers are aligned"));
        let places = words[self.len..].iter_mut().zip(&mut sets[self.len..]);
        for ((word, set), (word_place, set_place)) in entries.zip(places) {
            (*word_place, *set_place) = (word, set);
            self.len += 1;
        }
    }

    /// Appends an entry, which must fit.
    #[cold]
    pub(crate) fn push(&mut self, entry: LogEntry) {
        self.extend([entry].into_iter());
    }

    /// Forgets all entries.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// The bytes of a full block.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.numbers.as_bytes()
    }

    /// A full block with these bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> LogBlock {
        let mut block = LogBlock::with_numbers(bytes.len() / size_of::<u64>());
        block.numbers.as_mut_bytes().copy_from_slice(bytes);
        block.len = block.capacity;
        block
    }

    /// Writes the distances of its entries into planes. The first entries settled at `level`, which becomes the level of
    /// the last.
    pub(crate) fn replay(&self, level: &mut LevelBits, planes: &mut Planes) {
        let (mut words, mut sets) = self.entries();
        while !words.is_empty() {
            let run = level_in(words).unwrap_or(words.len());
            let entries = words[..run].iter().zip(&sets[..run]);
            planes.set(level, entries.map(|(word, set)| (*word, *set)));
            if let Some(next) = sets.get(run) {
                *level = LevelBits::of(*next as u32);
            }
            let rest = (run + 1).min(words.len());
            (words, sets) = (&words[rest..], &sets[rest..]);
        }
    }

    /// Whether its entries can be those of a shard of `words` words, in which no state settled after the level `last`.
    pub(crate) fn is_sound(&self, words: usize, last: u64) -> bool {
        let mut before = 0;
        let (entries, sets) = self.entries();
        let fits = entries.iter().zip(sets).all(|entry| match entry {
            (&LEVEL, &level) => std::mem::replace(&mut before, level) < level,
            (&word, _) => usize::from(word) < words,
        });
        fits && before <= last
    }
}

impl Log {
    /// An empty log, with address space for a shard of `words` words. If threads asked for it while others work,
    /// they would wait for each other's page faults.
    pub(super) fn new(words: usize) -> Log {
        Log { entries: LogBlock::with_numbers(Log::numbers(words)), level: 0 }
    }

    pub(super) fn numbers(words: usize) -> usize {
        Planes::bytes(words as u64, 0) as usize / size_of::<u64>()
    }

    /// Appends states that settle at `level`. If there is too little space, it appends nothing and returns false.
    pub(super) fn append(
        &mut self,
        level: u32,
        entries: impl ExactSizeIterator<Item = LogEntry>,
    ) -> bool {
        let begins = self.level != level;
        let fits = self.entries.room() >= usize::from(begins) + entries.len();
        if fits {
            if begins {
                self.level = level;
                self.entries.push((LEVEL, u64::from(level)));
            }
            self.entries.extend(entries);
        }
        fits
    }

    /// All distances of the shard, in planes for `words` words.
    pub(super) fn into_planes(self, words: usize) -> Planes {
        let mut planes = Planes::new(words);
        planes.grow_for(self.level);
        self.entries.replay(&mut LevelBits::of(0), &mut planes);
        planes
    }
}

/// The place of the first [`LEVEL`] among some words. It looks at eight words at a time.
fn level_in(words: &[u16]) -> Option<usize> {
    let (eights, _) = words.as_chunks::<8>();
    let has_level = |eight: &[u16; 8]| eight.iter().fold(false, |any, word| any | (*word == LEVEL));
    let before = 8 * eights.iter().take_while(|eight| !has_level(eight)).count();
    words[before..].iter().position(|word| *word == LEVEL).map(|at| before + at)
}
