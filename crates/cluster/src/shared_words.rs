//! The bit-parallel engine on several processes: each process has blocks of words, and copies of the words of others that
//! its checks read.
//!
//! ```text
//! before the first level: each process tells the others which of their words it reads
//! for each level:
//!     settle it in all own words
//!     a superstep: send the words that have changed to the processes that read them, and add up the settled states of
//!     all processes
//! ```

use std::ops::Range;

use retrograde::bit_parallel::{Settled, WordExchange};
use retrograde::parts::Sums;
use retrograde::{Outcome, SolveError};

use crate::block_partition::BlockPartition;
use crate::level_sums::{LevelSums, Piggyback};
use crate::transport::{Supersteps, Transport, outside};

/// How the words of a process reach the processes that read them.
pub struct SharedWords<P, A = ()> {
    supersteps: Supersteps<P>,
    block_partition: BlockPartition,
    /// For each process, the words of this process that it reads, in ascending order.
    read_by: Vec<Vec<Range<u64>>>,
    sums: LevelSums<A>,
    /// How many bytes of settled states this process has sent.
    sent_bytes: u64,
}

/// About how many bytes a message has.
const MESSAGE_BYTES: usize = 1 << 16;
/// The bytes of a word in a message: its number times four plus a number for the outcome, and the set of states.
const NUMBER: usize = 6;
const ENTRY: usize = NUMBER + 8;
/// The outcomes, by number.
const OUTCOMES: [Option<Outcome>; 4] =
    [None, Some(Outcome::Win), Some(Outcome::Loss), Some(Outcome::Draw)];

impl<P: Transport, A: Piggyback> SharedWords<P, A> {
    /// The way from this process to the others.
    pub fn new(block_partition: BlockPartition, supersteps: Supersteps<P>, piggyback: A) -> Self {
        let read_by = vec![Vec::new(); supersteps.processes()];
        let sums = LevelSums::new(piggyback);
        SharedWords { supersteps, block_partition, read_by, sums, sent_bytes: 0 }
    }

    /// The supersteps, for use after the solve.
    pub fn supersteps(&mut self) -> &mut Supersteps<P> {
        &mut self.supersteps
    }

    /// How many bytes of settled states this process has sent.
    pub fn sent_bytes(&self) -> u64 {
        self.sent_bytes
    }

    /// See [`Shard::evenness`](crate::Shard::evenness).
    pub fn evenness(&self) -> f64 {
        self.sums.evenness()
    }
}

impl<P: Transport, A: Piggyback> WordExchange for SharedWords<P, A> {
    fn subscribe(&mut self, ghosts: &[Range<u64>]) -> Result<Vec<Range<u64>>, SolveError> {
        let own = self.supersteps.index();
        let mut read = vec![vec![own as u64]; self.supersteps.processes()];
        let states = self.block_partition.states();
        let ghosts = ghosts.iter().map(|words| words.start * 64..states.min(words.end * 64));
        for (process, run) in ghosts.flat_map(|states| self.block_partition.runs(states)) {
            read[process].extend([run.start / 64, run.end.div_ceil(64)]);
        }
        for (process, numbers) in read.into_iter().enumerate().filter(|(to, _)| *to != own) {
            let message = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
            self.supersteps.send(process, message);
        }
        let (mut read_by, mut torn) = (std::mem::take(&mut self.read_by), false);
        self.supersteps.end(&[], |message| {
            let numbers: Vec<_> =
                message.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)).collect();
            let mut read = || {
                let (process, ranges) = numbers.split_first()?;
                let words = ranges.as_chunks().0.iter().map(|&[start, end]| start..end);
                *read_by.get_mut(usize::try_from(*process).ok()?)? = words.collect();
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
                "a process asks for words in a message that makes no sense".to_owned(),
            ));
        }
        self.read_by = read_by;
        Ok(self.read_by.concat())
    }

    fn exchange(
        &mut self,
        settled: &[Settled],
        own: Sums,
    ) -> Result<(Vec<Settled>, Sums), SolveError> {
        let SharedWords { supersteps, read_by, sent_bytes, sums, .. } = self;
        for (process, read) in read_by.iter().enumerate().filter(|(_, read)| !read.is_empty()) {
            let mut message = Vec::new();
            let mut send = |message: &mut Vec<u8>| {
                *sent_bytes += message.len() as u64;
                supersteps.send(process, std::mem::take(message));
            };
            for &Settled { word, states, outcome } in settled {
                let at = read.partition_point(|words| words.end <= word);
                if read.get(at).is_none_or(|words| word < words.start) {
                    continue;
                }
                let outcome = OUTCOMES.iter().position(|each| *each == outcome).unwrap_or_default();
                let number = (word << 2 | outcome as u64).to_le_bytes();
                message.extend_from_slice(&number[..NUMBER]);
                message.extend_from_slice(&states.to_le_bytes());
                if message.len() >= MESSAGE_BYTES {
                    send(&mut message);
                }
            }
            if !message.is_empty() {
                send(&mut message);
            }
        }
        let (mut come, mut torn) = (Vec::new(), false);
        let sums = sums.add_up(supersteps, own, |message| {
            let (entries, rest) = message.as_chunks::<ENTRY>();
            torn |= !rest.is_empty();
            come.extend(entries.iter().map(|entry| {
                let (mut number, mut states) = ([0; 8], [0; 8]);
                number[..NUMBER].copy_from_slice(&entry[..NUMBER]);
                states.copy_from_slice(&entry[NUMBER..]);
                let number = u64::from_le_bytes(number);
                let states = u64::from_le_bytes(states);
                Settled { word: number >> 2, states, outcome: OUTCOMES[number as usize & 3] }
            }));
        })?;
        match torn {
            true => Err(outside("a message of settled states makes no sense".to_owned())),
            false => Ok((come, sums)),
        }
    }
}
