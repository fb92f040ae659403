//! The log of distances: what settles at a level, as words and sets of their states, in the order in which the solve
//! finds it.
//!
//! Writing down a distance the moment its state settles would fetch a line of memory far from the last one; that was up to a
//! third of a solve. So the solve only appends to the log. The words are cut into *shards* of some thousand, and each shard
//! has a log of its own. Replayed from its beginning, the log makes the distances of its shard, all within a cache.
//!
//! A log is a list of full blocks and a tail. The blocks stay in memory, or go to a [`LogStore`]:
//!
//! ```text
//! block in a store: checksum u64, shard u32, number within the shard's log u32, 1632 sets u64, 1632 words u16
//! ```
//!
//! The checksum is the XXH3 of all that follows it.

use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use super::planes::Planes;
use crate::memory::pages::Pages;
use crate::solve::snapshot::{read_array, read_numbers, write_numbers};
use crate::solve::solver::SolveError;

/// Where a solve puts the log of its distances: blocks of [`LOG_BLOCK_BYTES`] by number, as in a file.
///
/// The solve writes from several threads, each block once, in about ascending order. A solve that is
/// [resumed](crate::Solver::resume) reads the blocks that its snapshot names, and writes all others again.
pub trait LogStore: Send + Sync {
    /// Writes a block.
    fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()>;

    /// Reads a block that was written.
    fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()>;
}

/// How many bytes a block of a [`LogStore`] has.
pub const LOG_BLOCK_BYTES: usize = HEAD_BYTES + BLOCK_ENTRIES * ENTRY_BYTES;

/// How many entries a full block has. Larger blocks are read and written faster; smaller ones leave shorter tails in memory.
const BLOCK_ENTRIES: usize = 1632;
const ENTRY_BYTES: usize = size_of::<u64>() + size_of::<u16>();
const HEAD_BYTES: usize = 16;

/// In place of a word: what follows settled at the level that stands in place of the set. So a shard has fewer words.
const LEVEL: u16 = u16::MAX;
/// The most words of a shard.
pub(super) const SHARD_WORDS_MAX: usize = LEVEL as usize;

/// Why the log of a solve cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// The store failed.
    Store(io::Error),
    /// A block is not what the solve wrote.
    Damaged {
        /// The number of the block.
        block: u64,
    },
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::Store(error) => write!(f, "the log of distances cannot be read: {error}"),
            LogError::Damaged { block } => {
                write!(f, "block {block} of the log of distances is damaged: a checksum is wrong")
            }
        }
    }
}

impl Error for LogError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            LogError::Store(error) => Some(error),
            LogError::Damaged { .. } => None,
        }
    }
}

/// A store, and how many blocks it holds.
pub(super) struct Store {
    blocks: Box<dyn LogStore>,
    count: AtomicU64,
}

/// The log of a shard.
#[derive(Default)]
pub(super) struct Log {
    /// The full blocks, by their numbers in the store.
    full: Vec<u64>,
    /// What comes after them; in memory all there is.
    tail: Block,
    /// The level of the last entry; 0 where there is none, since level 0 is not logged.
    level: u32,
}

/// Entries: sets of states, and the word of the shard that each belongs to.
struct Block {
    sets: Pages<u64>,
    words: Pages<u16>,
    len: usize,
}

impl Default for Block {
    fn default() -> Block {
        Block::with_room(0)
    }
}

impl Block {
    /// Room for so many entries. It takes memory once it is written.
    fn with_room(entries: usize) -> Block {
        Block { sets: Pages::zeroed(entries), words: Pages::zeroed(entries), len: 0 }
    }

    fn room(&self) -> usize {
        self.sets.len() - self.len
    }

