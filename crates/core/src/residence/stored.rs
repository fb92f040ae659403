//! Distances and events of later levels in a store.
//!
//! An event block holds packed entries ([`entries`](crate::solve::entries)):
//!
//! ```text
//! the word before the first entry u64, length of the entries u64, the entries, zeros
//! ```

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::ops::Range;

use super::store::{BODY_BYTES, LogStore, Store};
use super::stored_log::StoredLog;
use crate::rules::Outcome;
use crate::solve::entries::unpack;
use crate::solve::error::SolveError;
use crate::solve::pending::{Day, Event, PendingEvents};
use crate::words::blocks::{Blocks, split};
use crate::words::distances::{Nothing, by_shard, entries};
use crate::words::log::SHARD_WORDS_MAX;
use crate::words::residence::{Events, Record, Residence};

/// The store of a solve, and what is in it.
pub(super) struct Stored {
    pub(super) store: Store,
    keeps: bool,
    /// The logs of all shards. Empty if distances are not kept.
    pub(super) logs: Vec<StoredLog>,
    pub(super) shard_words: usize,
    /// How many words the engine settles.
    words: u64,
    /// The blocks of events by level and event, in the order of words. Each has the word before its first entry.
    events: BTreeMap<(u32, usize), Vec<EventBlock>>,
    /// How many of these blocks there are.
    events_blocks: u64,
    /// Whether events go to the store, as logs do.
    takes_events: bool,
}

/// A block of events in the store.
struct EventBlock {
    number: u64,
    /// The word before its first entry.
    before: u64,
}

/// The bytes of a block before its entries.
const HEAD_BYTES: usize = 16;
/// Takes the place of a shard in the checksum of a block.
const EVENTS: u32 = u32::MAX;

impl Stored {
    /// No distances yet, for an engine that settles some words.
    pub(super) fn new(
        keeps: bool,
        blocks: &Blocks,
        store: Box<dyn LogStore>,
        takes_events: bool,
    ) -> Stored {
        let Blocks { words, shard_words, .. } = *blocks;
        assert!(shard_words.is_power_of_two() && shard_words <= SHARD_WORDS_MAX, "{shard_words}");
        let shards = if keeps { words.div_ceil(shard_words) } else { 0 };
        Stored {
            store: Store::new(store),
            keeps,
            logs: (0..shards).map(|_| StoredLog::default()).collect(),
            shard_words,
            words: blocks.len() as u64,
            events: BTreeMap::new(),
            events_blocks: 0,
            takes_events: takes_events && keeps,
        }
    }

    /// The memory of the logs of some words.
    pub(super) fn bytes_beside(words: u64, shard_words: usize) -> u64 {
        StoredLog::bytes(words.div_ceil(shard_words as u64))
    }

    fn blocks(&self, level: u32, event: usize) -> &[EventBlock] {
        self.events.get(&(level, event)).map_or(&[], Vec::as_slice)
    }
}

impl Residence for Stored {
    fn has_distances(&self) -> bool {
        self.keeps
    }

    fn bytes(&self, _: u32) -> u64 {
        let logs = if self.keeps { Stored::bytes_beside(self.words, self.shard_words) } else { 0 };
        logs + self.events_blocks * size_of::<EventBlock>() as u64
    }

