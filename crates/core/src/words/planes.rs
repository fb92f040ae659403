//! Distances in planes of bits: plane `k` of a word holds bit `k` of the distance of each of its 64 states.
//!
//! All states of a word that settle at one level get their distance at once, by an `or` into those of eight
//! neighbouring words whose bit is set in the level: one line of memory, and code that needs no
//! special instructions to run at full width.

use crate::bits::Ones;
use crate::pages::Pages;
use crate::snapshot::{Sink, Source};
use crate::solver::SolveError;

/// The distances of all states: a byte each, and a bit more for each doubling beyond.
pub(crate) struct Planes {
    /// For each word the planes of the lowest eight bits.
    low: Pages<[u64; 8]>,
    /// The planes of the higher bits, least first.
    high: Vec<Pages<u64>>,
}

impl Planes {
    /// Distances below 256 for so many words.
    pub(crate) fn new(words: usize) -> Planes {
        Planes { low: Pages::zeroed(words), high: Vec::new() }
    }

    /// How many planes `level` needs beyond those there are.
    pub(crate) fn missing_for(&self, level: u32) -> usize {
        let bits = (u32::BITS - level.leading_zeros()) as usize;
        bits.saturating_sub(8 + self.high.len())
    }

    /// What the planes take beyond those there were at first.
    pub(crate) fn high_bytes(&self) -> u64 {
        (self.high.len() * self.low.len() * 8) as u64
    }

    /// Adds the planes that `level` needs. Zeros are right for every shorter distance.
    pub(crate) fn grow_for(&mut self, level: u32) {
        for _ in 0..self.missing_for(level) {
            self.high.push(Pages::zeroed(self.low.len()));
        }
    }

    /// Writes all planes.
    pub(crate) fn write(&self, sink: &mut Sink<'_>) {
        sink.number(self.high.len() as u64);
        sink.numbers(self.low.as_flattened().iter().copied());
        self.high.iter().for_each(|plane| sink.numbers(plane.iter().copied()));
    }

    /// Reads what [`write`](Planes::write) wrote, where the longest distance is `level`.
    pub(crate) fn read(&mut self, level: u32, source: &mut Source<'_>) -> Result<(), SolveError> {
        self.grow_for(level);
        if source.number()? != self.high.len() as u64 {
            return Err(SolveError::Snapshot);
        }
        source.numbers(self.low.as_flattened_mut().iter_mut())?;
        self.high.iter_mut().try_for_each(|plane| source.numbers(plane.iter_mut()))
    }

    /// Cuts the planes into parts of `len` words, for setting distances to `level`.
    pub(crate) fn parts(&mut self, len: usize, level: u32) -> impl Iterator<Item = PlanesPart<'_>> {
        let set = move |bit: usize| level >> bit & 1 != 0;
        let ones = std::array::from_fn(|bit| u64::from(set(bit)).wrapping_neg());
        let mut high: Vec<_> = (8..)
            .zip(&mut self.high)
            .filter(|&(bit, _)| set(bit))
            .map(|(_, plane)| plane.chunks_mut(len))
            .collect();
        self.low.chunks_mut(len).map(move |low| PlanesPart {
            low,
            ones,
            high: high.iter_mut().map(|plane| plane.next().expect("as many words")).collect(),
        })
    }

    /// The distance of a state.
    pub(crate) fn get(&self, at: usize) -> u32 {
        let (word, bit) = (at / 64, at % 64);
        let planes = self.low[word].iter().chain(self.high.iter().map(|plane| &plane[word]));
        (0..)
            .zip(planes)
            .fold(0, |distance, (i, plane)| distance | ((plane >> bit & 1) as u32) << i)
    }

    /// The distances of all states of a word.
    pub(crate) fn of_word(&self, word: usize) -> [u32; 64] {
        let low = &self.low[word];
        let mut distances = [0; 64];
        for (eighth, eight) in distances.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let rows = low.map(|plane| plane.to_le_bytes()[eighth]);
            let columns = transpose(u64::from_le_bytes(rows)).to_le_bytes();
            *eight = columns.map(u32::from);
        }
        for (bit, plane) in (8..).zip(&self.high) {
            for state in Ones(plane[word]) {
                distances[state as usize] |= 1 << bit;
            }
        }
        distances
    }

    /// The longest distance that some states of a word have, one at least, and those that have it.
    pub(crate) fn longest(&self, word: usize, mut states: u64) -> (u32, u64) {
        let mut longest = 0;
        let high = self.high.iter().map(|plane| plane[word]).rev();
        for plane in high.chain(self.low[word].iter().rev().copied()) {
            let longer = states & plane;
            longest = longest << 1 | u32::from(longer != 0);
            states = if longer != 0 { longer } else { states };
        }
        (longest, states)
    }
}

/// Exchanges the rows and the columns of eight times eight bits (Henry S. Warren, Hacker's Delight, 7-3).
fn transpose(mut bits: u64) -> u64 {
    for (by, mask) in [(7, 0x00AA_00AA_00AA_00AA), (14, 0xCCCC_0000_CCCC), (28, 0xF0F0_F0F0)] {
        let differ = (bits ^ bits >> by) & mask;
        bits ^= differ ^ differ << by;
    }
    bits
}

/// The planes of a run of words, and the level to set distances to.
pub(crate) struct PlanesPart<'a> {
    low: &'a mut [[u64; 8]],
    /// For each of the lowest bits all ones if the level has it.
    ones: [u64; 8],
    /// The planes of the higher bits that the level has.
    high: Vec<&'a mut [u64]>,
}

impl PlanesPart<'_> {
    /// Sets the distances of some words' states, which must have none yet. The words are counted from `first` before
    /// the part. Each takes a line of memory that is most often far away; a loop that does nothing else
    /// has many of them on their way at a time.
    #[inline(never)]
    pub(crate) fn set(&mut self, first: usize, states: &[(usize, u64)]) {
        for &(word, states) in states {
            for (plane, ones) in self.low[word - first].iter_mut().zip(&self.ones) {
                *plane |= states & *ones;
            }
        }
        for plane in &mut self.high {
            for &(word, states) in states {
                plane[word - first] |= states;
            }
        }
    }
}
