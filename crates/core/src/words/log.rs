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
    full: Vec<Full>,
    tail: Block,
    /// The level of the last entry; 0 where there is none, since level 0 is not logged.
    level: u32,
}

/// A full block.
enum Full {
    Here(Block),
    /// In the store, under this number.
    Stored(u64),
}

/// Entries: sets of states, and the word of the shard that each belongs to.
#[derive(Default)]
struct Block {
    sets: Vec<u64>,
    words: Vec<u16>,
}

impl Block {
    /// The bytes of a full block in a store.
    fn to_bytes(&self, shard: u32, number: u32) -> Vec<u8> {
        let rest =
            [shard.as_bytes(), number.as_bytes(), self.sets.as_bytes(), self.words.as_bytes()];
        let rest = rest.concat();
        [xxh3_64(&rest).as_bytes(), &rest].concat()
    }

    /// The block, if the bytes of a store are that.
    fn from_bytes(bytes: &[u8], shard: u32, number: u32) -> Option<Block> {
        let (sum, rest) = bytes.split_at(8);
        let (place, rest_of_it) = rest.split_at(8);
        let whole = *sum == *xxh3_64(rest).as_bytes() && *place == *[shard, number].as_bytes();
        let mut block = Block { sets: vec![0; BLOCK_ENTRIES], words: vec![0; BLOCK_ENTRIES] };
        let (sets, words) = rest_of_it.split_at(8 * BLOCK_ENTRIES);
        block.sets.as_mut_bytes().copy_from_slice(sets);
        block.words.as_mut_bytes().copy_from_slice(words);
        whole.then_some(block)
    }
}

impl Block {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, self.sets.iter().copied())?;
        write_numbers(to, self.words.iter().map(|&word| word.into()))
    }

    fn read(entries: usize, from: &mut dyn Read) -> Result<Block, SolveError> {
        let mut block = Block { sets: vec![0; entries], words: Vec::new() };
        let mut words = vec![0; entries];
        read_numbers(from, &mut block.sets)?;
        read_numbers(from, &mut words)?;
        block.words = words.into_iter().map(|word| word as u16).collect();
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
    /// Appends what settles at `level`: words, of those from `first` on that the shard has, and sets of their states. Full blocks
    /// go to the store, if there is one.
    #[inline(always)]
    pub(super) fn append(
        &mut self,
        level: u32,
        first: usize,
        settled: &[(usize, u64)],
        shard: u32,
        store: Option<&Store>,
    ) -> io::Result<()> {
        let begins = self.level != level;
        self.level = level;
        if begins {
            self.make_room(shard, store)?;
            self.tail.words.push(LEVEL);
            self.tail.sets.push(level.into());
        }
        let mut rest = settled;
        while !rest.is_empty() {
            let room = self.make_room(shard, store)?;
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.tail.words.extend(now.iter().map(|&(word, _)| (word - first) as u16));
            self.tail.sets.extend(now.iter().map(|&(_, set)| set));
            rest = later;
        }
        Ok(())
    }

    /// How many entries the tail has room for, one at least.
    fn make_room(&mut self, shard: u32, store: Option<&Store>) -> io::Result<usize> {
        if self.tail.sets.len() == BLOCK_ENTRIES {
            self.close_block(shard, store)?;
        }
        Ok(BLOCK_ENTRIES - self.tail.sets.len())
    }

    #[cold]
    fn close_block(&mut self, shard: u32, store: Option<&Store>) -> io::Result<()> {
        let full = if let Some(store) = store {
            let bytes = self.tail.to_bytes(shard, self.full.len() as u32);
            let number = store.count.fetch_add(1, Relaxed);
            store.blocks.write_block(number, &bytes)?;
            self.tail.sets.clear();
            self.tail.words.clear();
            Full::Stored(number)
        } else {
            Full::Here(std::mem::take(&mut self.tail))
        };
        self.full.push(full);
        Ok(())
    }

    /// What the entries take where they are in memory.
    pub(super) fn bytes(&self) -> u64 {
        ((self.full.len() * BLOCK_ENTRIES + self.tail.sets.len()) * ENTRY_BYTES) as u64
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
            let (mut words, mut sets) = (&block.words[..], &block.sets[..]);
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
        for (full, number) in self.full.iter().zip(0..) {
            match full {
                Full::Here(block) => replay(block),
                Full::Stored(at) => {
                    let mut bytes = vec![0; LOG_BLOCK_BYTES];
                    let store = store.expect("stored blocks have a store");
                    store.blocks.read_block(*at, &mut bytes).map_err(LogError::Store)?;
                    let block = Block::from_bytes(&bytes, shard, number);
                    replay(&block.ok_or(LogError::Damaged { block: *at })?);
                }
            }
        }
        replay(&self.tail);
        Ok(())
    }

    /// Writes the log. Of blocks in a store it writes their numbers.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, [u64::from(self.level), self.full.len() as u64])?;
        for full in &self.full {
            match full {
                Full::Here(block) => block.write(to)?,
                Full::Stored(number) => write_numbers(to, [*number])?,
            }
        }
        write_numbers(to, [self.tail.sets.len() as u64])?;
        self.tail.write(to)
    }

    /// Reads what [`write`](Log::write) wrote of a shard of so many words, where `level` settled last.
    pub(super) fn read(
        level: u32,
        words: usize,
        store: Option<&Store>,
        from: &mut dyn Read,
    ) -> Result<Log, SolveError> {
        let mut log = Log::default();
        let [last, full] = read_array(from)?;
        for _ in 0..full {
            log.full.push(if let Some(store) = store {
                let [number] = read_array(from)?;
                let count = number.checked_add(1).ok_or(SolveError::Snapshot)?;
                store.count.fetch_max(count, Relaxed);
                Full::Stored(number)
            } else {
                Full::Here(Block::read(BLOCK_ENTRIES, from)?)
            });
        }
        let [tail] = read_array(from)?;
        log.tail = Block::read(tail.min(BLOCK_ENTRIES as u64) as usize, from)?;
        log.level = last as u32;
        // Blocks in a store have checksums of their own.
        let mut before = 0;
        let mut ascends = true;
        let here = log.full.iter().filter_map(|full| match full {
            Full::Here(block) => Some(block),
            Full::Stored(_) => None,
        });
        for block in here.chain([&log.tail]) {
            for (&word, &set) in block.words.iter().zip(&block.sets) {
                if word == LEVEL {
                    ascends &= before < set;
                    before = set;
                } else {
                    ascends &= usize::from(word) < words;
                }
            }
        }
        let fits = tail <= BLOCK_ENTRIES as u64 && last <= u64::from(level) && before <= last;
        if ascends && fits { Ok(log) } else { Err(SolveError::Snapshot) }
    }
}
