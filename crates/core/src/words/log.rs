//! The log of distances: the states that settle at each level, as words and sets, in the order in which the
//! engine finds them.
//!
//! If the engine wrote each distance when its state settles, it would access a distant cache line. That was
//! up to a third of the time. So the engine only appends to the log. It divides the words into *shards* of
//! some thousands, and each shard has its own log. To find the distances of a shard, a thread replays its
//! log, within a cache.
//!
//! A log is a list of full blocks and a tail. Blocks stay in memory, or go to a [`LogStore`]:
//!
//! ```text
//! block in a store: checksum u64, 1632 sets u64, for each set the word of the shard that it belongs to u16
//! ```
//!
//! The checksum is that of the bytes after it. Its seed is the place of the block: its shard, and its number within the
//! shard's log. The store also holds pending events ([`entries`](crate::solve::entries)), with the same checksum. A log in memory is one block, as large as the planes of
//! its shard.

use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::{FromBytes, IntoBytes};

use super::planes::{LevelBits, Planes};
use crate::checksum::checksum;
use crate::memory::pages::Pages;
use crate::solve::snapshot::{read_array, read_numbers, write_numbers};
use crate::solve::solver::SolveError;

/// Where a solve stores the log of its distances and its pending events: blocks of [`LOG_BLOCK_BYTES`] by number, as in a file.
///
/// Several threads write, in about ascending order. A [resumed](crate::Solver::resume) solve reads the blocks that its
/// snapshot names. It writes all other blocks again. A solve with a [window](crate::bit_parallel::WindowPlan) also keeps
/// its bits here, and overwrites blocks.
pub trait LogStore: Send + Sync {
    /// Writes a block.
    fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()>;

    /// Reads a block that was written.
    fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()>;

    /// Waits until all blocks that were written survive a power cut. The solve calls this before it writes a snapshot, because
    /// the snapshot names blocks. Once it has failed, blocks may be lost, and it must always fail.
    fn sync(&self) -> io::Result<()>;
}

/// The size of a block of a [`LogStore`].
pub const LOG_BLOCK_BYTES: usize = HEAD_BYTES + BLOCK_NUMBERS * size_of::<u64>();

/// How many entries a full block has. Larger blocks are read and written faster; smaller ones leave shorter tails in memory.
const BLOCK_ENTRIES: usize = 1632;
const BLOCK_NUMBERS: usize = BLOCK_ENTRIES + BLOCK_ENTRIES / WORDS_A_NUMBER;
/// How many words of entries fit into a number.
const WORDS_A_NUMBER: usize = 4;
const HEAD_BYTES: usize = 8;
/// The bytes of a block after its head.
pub(crate) const BODY_BYTES: usize = LOG_BLOCK_BYTES - HEAD_BYTES;

/// If an entry has this in place of a word, the entry holds a level in place of a set. The entries after it
/// settled at this level. So a shard has fewer words than this number.
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

impl From<LogError> for SolveError {
    fn from(error: LogError) -> SolveError {
        SolveError::Outside(Box::new(error))
    }
}

/// A store, and how many blocks it holds.
pub(crate) struct Store {
    blocks: Box<dyn LogStore>,
    count: AtomicU64,
    /// How many blocks have been read and written.
    read: AtomicU64,
    written: AtomicU64,
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

/// A word of a shard, and a set of its states.
pub(super) type Entry = (u16, u64);

/// Some entries.
struct Block {
    /// The sets of all entries, then their words, four to a number.
    numbers: Pages<u64>,
    /// How many entries fit, a multiple of four.
    capacity: usize,
    /// How many entries there are.
    len: usize,
}

impl Default for Block {
    fn default() -> Block {
        Block::with_numbers(0)
    }
}

impl Block {
    /// Space for entries in `numbers` numbers. The system gives memory when the engine writes to it.
    fn with_numbers(numbers: usize) -> Block {
        let capacity = numbers / (1 + WORDS_A_NUMBER) * WORDS_A_NUMBER;
        Block { numbers: Pages::zeroed(numbers), capacity, len: 0 }
    }

