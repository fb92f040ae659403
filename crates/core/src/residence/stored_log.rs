//! The log of the distances of a shard, most of it in a store.
//!
//! A log is a list of full blocks in the store, and a tail. A block holds 1,632 sets, and for each set the word of the shard
//! that it belongs to.

use std::io::{self, Read, Write};

use super::store::{BODY_BYTES, Store};
use crate::solve::error::LogError;
use crate::solve::error::SolveError;
use crate::solve::numbers::{read_array, write_numbers};
use crate::words::log::{LEVEL, LogBlock};
use crate::words::planes::{LevelBits, LogEntry, Planes};

/// The log of a shard.
#[derive(Default)]
pub(super) struct StoredLog {
    /// The full blocks, by their numbers in the store.
    full: Vec<u64>,
    /// The entries after them.
    tail: LogBlock,
    /// The level of the last entry; 0 if there is none, because level 0 is not logged.
    level: u32,
}

/// The numbers of a block.
const NUMBERS: usize = BODY_BYTES / size_of::<u64>();

impl StoredLog {
    /// The memory of `logs` logs, besides a store.
    pub(super) fn bytes(logs: u64) -> u64 {
        logs * (size_of::<StoredLog>() + BODY_BYTES) as u64
    }

    /// Appends states that settle at `level`. Full blocks go to the store.
    pub(super) fn append(
        &mut self,
        level: u32,
        entries: impl ExactSizeIterator<Item = LogEntry>,
        to: (u32, &Store),
    ) -> io::Result<()> {
        if !self.tail.has_space() {
            self.tail = LogBlock::with_numbers(NUMBERS);
        }
        let begins = self.level != level;
        let fits = self.tail.room() >= usize::from(begins) + entries.len();
        if begins {
            self.level = level;
            self.push((LEVEL, u64::from(level)), to)?;
        }
        if fits {
            self.tail.extend(entries);
            return Ok(());
        }
        for entry in entries {
            self.push(entry, to)?;
        }
        Ok(())
    }

    /// Appends an entry. If the tail is full, it goes to the store.
    #[cold]
    fn push(&mut self, entry: LogEntry, (shard, store): (u32, &Store)) -> io::Result<()> {
        if self.tail.room() == 0 {
            let place = [shard, self.full.len() as u32];
            self.full.push(store.write(place, self.tail.as_bytes())?);
            self.tail.clear();
        }
        self.tail.push(entry);
        Ok(())
    }

    /// All distances of the shard, in planes for `words` words.
    pub(super) fn planes(
        &self,
        words: usize,
        (shard, store): (u32, &Store),
    ) -> Result<Planes, LogError> {
        let (mut planes, mut level) = (Planes::new(words), LevelBits::of(0));
        planes.grow_for(self.level);
        let mut block = Vec::new();
        for (&at, number) in self.full.iter().zip(0..) {
            let body = store.read(at, [shard, number], &mut block)?;
            LogBlock::from_bytes(body).replay(&mut level, &mut planes);
        }
        self.tail.replay(&mut level, &mut planes);
        Ok(planes)
    }

    /// Writes the log, with the numbers of its blocks in the store.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        // A log, and not planes.
        write_numbers(to, [0, u64::from(self.level), self.full.len() as u64])?;
        write_numbers(to, self.full.iter().copied())?;
        self.tail.write(to)
    }

    /// Reads the output of [`write`](StoredLog::write) for a shard of `words` words. The last settled level was
    /// `level`.
    pub(super) fn read(
        level: u32,
        words: usize,
        store: &Store,
        from: &mut dyn Read,
    ) -> Result<StoredLog, SolveError> {
        let [planes, last, full] = read_array(from)?;
        if planes != 0 || last > u64::from(level) {
            return Err(SolveError::Snapshot);
        }
        let mut log = StoredLog { level: last as u32, ..StoredLog::default() };
        for _ in 0..full {
            let [number] = read_array(from)?;
            store.reserve(number.checked_add(1).ok_or(SolveError::Snapshot)?);
            log.full.push(number);
        }
        // Blocks in a store have their own checksums.
        log.tail = LogBlock::read(NUMBERS, from)?;
        if log.tail.is_sound(words, last) { Ok(log) } else { Err(SolveError::Snapshot) }
    }
}
