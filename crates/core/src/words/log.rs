//! The log of distances: the states that settle at each level, as words and sets, in the order in which the
//! solve finds them.
//!
//! Writing a distance when its state settles would fetch a distant cache line. That was up to a third of a
//! solve. So the solve only appends to the log. The words are divided into *shards* of some thousands, and
//! each shard has its own log. Replaying the log of a shard gives its distances, all within a cache.
//!
//! A log is a list of full blocks and a tail. Blocks stay in memory, or go to a [`LogStore`]:
//!
//! ```text
//! block in a store: checksum u64, shard u32, number within the shard's log u32, 408 groups of 4 entries
//! group:            4 sets u64, the word of the shard that each belongs to u16
//! ```
//!
//! The checksum is the XXH3 of all that follows it. In memory the entries lie in groups too, so a log is one
//! array, as large as the planes of its shard.

use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use super::planes::{LevelBits, Planes};
use crate::memory::pages::Pages;
use crate::solve::snapshot::{read_array, read_numbers, write_numbers};
use crate::solve::solver::SolveError;

/// Where a solve stores the log of its distances: blocks of [`LOG_BLOCK_BYTES`] by number, as in a file.
///
/// Several threads write, each block once, in about ascending order. A [resumed](crate::Solver::resume) solve
/// reads the blocks that its snapshot names, and writes all others again.
pub trait LogStore: Send + Sync {
    /// Writes a block.
    fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()>;

    /// Reads a block that was written.
    fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()>;
}

/// The size of a block of a [`LogStore`].
pub const LOG_BLOCK_BYTES: usize = HEAD_BYTES + BLOCK_NUMBERS * size_of::<u64>();

/// How many entries a full block has. Larger blocks are read and written faster; smaller ones leave shorter tails in memory.
const BLOCK_ENTRIES: usize = 1632;
const BLOCK_NUMBERS: usize = BLOCK_ENTRIES / GROUP * size_of::<Group>() / size_of::<u64>();
const HEAD_BYTES: usize = 16;

/// In place of a word: the following entries settled at the level in place of the set. So a shard has fewer
/// words than this.
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
    /// The entries after them; without a store, all entries.
    tail: Block,
    /// The level of the last entry; 0 if there is none, because level 0 is not logged.
    level: u32,
}

/// The sets of four entries, and their four words in one number, the first in the lowest bits.
type Group = [u64; 5];
/// How many entries a group has.
const GROUP: usize = 4;

/// The word of an entry of a group.
#[inline(always)]
fn word_of(group: &Group, slot: usize) -> u16 {
    (group[GROUP] >> (16 * slot)) as u16
}

/// Whether [`LEVEL`] is among the words of a group: the test for a zero, on the inverted words (Hacker's
/// Delight, 6-1).
#[inline(always)]
fn holds_level(group: &Group) -> bool {
    const LOW: u64 = 0x0001_0001_0001_0001;
    (!group[GROUP]).wrapping_sub(LOW) & group[GROUP] & LOW << 15 != 0
}

/// Entries: words of the shard, and sets of their states.
struct Block {
    /// In groups.
    numbers: Pages<u64>,
    /// How many entries there are.
    len: usize,
}

impl Default for Block {
    fn default() -> Block {
        Block::with_room(0)
    }
}

impl Block {
    /// Space for entries in so many numbers. Memory is taken when it is written.
    fn with_room(numbers: usize) -> Block {
        Block { numbers: Pages::zeroed(numbers), len: 0 }
    }

    fn groups(&self) -> &[Group] {
        self.numbers.as_chunks().0
    }

    /// How many entries fit.
    fn room(&self) -> usize {
        self.groups().len() * GROUP - self.len
    }

    /// Appends entries, which must fit.
    #[inline(always)]
    fn extend(&mut self, entries: impl Iterator<Item = (u16, u64)>) {
        let groups: &mut [Group] = self.numbers.as_mut().as_chunks_mut().0;
        for (word, set) in entries {
            let (group, slot) = (&mut groups[self.len / GROUP], self.len % GROUP);
            if slot == 0 {
                group[GROUP] = 0;
            }
            group[slot] = set;
            group[GROUP] |= u64::from(word) << (16 * slot);
            self.len += 1;
        }
    }

    /// The word and the set of an entry.
    #[inline(always)]
    fn entry(&self, at: usize) -> (u16, u64) {
        let (group, slot) = (&self.groups()[at / GROUP], at % GROUP);
        (word_of(group, slot), group[slot])
    }

    /// The bytes of a full block in a store.
    fn to_bytes(&self, shard: u32, number: u32) -> Vec<u8> {
        let rest = [shard.as_bytes(), number.as_bytes(), self.numbers.as_bytes()].concat();
        [xxh3_64(&rest).as_bytes(), &rest].concat()
    }