    /// Appends entries, for which there must be room.
    #[inline(always)]
    fn extend(&mut self, entries: impl ExactSizeIterator<Item = (u16, u64)>) {
        let end = self.len + entries.len();
        let (sets, words) =
            (&mut self.sets.as_mut()[self.len..end], &mut self.words.as_mut()[self.len..end]);
        for ((set, word), entry) in sets.iter_mut().zip(words).zip(entries) {
            (*word, *set) = entry;
        }
        self.len = end;
    }

    fn entries(&self) -> (&[u16], &[u64]) {
        (&self.words[..self.len], &self.sets[..self.len])
    }

    /// The bytes of a full block in a store.
    fn to_bytes(&self, shard: u32, number: u32) -> Vec<u8> {
        let (words, sets) = self.entries();
        let rest = [shard.as_bytes(), number.as_bytes(), sets.as_bytes(), words.as_bytes()];
        let rest = rest.concat();
        [xxh3_64(&rest).as_bytes(), &rest].concat()
    }

    /// The block, if the bytes of a store are that.
    fn from_bytes(bytes: &[u8], shard: u32, number: u32) -> Option<Block> {
        let (sum, rest) = bytes.split_at(8);
        let (place, entries) = rest.split_at(8);
        let whole = *sum == *xxh3_64(rest).as_bytes() && *place == *[shard, number].as_bytes();
        let mut block = Block::with_room(BLOCK_ENTRIES);
        let (sets, words) = entries.split_at(8 * BLOCK_ENTRIES);
        block.sets.as_mut_bytes().copy_from_slice(sets);
        block.words.as_mut_bytes().copy_from_slice(words);
        block.len = BLOCK_ENTRIES;
        whole.then_some(block)
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let (words, sets) = self.entries();
        write_numbers(to, [self.len as u64])?;
        write_numbers(to, sets.iter().copied())?;
        write_numbers(to, words.iter().map(|&word| word.into()))
    }

    /// Reads what [`write`](Block::write) wrote, where there is room for so many entries.
    fn read(room: usize, from: &mut dyn Read) -> Result<Block, SolveError> {
        let [len] = read_array(from)?;
        let mut block = Block::with_room(room);
        block.len =
            usize::try_from(len).ok().filter(|len| *len <= room).ok_or(SolveError::Snapshot)?;
        read_numbers(from, &mut block.sets.as_mut()[..block.len])?;
        let mut words = vec![0; block.len];
        read_numbers(from, &mut words)?;
        for (word, told) in block.words.as_mut().iter_mut().zip(words) {
            *word = told as u16;
        }
        Ok(block)
    }
}

impl Store {
    /// A store that holds no block yet.
    pub(super) fn new(blocks: Box<dyn LogStore>) -> Store {
        Store { blocks, count: AtomicU64::new(0) }
    }

    /// How many bytes it holds.
    pub(super) fn bytes(&self) -> u64 {
        self.count.load(Relaxed) * LOG_BLOCK_BYTES as u64
    }

    /// What so many logs take in memory beside a store.
    pub(super) fn bytes_beside(logs: u64) -> u64 {
        logs * (size_of::<Log>() + BLOCK_ENTRIES * ENTRY_BYTES) as u64
    }
}

impl Log {
    /// Appends what settles at `level`: words, of those from `first` on that the shard has, and sets of their states. Full
    /// blocks go to the store. Without a store it may be that there is no room: then nothing is appended and the answer is
    /// false.
    #[inline(always)]
    pub(super) fn append(
        &mut self,
        level: u32,
        (first, words): (usize, usize),
        settled: &[(usize, u64)],
        (shard, store): (u32, Option<&Store>),
    ) -> io::Result<bool> {
        let begins = usize::from(self.level != level);
        if self.level == 0 {
            self.tail = Block::with_room(room(words, store));
        }
        if store.is_none() && self.tail.room() < settled.len() + begins {
            return Ok(false);
        }
        self.level = level;
        if begins > 0 {
            self.make_room(shard, store)?;
            self.tail.extend([(LEVEL, u64::from(level))].into_iter());
        }
        let mut rest = settled;
        while !rest.is_empty() {
            let room = self.make_room(shard, store)?;
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.tail.extend(now.iter().map(|&(word, set)| ((word - first) as u16, set)));
            rest = later;
        }
        Ok(true)
    }

