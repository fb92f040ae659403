//! The distances of a shard: a run of words that one thread at a time writes.

use std::io::{self, Read, Write};

use super::log::{Log, Store};
use super::planes::Planes;
use crate::solve::snapshot::{read_array, write_numbers};
use crate::solve::solver::SolveError;

/// The distances of what has settled in a shard.
pub(crate) enum Shard {
    /// In the order in which it settled. In memory a log is never longer than the planes would be.
    Log(Log),
    Planes(Planes),
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::Log(Log::default())
    }
}

impl Shard {
    /// Notes what settles at `level`: words, of those from `first` on that the shard has, and sets of their states.
    #[inline(always)]
    pub(crate) fn note(
        &mut self,
        level: u32,
        (first, words): (usize, usize),
        settled: &[(usize, u64)],
        shard: u32,
        store: Option<&Store>,
    ) -> io::Result<()> {
        if let Shard::Log(log) = self {
            if log.append(level, (first, words), settled, (shard, store))? {
                return Ok(());
            }
            self.make_planes(words);
        }
        if let Shard::Planes(planes) = self {
            planes.grow_for(level);
            planes.set(level, settled.iter().map(|&(word, set)| (word - first, set)));
        }
        Ok(())
    }

    /// Makes planes of a log in memory, for so many words.
    #[cold]
    pub(crate) fn make_planes(&mut self, words: usize) {
        if let Shard::Log(log) = self {
            let mut planes = Planes::new(words);
            let made = log.replay_into(&mut planes, 0, None);
            made.unwrap_or_else(|_| unreachable!("a log in memory is read without errors"));
            *self = Shard::Planes(planes);
        }
    }

    /// The planes, if it has come to that.
    pub(crate) fn into_planes(self) -> Option<Planes> {
        match self {
            Shard::Log(_) => None,
            Shard::Planes(planes) => Some(planes),
        }
    }

    /// The log, unless it has come to planes.
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

    /// Reads what [`write`](Shard::write) wrote of so many words, where `level` settled last.
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