    /// The block in the bytes of a store, if they are valid.
    fn from_bytes(bytes: &[u8], shard: u32, number: u32) -> Option<Block> {
        let (sum, rest) = bytes.split_at(8);
        let (place, entries) = rest.split_at(8);
        let whole = *sum == *xxh3_64(rest).as_bytes() && *place == *[shard, number].as_bytes();
        let mut block = Block::with_room(BLOCK_NUMBERS);
        block.numbers.as_mut_bytes().copy_from_slice(entries);
        block.len = BLOCK_ENTRIES;
        whole.then_some(block)
    }

    /// The numbers that have entries.
    fn used(&self) -> usize {
        self.len.div_ceil(GROUP) * size_of::<Group>() / size_of::<u64>()
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let numbers = &self.numbers[..self.used()];
        write_numbers(to, [self.len as u64].into_iter().chain(numbers.iter().copied()))
    }

    /// Reads the output of [`write`](Block::write) into space for so many numbers.
    fn read(numbers: usize, from: &mut dyn Read) -> Result<Block, SolveError> {
        let [len] = read_array(from)?;
        let mut block = Block::with_room(numbers);
        let fits = usize::try_from(len).ok().filter(|len| *len <= block.room());
        block.len = fits.ok_or(SolveError::Snapshot)?;
        let used = block.used();
        read_numbers(from, &mut block.numbers[..used])?;
        // An entry is added to the words of its group, which must start at zero.
        let begun =
            block.groups().get(block.len / GROUP).filter(|_| !block.len.is_multiple_of(GROUP));
        let rest = begun.map_or(0, |group| group[GROUP] >> (16 * (block.len % GROUP)));
        if rest == 0 { Ok(block) } else { Err(SolveError::Snapshot) }
    }
}

impl Store {
    /// An empty store.
    pub(super) fn new(blocks: Box<dyn LogStore>) -> Store {
        Store { blocks, count: AtomicU64::new(0) }
    }

    /// How many bytes it holds.
    pub(super) fn bytes(&self) -> u64 {
        self.count.load(Relaxed) * LOG_BLOCK_BYTES as u64
    }

    /// The memory of so many logs besides a store.
    pub(super) fn bytes_beside(logs: u64) -> u64 {
        logs * (size_of::<Log>() + BLOCK_NUMBERS * size_of::<u64>()) as u64
    }
}

impl Log {
    /// Appends the states that settle at `level`: words, counted from `first`, the first of the shard, and
    /// sets of their states. Full blocks go to the store. Without a store there may be no space: then nothing
    /// is appended, and the result is false.
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

    /// How many entries fit into the tail, at least one.
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

    /// Writes all distances of the shard into empty planes.
    pub(super) fn replay_into(
        &self,
        planes: &mut Planes,
        shard: u32,
        store: Option<&Store>,
    ) -> Result<(), LogError> {
        planes.grow_for(self.level);
        let mut level = LevelBits::of(0);
        let mut replay = |block: &Block| {
            for (i, group) in block.groups()[..block.len.div_ceil(GROUP)].iter().enumerate() {
                let entries = (0..GROUP).map(|slot| (word_of(group, slot), group[slot]));
                let full = block.len - i * GROUP >= GROUP;
                if full && !holds_level(group) {
                    planes.set(&level, entries.map(|(word, set)| (usize::from(word), set)));
                    continue;
                }
                for (word, set) in entries.take(block.len - i * GROUP) {
                    match word {
                        LEVEL => level = LevelBits::of(set as u32),
                        word => planes.set(&level, [(usize::from(word), set)].into_iter()),
                    }
                }
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

    /// Its memory, emptied.
    pub(super) fn into_memory(mut self) -> Pages<u64> {
        let used = self.tail.used();
        self.tail.numbers[..used].fill(0);
        self.tail.numbers
    }

    /// Writes the log. For blocks in a store it writes their numbers.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, [u64::from(self.level), self.full.len() as u64])?;
        write_numbers(to, self.full.iter().copied())?;
        self.tail.write(to)
    }

    /// Reads the output of [`write`](Log::write) for a shard of so many words. The last settled level was
    /// `level`.
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
        // Blocks in a store have their own checksums.
        let mut before = 0;
        let fits = (0..log.tail.len).all(|at| match log.tail.entry(at) {
            (LEVEL, level) => std::mem::replace(&mut before, level) < level,
            (word, _) => usize::from(word) < words,
        });
        if fits && before <= last { Ok(log) } else { Err(SolveError::Snapshot) }
    }
}

/// How many numbers a log has space for: until a block is full, or in memory until it is as large as planes.
fn room(words: usize, store: Option<&Store>) -> usize {
    match store {
        Some(_) => BLOCK_NUMBERS,
        None => Planes::bytes(words as u64, 0) as usize / size_of::<u64>(),
    }
}