    /// How many entries still fit.
    fn room(&self) -> usize {
        self.capacity - self.len
    }

    /// The numbers with the words of some entries.
    fn word_numbers(&self, entries: usize) -> Range<usize> {
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
    fn extend(&mut self, entries: impl Iterator<Item = Entry>) {
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

    /// A full block, from the body of a block in a store.
    fn from_body(body: &[u8]) -> Block {
        let mut block = Block::with_numbers(BLOCK_NUMBERS);
        block.numbers.as_mut_bytes().copy_from_slice(body);
        block.len = BLOCK_ENTRIES;
        block
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let words = &self.numbers[self.word_numbers(self.len)];
        let numbers = self.numbers[..self.len].iter().chain(words);
        write_numbers(to, [self.len as u64].into_iter().chain(numbers.copied()))
    }

    /// Reads the output of [`write`](Block::write) into space for `numbers` numbers.
    fn read(numbers: usize, from: &mut dyn Read) -> Result<Block, SolveError> {
        let [len] = read_array(from)?;
        let mut block = Block::with_numbers(numbers);
        let fits = usize::try_from(len).ok().filter(|len| *len <= block.room());
        block.len = fits.ok_or(SolveError::Snapshot)?;
        let (sets, words) = (0..block.len, block.word_numbers(block.len));
        read_numbers(from, &mut block.numbers[sets])?;
        read_numbers(from, &mut block.numbers[words])?;
        Ok(block)
    }
}

impl Store {
    /// An empty store.
    pub(crate) fn new(blocks: Box<dyn LogStore>) -> Store {
        Store { blocks, count: 0.into(), read: 0.into(), written: 0.into() }
    }

    /// Writes a block: whose it is, which of the owner's blocks it is, and its body. Returns its number in the store.
    pub(crate) fn write(&self, place: [u32; 2], body: &[u8]) -> io::Result<u64> {
        let number = self.count.fetch_add(1, Relaxed);
        self.write_at(number, place, body)?;
        Ok(number)
    }

    /// Writes a block at a number below the [reserved](Store::reserve) ones.
    pub(super) fn write_at(&self, number: u64, place: [u32; 2], body: &[u8]) -> io::Result<()> {
        self.written.fetch_add(1, Relaxed);
        let sum = checksum(body, seed_of(place)).to_le_bytes();
        self.blocks.write_block(number, &[&sum, body].concat())
    }

    /// Waits until all blocks survive a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.blocks.sync()
    }

    /// Reserves the first numbers of the store.
    pub(super) fn reserve(&self, numbers: u64) {
        self.count.fetch_max(numbers, Relaxed);
    }

    /// Reads a block into a buffer. Returns its body.
    pub(crate) fn read<'b>(
        &self,
        number: u64,
        place: [u32; 2],
        block: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], LogError> {
        block.resize(LOG_BLOCK_BYTES, 0);
        self.read.fetch_add(1, Relaxed);
        self.blocks.read_block(number, block).map_err(LogError::Store)?;
        let (sum, body) = block.split_at(HEAD_BYTES);
        let whole = *sum == checksum(body, seed_of(place)).to_le_bytes();
        if whole { Ok(body) } else { Err(LogError::Damaged { block: number }) }
    }

    /// How many bytes have been read from it, and written to it.
    pub(super) fn bytes_moved(&self) -> (u64, u64) {
        let bytes = |blocks: &AtomicU64| blocks.load(Relaxed) * LOG_BLOCK_BYTES as u64;
        (bytes(&self.read), bytes(&self.written))
    }

    /// The memory of `logs` logs, besides a store.
    pub(super) fn bytes_beside(logs: u64) -> u64 {
        logs * (size_of::<Log>() + BLOCK_NUMBERS * size_of::<u64>()) as u64
    }
}

impl Log {
    /// An empty log in memory, with address space for a shard of `words` words. If threads asked for it while others work,
    /// they would wait for each other's page faults.
    pub(super) fn in_memory(words: usize) -> Log {
        Log { tail: Block::with_numbers(numbers(words, None)), ..Log::default() }
    }