    /// How many entries the tail has room for, one at least.
    #[inline(always)]
    fn make_room(&mut self, shard: u32, store: Option<&Store>) -> io::Result<usize> {
        if let Some(store) = store
            && self.tail.room() == 0
        {
            let bytes = self.tail.to_bytes(shard, self.full.len() as u32);
            let number = store.count.fetch_add(1, Relaxed);
            store.blocks.write_block(number, &bytes)?;
            self.full.push(number);
            self.tail.len = 0;
        }
        Ok(self.tail.room())
    }

    /// Sets all distances of the shard, in planes without any.
    pub(super) fn replay_into(
        &self,
        planes: &mut Planes,
        shard: u32,
        store: Option<&Store>,
    ) -> Result<(), LogError> {
        planes.grow_for(self.level);
        let mut level = 0;
        let mut replay = |block: &Block| {
            let (mut words, mut sets) = block.entries();
            while let (Some((&word, words_left)), Some((&set, sets_left))) =
                (words.split_first(), sets.split_first())
            {
                if word == LEVEL {
                    level = set as u32;
                    (words, sets) = (words_left, sets_left);
                }
                let run = words.iter().position(|&word| word == LEVEL).unwrap_or(words.len());
                let entries = words[..run].iter().zip(&sets[..run]);
                planes.set(level, entries.map(|(&word, &set)| (usize::from(word), set)));
                (words, sets) = (&words[run..], &sets[run..]);
            }
        };
        let mut bytes = vec![0; if self.full.is_empty() { 0 } else { LOG_BLOCK_BYTES }];
        for (&at, number) in self.full.iter().zip(0..) {
            let store = store.expect("full blocks lie in a store");
            store.blocks.read_block(at, &mut bytes).map_err(LogError::Store)?;
            let block = Block::from_bytes(&bytes, shard, number);
            replay(&block.ok_or(LogError::Damaged { block: at })?);
        }
        replay(&self.tail);
        Ok(())
    }

    /// Writes the log. Of blocks in a store it writes their numbers.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, [u64::from(self.level), self.full.len() as u64])?;
        write_numbers(to, self.full.iter().copied())?;
        self.tail.write(to)
    }

    /// Reads what [`write`](Log::write) wrote of a shard of so many words, where `level` settled last.
    pub(super) fn read(
        level: u32,
        words: usize,
        store: Option<&Store>,
        from: &mut dyn Read,
    ) -> Result<Log, SolveError> {
        let [last, full] = read_array(from)?;
        if last > u64::from(level) || (full > 0 && store.is_none()) {
            return Err(SolveError::Snapshot);
        }
        let mut log = Log { level: last as u32, ..Log::default() };
        for _ in 0..full {
            let [number] = read_array(from)?;
            let count = number.checked_add(1).ok_or(SolveError::Snapshot)?;
            store.map(|store| store.count.fetch_max(count, Relaxed));
            log.full.push(number);
        }
        log.tail = Block::read(room(words, store), from)?;
        // Blocks in a store have checksums of their own.
        let (found, sets) = log.tail.entries();
        let mut before = 0;
        let fits = found.iter().zip(sets).all(|(&word, &set)| {
            let ascends = before < set;
            match word {
                LEVEL => before = set,
                word => return usize::from(word) < words,
            }
            ascends
        });
        if fits && before <= last { Ok(log) } else { Err(SolveError::Snapshot) }
    }
}

/// How many entries a log has room for before a block is full or, in memory, before it takes as much as planes do.
fn room(words: usize, store: Option<&Store>) -> usize {
    match store {
        Some(_) => BLOCK_ENTRIES,
        None => Planes::bytes(words as u64, 0) as usize / ENTRY_BYTES,
    }
}
