//! The words of a process in a snapshot: shard by shard, so that another process can take some of them.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};

use super::arrays::{Arrays, put_barred};
use super::distances::{Distances, Shard};
use crate::solve::snapshot::{read_array, read_numbers, write_numbers};
use crate::solve::solver::SolveError;

impl Arrays {
    /// Writes the own shards: how many there are, and for each one its number, the bits of its states, the states that
    /// cannot settle yet, and the distances.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.distances.as_ref().map_or(Ok(()), Distances::sync)?;
        let shard_words = self.own.shard_words();
        write_numbers(to, [self.own.parts(shard_words).count() as u64])?;
        for words in self.own.parts(shard_words) {
            let shard = words.start / shard_words;
            write_numbers(to, [shard as u64])?;
            write_numbers(to, self.known[words.clone()].as_flattened().iter().copied())?;
            for set in [&self.barred[..], &self.terminal] {
                write_numbers(to, [u64::from(!set.is_empty())])?;
                write_numbers(to, set.get(words.clone()).unwrap_or_default().iter().copied())?;
            }
            if let Some(distances) = &self.distances {
                distances.shards[shard].write(to)?;
            }
        }
        Ok(())
    }

    /// Reads the output of [`write`](Arrays::write), which may have shards of other processes, too. The last settled
    /// level was `level`.
    pub(crate) fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        let [shards] = read_array(from)?;
        let (all, shard_words) = (self.words(), self.own.shard_words());
        let own = self.own.parts(shard_words).map(|words| words.start / shard_words);
        let mut missing: BTreeSet<usize> = own.collect();
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
            if let Some(Distances { shards, store, .. }) = &mut self.distances {
                let read = Shard::read(level, words.len(), store.as_ref(), from)?;
                if is_own {
                    shards[first / shard_words] = read;
                }
            }
        }
        if missing.is_empty() { Ok(()) } else { Err(SolveError::Snapshot) }
    }
}
