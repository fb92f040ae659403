//! Distances in the order in which they are found.
//!
//! The planes of a word are a line of memory, and each time some of its states settle it lies far from the last one:
//! fetching such lines was up to a third of a solve (`benches/NOTES.md`). So what settles is written down instead, block by
//! block: the word and its states, one entry after the other, in the very memory that the planes of the block
//! will take. When that is full, or somebody asks for distances, the entries of a block become its planes, all
//! in the nearest caches.

use zerocopy::{FromBytes, IntoBytes};

use super::marks::TOP_WORD;

/// How many words share a journal at most. Parts hold whole blocks.
pub(super) const BLOCK_MAX: usize = TOP_WORD;

/// The lowest planes of a word, or room for six entries of a journal.
pub(super) type Low = [u64; 8];

/// How far the journal of a block is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Journal {
    entries: u32,
    /// The level of the last entry.
    level: u32,
    /// Whether there are planes in its place.
    closed: bool,
}

/// In place of a word: what follows settled at the level that stands in place of the states.
const LEVEL: u16 = u16::MAX;

impl Journal {
    /// A journal in whose place there are planes.
    pub(super) const CLOSED: Journal = Journal { entries: 0, level: 0, closed: true };

    /// Whether there are planes in its place.
    pub(super) fn is_closed(self) -> bool {
        self.closed
    }

    /// Notes what settled at `level` in some words of the block that begins at `first`. False if it is closed, or
    /// if there is no room.
    #[inline(always)]
    pub(super) fn note(
        &mut self,
        memory: &mut [Low],
        level: u32,
        first: usize,
        states: &[(usize, u64)],
    ) -> bool {
        let begun = self.entries > 0 && self.level == level;
        let (sets, words) = split_mut(memory);
        let (at, begin) = (self.entries as usize, usize::from(!begun));
        if self.closed || states.len() + begin > sets.len() - at {
            return false;
        }
        let end = at + begin + states.len();
        let (sets, words) = (&mut sets[at..end], &mut words[at..end]);
        if !begun {
            (sets[0], words[0]) = (u64::from(level), LEVEL);
        }
        let places = sets[begin..].iter_mut().zip(&mut words[begin..]);
        for ((set, place), &(word, states)) in places.zip(states) {
            (*set, *place) = (states, (word - first) as u16);
        }
        (self.entries, self.level) = (end as u32, level);
        true
    }

    /// What has been noted, in order: a level, a word of the block, and states of it.
    pub(super) fn entries(self, memory: &[Low]) -> impl Iterator<Item = (u32, usize, u64)> {
        let (sets, words) = split(memory);
        let mut level = 0;
        let entries = sets.iter().zip(words).take(self.entries as usize);
        entries.filter_map(move |(&set, &word)| {
            if word == LEVEL {
                level = set as u32;
                return None;
            }
            Some((level, usize::from(word), set))
        })
    }
}

/// Where in the memory of a block the sets are, and behind them the words they belong to. Both have as many
/// places, or the latter more.
fn split(memory: &[Low]) -> (&[u64], &[u16]) {
    let memory = memory.as_flattened();
    let (sets, words) = memory.split_at(memory.len() / 5 * 4);
    let words = <[u16]>::ref_from_bytes(words.as_bytes());
    (sets, words.unwrap_or_else(|_| unreachable!("halves of words are aligned")))
}

fn split_mut(memory: &mut [Low]) -> (&mut [u64], &mut [u16]) {
    let memory = memory.as_flattened_mut();
    let (sets, words) = memory.split_at_mut(memory.len() / 5 * 4);
    let words = <[u16]>::mut_from_bytes(words.as_mut_bytes());
    (sets, words.unwrap_or_else(|_| unreachable!("halves of words are aligned")))
}
