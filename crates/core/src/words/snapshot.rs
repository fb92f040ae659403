//! The words of an engine in a snapshot: shard by shard, so that another process can take some of them.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};

use super::arrays::{Arrays, put_barred};
use super::distances::Shard;
use super::log::{Log, LogBlock};
use super::planes::Planes;
use super::residence::Residence;
use crate::memory::Pages;
use crate::solve::error::SolveError;
use crate::solve::numbers::{read_array, read_numbers, write_numbers};

impl Arrays {
    /// Writes the shards: how many there are, and for each one its number, the bits of its states, the states that
    /// cannot settle yet, and the distances.
    pub(crate) fn write(&self, residence: &dyn Residence, to: &mut dyn Write) -> io::Result<()> {
        residence.sync()?;
        write_numbers(to, [self.blocks.shards().count() as u64])?;
        for (shard, words) in self.blocks.shards() {
            write_numbers(to, [shard as u64])?;
            write_numbers(to, self.known[words.clone()].as_flattened().iter().copied())?;
            for set in [&self.barred[..], &self.terminal] {
                write_numbers(to, [u64::from(!set.is_empty())])?;
                write_numbers(to, set.get(words.clone()).unwrap_or_default().iter().copied())?;
            }
            residence.write_shard(shard, to)?;
        }
        Ok(())
    }

    /// Reads the output of [`write`](Arrays::write), which may have shards of other processes, too. The last settled
    /// level was `level`.
    pub(crate) fn read(
        &mut self,
        residence: &mut dyn Residence,
        level: u32,
        from: &mut dyn Read,
    ) -> Result<(), SolveError> {
        let [shards] = read_array(from)?;
        let (all, shard_words) = (self.words(), self.blocks.shard_words);
        let mut missing: BTreeSet<usize> = self.blocks.shards().map(|(shard, _)| shard).collect();
        for _ in 0..shards {
            let [shard] = read_array(from)?;
            let shard = usize::try_from(shard).ok().filter(|&shard| shard < all);
            let first = shard.ok_or(SolveError::Snapshot)?.saturating_mul(shard_words);
            if first >= all {
                return Err(SolveError::Snapshot);
            }
            let words = first..all.min(first + shard_words);
            let is_own = missing.remove(&(first / shard_words));
            let mut other = vec![[0; 2]; if is_own { 0 } else { words.len() }];
            let known = if is_own { &mut self.known[words.clone()] } else { &mut other[..] };
            read_numbers(from, known.as_flattened_mut())?;
            let mut special = || -> Result<Vec<u64>, SolveError> {
                let mut sets = vec![0; if read_array(from)? == [0] { 0 } else { words.len() }];
                read_numbers(from, &mut sets)?;
                Ok(sets)
            };
            let (barred, terminal) = (special()?, special()?);
            if is_own {
                put_barred(&mut self.barred, all, words.clone(), &barred);
                let terminal = words.clone().zip(terminal);
                terminal.for_each(|entry| self.terminal.add(entry, all));
            }
            residence.read_shard((first / shard_words, words.len(), is_own), level, from)?;
        }
        if missing.is_empty() { Ok(()) } else { Err(SolveError::Snapshot) }
    }
}

impl Shard {
    /// Writes the distances.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, [u64::from(matches!(self, Shard::Planes(_)))])?;
        match self {
            Shard::Log(log) => log.write(to),
            Shard::Planes(planes) => planes.write(to),
        }
    }

    /// Reads the output of [`write`](Shard::write) for `words` words. The last settled level was `level`.
    pub(super) fn read(level: u32, words: usize, from: &mut dyn Read) -> Result<Shard, SolveError> {
        Ok(match read_array(from)? {
            [0] => Shard::Log(Log::read(level, words, from)?),
            [1] => Shard::Planes(Planes::read(level, words, from)?),
            _ => return Err(SolveError::Snapshot),
        })
    }
}

impl Log {
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        // The second number is that of blocks in a store.
        write_numbers(to, [u64::from(self.level), 0])?;
        self.entries.write(to)
    }

    /// Reads the output of [`write`](Log::write) for a shard of `words` words. The last settled level was
    /// `level`.
    pub(super) fn read(level: u32, words: usize, from: &mut dyn Read) -> Result<Log, SolveError> {
        let [last, stored] = read_array(from)?;
        if last > u64::from(level) || stored > 0 {
            return Err(SolveError::Snapshot);
        }
        let entries = LogBlock::read(Log::numbers(words), from)?;
        if !entries.is_sound(words, last) {
            return Err(SolveError::Snapshot);
        }
        Ok(Log { entries, level: last as u32 })
    }
}

impl LogBlock {
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let words = &self.numbers[self.word_numbers(self.len)];
        let numbers = self.numbers[..self.len].iter().chain(words);
        write_numbers(to, [self.len as u64].into_iter().chain(numbers.copied()))
    }

    /// Reads the output of [`write`](LogBlock::write) into space for `numbers` numbers.
    pub(crate) fn read(numbers: usize, from: &mut dyn Read) -> Result<LogBlock, SolveError> {
        let [len] = read_array(from)?;
        let mut block = LogBlock::with_numbers(numbers);
        let fits = usize::try_from(len).ok().filter(|len| *len <= block.room());
        block.len = fits.ok_or(SolveError::Snapshot)?;
        let (sets, words) = (0..block.len, block.word_numbers(block.len));
        read_numbers(from, &mut block.numbers[sets])?;
        read_numbers(from, &mut block.numbers[words])?;
        Ok(block)
    }
}

impl Planes {
    /// Writes the planes.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, [self.high.len() as u64])?;
        write_numbers(to, self.low.iter().copied())?;
        self.high.iter().try_for_each(|plane| write_numbers(to, plane.iter().copied()))
    }

    /// Reads the output of [`write`](Planes::write) for `words` words. The last settled level was `level`.
    pub(crate) fn read(
        level: u32,
        words: usize,
        from: &mut dyn Read,
    ) -> Result<Planes, SolveError> {
        let [high] = read_array(from)?;
        if high > Planes::high_for(level) as u64 {
            return Err(SolveError::Snapshot);
        }
        let mut planes = Planes::new(words);
        read_numbers(from, &mut planes.low)?;
        for _ in 0..high {
            let mut plane = Pages::zeroed(words);
            read_numbers(from, &mut plane)?;
            planes.high.push(plane);
        }
        Ok(planes)
    }
}
