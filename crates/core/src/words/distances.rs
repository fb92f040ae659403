//! The distances of all states in memory, shard by shard.

use std::io::{self, Read, Write};
use std::ops::Range;

use super::blocks::{Blocks, split};
use super::log::{Log, SHARD_WORDS_MAX};
use super::planes::{LevelBits, LogEntry, Planes};
use super::residence::{Record, Residence};
use crate::rules::Outcome;
use crate::solve::error::SolveError;

/// The distances of all words, if they are kept.
pub(crate) struct Memory {
    keeps: bool,
    /// Empty if distances are not kept.
    pub(super) shards: Vec<Shard>,
    /// How many words each shard has. The last shard may have fewer.
    pub(super) shard_words: usize,
    /// How many words the engine settles.
    words: u64,
}

impl Memory {
    /// No distances yet, for an engine that settles some words.
    pub(crate) fn new(keeps: bool, blocks: &Blocks) -> Memory {
        let Blocks { words: all, shard_words, .. } = *blocks;
        assert!(shard_words.is_power_of_two() && shard_words <= SHARD_WORDS_MAX, "{shard_words}");
        let firsts = (0..if keeps { all } else { 0 }).step_by(shard_words);
        let shards = firsts.map(|first| Shard::Log(Log::new(shard_words.min(all - first))));
        Memory { keeps, shards: shards.collect(), shard_words, words: blocks.len() as u64 }
    }
}

impl Residence for Memory {
    fn has_distances(&self) -> bool {
        self.keeps
    }

    fn bytes(&self, level: u32) -> u64 {
        if self.keeps { Planes::bytes(self.words, level) } else { 0 }
    }

    fn records(&mut self, parts: &[Range<usize>]) -> Vec<Box<dyn Record + '_>> {
        let shard_words = self.shard_words;
        if !self.keeps {
            return parts.iter().map(|_| Box::new(Nothing) as Box<dyn Record>).collect();
        }
        let parts = split(&mut self.shards, shard_words, parts.iter().cloned());
        parts
            .map(|(words, shards)| Box::new(Distances { words, shards, shard_words }) as _)
            .collect()
    }

    fn write_shard(&self, shard: usize, to: &mut dyn Write) -> io::Result<()> {
        self.shards.get(shard).map_or(Ok(()), |shard| shard.write(to))
    }

    fn read_shard(
        &mut self,
        (shard, words, is_own): (usize, usize, bool),
        level: u32,
        from: &mut dyn Read,
    ) -> Result<(), SolveError> {
        if let Some(place) = self.shards.get_mut(shard) {
            let read = Shard::read(level, words, from)?;
            if is_own {
                *place = read;
            }
        }
        Ok(())
    }
}

/// The record of a part whose distances are not kept.
pub(crate) struct Nothing;

impl Record for Nothing {
    fn is_needed(&self) -> bool {
        false
    }

    fn note(&mut self, _: u32, _: Outcome, _: &[(usize, u64)]) -> io::Result<()> {
        Ok(())
    }
}

/// The distances of a part.
struct Distances<'a> {
    /// The words of the part.
    words: Range<usize>,
    shards: &'a mut [Shard],
    shard_words: usize,
}

impl Record for Distances<'_> {
    fn is_needed(&self) -> bool {
        true
    }

    fn note(&mut self, level: u32, _: Outcome, settled: &[(usize, u64)]) -> io::Result<()> {
        let Distances { words, shards, shard_words } = self;
        let first = words.start / *shard_words;
        for run in by_shard(settled, *shard_words) {
            let shard = run[0].0 / *shard_words;
            let len = (*shard_words).min(words.end - shard * *shard_words);
            shards[shard - first].note(level, len, entries(run, *shard_words));
        }
        Ok(())
    }
}

/// Words with sets of states, shard by shard.
pub(crate) fn by_shard(
    settled: &[(usize, u64)],
    shard_words: usize,
) -> impl Iterator<Item = &[(usize, u64)]> {
    let shift = shard_words.trailing_zeros();
    settled.chunk_by(move |(a, _), (b, _)| a >> shift == b >> shift)
}

/// Words of a shard with sets of states, as entries of its log.
pub(crate) fn entries(
    run: &[(usize, u64)],
    shard_words: usize,
) -> impl ExactSizeIterator<Item = LogEntry> + Clone {
    run.iter().map(move |&(word, states)| ((word & (shard_words - 1)) as u16, states))
}

/// The distances of the settled states of a shard.
pub(super) enum Shard {
    /// In the order in which states settle. It is never larger than planes.
    Log(Log),
    Planes(Planes),
}

impl Shard {
    /// Records states that settle at `level`: words of the shard, each with a set of its states. The shard
    /// has `words` words.
    fn note(
        &mut self,
        level: u32,
        words: usize,
        entries: impl ExactSizeIterator<Item = LogEntry> + Clone,
    ) {
        if let Shard::Log(log) = self {
            if log.append(level, entries.clone()) {
                return;
            }
            let log = std::mem::take(log);
            *self = Shard::Planes(log.into_planes(words));
        }
        if let Shard::Planes(planes) = self {
            planes.grow_for(level);
            planes.set(&LevelBits::of(level), entries);
        }
    }

    /// The distances in planes, for `words` words.
    #[cold]
    pub(super) fn into_planes(self, words: usize) -> Planes {
        match self {
            Shard::Planes(planes) => planes,
            Shard::Log(log) => log.into_planes(words),
        }
    }
}
