//! The bit-parallel engine on several ranks: each rank has blocks of words, and copies of the words of others that
//! its checks read.
//!
//! ```text
//! before the first level: each rank tells the others which of their words it reads
//! for each level:
//!     settle it in all own words
//!     supersteps: send the words that have changed to the ranks that read them, and add up the settled states of all
//!     ranks
//! ```

use std::ops::Range;

use retrograde::bit_parallel::{Settled, WordExchange};
use retrograde::parts::Sums;
use retrograde::{Outcome, SolveError};

use crate::block_partition::BlockPartition;
use crate::keep::Keeper;
use crate::level_sums::LevelSums;
use crate::transport::{Supersteps, outside};

/// How the words of a rank reach the ranks that read them.
pub struct SharedWords<'t> {
    supersteps: Supersteps<'t>,
    block_partition: BlockPartition,
    /// For each rank, the words of this rank that it reads, in ascending order.
    read_by: Vec<Vec<Range<u64>>>,
    sums: LevelSums,
}

/// The bytes of a word in a buffer: its number times four plus a number for the outcome, and the set of states.
const NUMBER: usize = 6;
const ENTRY: usize = NUMBER + 8;
/// The outcomes, by number.
const OUTCOMES: [Option<Outcome>; 4] =
    [None, Some(Outcome::Win), Some(Outcome::Loss), Some(Outcome::Draw)];

impl<'t> SharedWords<'t> {
    /// The way from this rank to the others.
    pub fn new(
        block_partition: BlockPartition,
        supersteps: Supersteps<'t>,
        keeper: Option<Keeper>,
    ) -> Self {
        let read_by = vec![Vec::new(); supersteps.ranks()];
        let sums = LevelSums::new(keeper);
        SharedWords { supersteps, block_partition, read_by, sums }
    }

    /// The supersteps, for use after the solve.
    pub fn supersteps(&mut self) -> &mut Supersteps<'t> {
        &mut self.supersteps
    }

    /// How many bytes of settled states this rank has sent.
    pub fn sent_bytes(&self) -> u64 {
        self.supersteps.sent_bytes()
    }

    /// See [`Shard::evenness`](crate::Shard::evenness).
    pub fn evenness(&self) -> f64 {
        self.sums.evenness()
    }
}

impl WordExchange for SharedWords<'_> {
    fn subscribe(&mut self, ghosts: &[Range<u64>]) -> Result<Vec<Range<u64>>, SolveError> {
        let own = self.supersteps.rank();
        let mut read = vec![vec![own as u64]; self.supersteps.ranks()];
        let states = self.block_partition.states();
        let ghosts = ghosts.iter().map(|words| words.start * 64..states.min(words.end * 64));
        for (rank, run) in ghosts.flat_map(|states| self.block_partition.runs(states)) {
            read[rank].extend([run.start / 64, run.end.div_ceil(64)]);
        }
        for (rank, numbers) in read.into_iter().enumerate().filter(|(to, _)| *to != own) {
            self.supersteps.buffer(rank).extend(numbers.into_iter().flat_map(u64::to_le_bytes));
        }
        let (mut read_by, mut torn) = (std::mem::take(&mut self.read_by), false);
        self.supersteps.end(&[], |message| {
            let numbers: Vec<_> =
                message.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)).collect();
            let mut read = || {
                let (rank, ranges) = numbers.split_first()?;
                let words = ranges.as_chunks().0.iter().map(|&[start, end]| start..end);
                *read_by.get_mut(usize::try_from(*rank).ok()?)? = words.collect();
                Some(())
            };
            torn |= read().is_none();
        })?;
        let is_ascending = |words: &[Range<u64>]| {
            words.iter().all(|words| words.start < words.end)
                && words.is_sorted_by(|a, b| a.end <= b.start)
        };
        if torn || !read_by.iter().all(|words| is_ascending(words)) {
            return Err(outside(
                "a rank asks for words in a message that makes no sense".to_owned(),
            ));
        }
        self.read_by = read_by;
        Ok(self.read_by.concat())
    }

    fn exchange(
        &mut self,
        settled: &[Settled],
        own: Sums,
        take: &mut dyn FnMut(Vec<Settled>) -> Result<(), SolveError>,
    ) -> Result<Sums, SolveError> {
        let SharedWords { supersteps, read_by, sums, .. } = self;
        // For each rank, how many of the settled words it has got, or need not get.
        let mut told = vec![0; read_by.len()];
        let mut said = [&[0], &sums.said(own)[..]].concat();
        loop {
            for (rank, read) in read_by.iter().enumerate() {
                while supersteps.has_room(rank)
                    && let Some(&Settled { word, states, outcome }) = settled.get(told[rank])
                {
                    told[rank] += 1;
                    let at = read.partition_point(|words| words.end <= word);
                    if read.get(at).is_none_or(|words| word < words.start) {
                        continue;
                    }
                    let outcome =
                        OUTCOMES.iter().position(|each| *each == outcome).unwrap_or_default();
                    let number = (word << 2 | outcome as u64).to_le_bytes();
                    let buffer = supersteps.buffer(rank);
                    buffer.extend_from_slice(&number[..NUMBER]);
                    buffer.extend_from_slice(&states.to_le_bytes());
                }
            }
            said[0] = u8::from(told.iter().all(|&told| told == settled.len()));
            let (mut received, mut torn) = (Vec::new(), false);
            let all = supersteps.end(&said, |buffer| {
                let (entries, rest) = buffer.as_chunks::<ENTRY>();
                torn |= !rest.is_empty();
                received.extend(entries.iter().map(read_entry));
            })?;
            if torn {
                return Err(outside("a buffer of settled states makes no sense".to_owned()));
            }
            take(received)?;
            if all.iter().all(|done| done.first() == Some(&1)) {
                return sums.sum(all.iter().map(|said| said.get(1..).unwrap_or_default()));
            }
        }
    }
}

fn read_entry(entry: &[u8; ENTRY]) -> Settled {
    let (mut number, mut states) = ([0; 8], [0; 8]);
    number[..NUMBER].copy_from_slice(&entry[..NUMBER]);
    states.copy_from_slice(&entry[NUMBER..]);
    let number = u64::from_le_bytes(number);
    let states = u64::from_le_bytes(states);
    Settled { word: number >> 2, states, outcome: OUTCOMES[number as usize & 3] }
}