    /// Appends states that settle at `level`, of a shard of `words` words. Full blocks go to the store. If
    /// there is no store and too little space, it appends nothing and returns false.
    pub(super) fn append(
        &mut self,
        level: u32,
        words: usize,
        entries: impl ExactSizeIterator<Item = Entry>,
        (shard, store): (u32, Option<&Store>),
    ) -> io::Result<bool> {
        if self.tail.capacity == 0 {
            self.tail = Block::with_numbers(numbers(words, store));
        }
        let begins = self.level != level;
        let fits = self.tail.room() >= usize::from(begins) + entries.len();
        if !fits && store.is_none() {
            return Ok(false);
        }
        if begins {
            self.level = level;
            self.push(LEVEL, u64::from(level), (shard, store))?;
        }
        if fits {
            self.tail.extend(entries);
        } else {
            for (word, set) in entries {
                self.push(word, set, (shard, store))?;
            }
        }
        Ok(true)
    }

    /// Appends an entry. If the tail is full, there must be a store, and the tail goes there.
    #[cold]
    fn push(&mut self, word: u16, set: u64, to: (u32, Option<&Store>)) -> io::Result<()> {
        if let (shard, Some(store)) = to
            && self.tail.room() == 0
        {
            let place = [shard, self.full.len() as u32];
            self.full.push(store.write(place, self.tail.numbers.as_bytes())?);
            self.tail.len = 0;
        }
        self.tail.extend([(word, set)].into_iter());
        Ok(())
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
            let (mut words, mut sets) = block.entries();
            while !words.is_empty() {
                let run = level_in(words).unwrap_or(words.len());
                let entries = words[..run].iter().zip(&sets[..run]);
                planes.set(&level, entries.map(|(word, set)| (*word, *set)));
                if let Some(next) = sets.get(run) {
                    level = LevelBits::of(*next as u32);
                }
                let rest = (run + 1).min(words.len());
                (words, sets) = (&words[rest..], &sets[rest..]);
            }
        };
        let mut block = Vec::new();
        for (&at, number) in self.full.iter().zip(0..) {
            let store = store.expect("full blocks lie in a store");
            replay(&Block::from_body(store.read(at, [shard, number], &mut block)?));
        }
        replay(&self.tail);
        Ok(())
    }

    /// Writes the log. For blocks in a store it writes their numbers.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, [u64::from(self.level), self.full.len() as u64])?;
        write_numbers(to, self.full.iter().copied())?;
        self.tail.write(to)
    }

    /// Reads the output of [`write`](Log::write) for a shard of `words` words. The last settled level was
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
        log.tail = Block::read(numbers(words, store), from)?;
        // Blocks in a store have their own checksums.
        let mut before = 0;
        let (entries, sets) = log.tail.entries();
        let fits = entries.iter().zip(sets).all(|entry| match entry {
            (&LEVEL, &level) => std::mem::replace(&mut before, level) < level,
            (&word, _) => usize::from(word) < words,
        });
        if fits && before <= last { Ok(log) } else { Err(SolveError::Snapshot) }
    }
}

/// The place of the first [`LEVEL`] among some words. It looks at eight words at a time.
fn level_in(words: &[u16]) -> Option<usize> {
    let (eights, _) = words.as_chunks::<8>();
    let has_level = |eight: &[u16; 8]| eight.iter().fold(false, |any, word| any | (*word == LEVEL));
    let before = 8 * eights.iter().take_while(|eight| !has_level(eight)).count();
    words[before..].iter().position(|word| *word == LEVEL).map(|at| before + at)
}

/// The seed of the checksum of a block.
fn seed_of([owner, number]: [u32; 2]) -> u64 {
    u64::from(owner) << 32 | u64::from(number)
}

/// How many numbers a log has space for. With a store, this is a full block. Without one, it is the size of
/// planes.
fn numbers(words: usize, store: Option<&Store>) -> usize {
    match store {
        Some(_) => BLOCK_NUMBERS,
        None => Planes::bytes(words as u64, 0) as usize / size_of::<u64>(),
    }
}