    fn records(&mut self, parts: &[Range<usize>]) -> Vec<Box<dyn Record + '_>> {
        let Stored { store, logs, shard_words, .. } = self;
        if !self.keeps {
            return parts.iter().map(|_| Box::new(Nothing) as Box<dyn Record>).collect();
        }
        let parts = split(logs, *shard_words, parts.iter().cloned());
        let record = |(words, logs): (Range<usize>, _)| LogRecord {
            first: words.start / *shard_words,
            logs,
            shard_words: *shard_words,
            store,
        };
        parts.map(|part| Box::new(record(part)) as _).collect()
    }

    fn take_events(&mut self, pending: &mut PendingEvents) -> io::Result<()> {
        if !self.takes_events {
            return Ok(());
        }
        let Stored { store, events, events_blocks, .. } = self;
        pending.take_full(BODY_BYTES - HEAD_BYTES, |level, event, packed| {
            let blocks = events.entry((level, event as usize)).or_default();
            let head = [packed.before, packed.bytes.len() as u64].map(u64::to_le_bytes);
            let mut body = [head.as_flattened(), &packed.bytes].concat();
            body.resize(BODY_BYTES, 0);
            let number = store.write([EVENTS, blocks.len() as u32], &body)?;
            blocks.push(EventBlock { number, before: packed.before });
            *events_blocks += 1;
            Ok(())
        })
    }

    fn events<'a>(&'a self, level: u32, day: &'a Day) -> Box<dyn Events + 'a> {
        Box::new(StoredEvents { stored: self, level, day })
    }

    fn taken_bytes(&self, level: u32) -> u64 {
        let blocks: usize = (0..4).map(|event| self.blocks(level, event).len()).sum();
        // An entry has at least three bytes, so the index takes at most a twelfth more.
        (blocks * BODY_BYTES * 13 / 12) as u64
    }

    fn taken(&self, level: u32) -> Vec<[u64; 4]> {
        let later = self.events.range((level + 1, 0)..);
        let rows = later.flat_map(|(&(level, event), blocks)| {
            let row =
                move |block: &EventBlock| [level.into(), event as u64, block.number, block.before];
            blocks.iter().map(row)
        });
        rows.collect()
    }

    fn find_taken(&mut self, rows: &[[u64; 4]], pending: &PendingEvents) -> bool {
        for &[level, event, number, before] in rows {
            let Some((level, event)) = Event::named(level, event) else { return false };
            let blocks = self.events.entry((level, event as usize)).or_default();
            let fits = blocks.last().is_none_or(|last| last.before <= before);
            // The last entry of a list is never in the store.
            if !fits || number == u64::MAX || !pending.day(level).has(|each| each == event) {
                return false;
            }
            self.store.reserve(number + 1);
            blocks.push(EventBlock { number, before });
            self.events_blocks += 1;
        }
        true
    }

    fn sync(&self) -> io::Result<()> {
        self.store.sync()
    }

    fn write_shard(&self, shard: usize, to: &mut dyn Write) -> io::Result<()> {
        self.logs.get(shard).map_or(Ok(()), |log| log.write(to))
    }

    fn read_shard(
        &mut self,
        (shard, words, is_own): (usize, usize, bool),
        level: u32,
        from: &mut dyn Read,
    ) -> Result<(), SolveError> {
        if let Some(place) = self.logs.get_mut(shard) {
            let log = StoredLog::read(level, words, &self.store, from)?;
            if is_own {
                *place = log;
            }
        }
        Ok(())
    }
}

/// Appends what settles in some shards to their logs.
pub(super) struct LogRecord<'a> {
    /// The first shard.
    pub(super) first: usize,
    /// The logs from this shard on. Empty if distances are not kept.
    pub(super) logs: &'a mut [StoredLog],
    pub(super) shard_words: usize,
    pub(super) store: &'a Store,
}

impl Record for LogRecord<'_> {
    fn is_needed(&self) -> bool {
        !self.logs.is_empty()
    }

    fn note(&mut self, level: u32, _: Outcome, settled: &[(usize, u64)]) -> io::Result<()> {
        if self.logs.is_empty() {
            return Ok(());
        }
        for run in by_shard(settled, self.shard_words) {
            let shard = run[0].0 / self.shard_words;
            let entries = entries(run, self.shard_words);
            self.logs[shard - self.first].append(level, entries, (shard as u32, self.store))?;
        }
        Ok(())
    }
}

/// The events of a level, in the store and in memory.
struct StoredEvents<'a> {
    stored: &'a Stored,
    level: u32,
    day: &'a Day,
}

impl Events for StoredEvents<'_> {
    fn each(
        &self,
        event: Event,
        words: Range<u64>,
        visit: &mut dyn FnMut(usize, u64),
    ) -> Result<(), SolveError> {
        let blocks = self.stored.blocks(self.level, event as usize);
        // Entries of a block come after the word before its first entry.
        let begin = blocks.partition_point(|block| block.before < words.start);
        let end = blocks.partition_point(|block| block.before < words.end);
        let (begin, mut buffer) = (begin.saturating_sub(1), Vec::new());
        for (number, block) in (begin as u32..).zip(&blocks[begin..end]) {
            let place = [EVENTS, number];
            let body = self.stored.store.read(block.number, place, &mut buffer)?;
            let (head, entries) = body.split_at(HEAD_BYTES);
            let [word, len] = [0, 1].map(|at| u64::from_le_bytes(head.as_chunks().0[at]));
            unpack(&entries[..len as usize], word, words.clone())
                .for_each(|(word, states)| visit(word as usize, states));
        }
        self.day.each(event, words, visit)
    }
}
