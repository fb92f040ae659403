//! The distances of all states, shard by shard, and the distances of a part while its words settle.

use std::io::{self, Read, Write};
use std::ops::Range;

use super::log::{Entry, Log, LogStore, SHARD_WORDS_MAX, Store};
use super::planes::{LevelBits, Planes};
use crate::solve::snapshot::{read_array, write_numbers};
use crate::solve::solver::SolveError;

/// The distances of all states, shard by shard.
pub(super) struct Distances {
    pub(super) shards: Vec<Shard>,
    /// How many words each shard has. The last shard may have fewer.
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
        let log = |first| match store {
            Some(_) => Log::default(),
            None => Log::in_memory(shard_words.min(words - first)),
        };
        let shards = (0..words).step_by(shard_words).map(|first| Shard::Log(log(first))).collect();
        Distances { shards, shard_words, store: store.map(Store::new) }
    }

    /// Waits until the store survives a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.store.as_ref().map_or(Ok(()), Store::sync)
    }

    /// Their memory, up to `level`.
    pub(super) fn bytes(&self, words: u64, level: u32) -> u64 {
        match self.store {
            None => Planes::bytes(words, level),
            Some(_) => Distances::bytes_beside_store(words, self.shard_words),
        }
    }

    /// Their memory for `words` words if a store holds the logs.
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

/// The distances of the settled states of a shard.
pub(crate) enum Shard {
    /// In the order in which states settle. A log in memory is never larger than planes.
    Log(Log),
    Planes(Planes),
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::Log(Log::default())
    }
}

impl Shard {
    /// Records states that settle at `level`: words of the shard, each with a set of its states. The shard
    /// has `words` words.
    pub(crate) fn note(
        &mut self,
        level: u32,
        words: usize,
        entries: impl ExactSizeIterator<Item = Entry> + Clone,
        (shard, store): (u32, Option<&Store>),
    ) -> io::Result<()> {
        if let Shard::Log(log) = self {
            if log.append(level, words, entries.clone(), (shard, store))? {
                return Ok(());
            }
            *self = Shard::Planes(std::mem::take(self).into_planes(words));
        }
        if let Shard::Planes(planes) = self {
            planes.grow_for(level);
            planes.set(&LevelBits::of(level), entries);
        }
        Ok(())
    }

    /// The distances in planes, for `words` words. If the shard has a log, it is in memory.
    #[cold]
    pub(crate) fn into_planes(self, words: usize) -> Planes {
        match self {
            Shard::Planes(planes) => planes,
            Shard::Log(log) => {
                let mut planes = Planes::new(words);
                let made = log.replay_into(&mut planes, 0, None);
                made.unwrap_or_else(|_| unreachable!("a log in memory is read without errors"));
                planes
            }
        }
    }

    /// The log, unless the shard has planes.
    pub(crate) fn into_log(self) -> Option<Log> {
        match self {
            Shard::Log(log) => Some(log),
            Shard::Planes(_) => None,
        }
    }

    /// Writes the distances.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, [u64::from(matches!(self, Shard::Planes(_)))])?;
        match self {
            Shard::Log(log) => log.write(to),
            Shard::Planes(planes) => planes.write(to),
        }
    }

    /// Reads the output of [`write`](Shard::write) for `words` words. The last settled level was `level`.
    pub(crate) fn read(
        level: u32,
        words: usize,
        store: Option<&Store>,
        from: &mut dyn Read,
    ) -> Result<Shard, SolveError> {
        Ok(match read_array(from)? {
            [0] => Shard::Log(Log::read(level, words, store, from)?),
            [1] if store.is_none() => Shard::Planes(Planes::read(level, words, from)?),
            _ => return Err(SolveError::Snapshot),
        })
    }
}
