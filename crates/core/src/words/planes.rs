//! Distances in planes of bits: plane `k` of a word holds bit `k` of the distance of each of its 64 states.
//!
//! All states of a word that settle at one level get their distance at once, by an `or` into those of eight
//! neighbouring words whose bit is set in the level: one line of memory, and code that needs no
//! special instructions to run at full width.

use std::io::{self, Read, Write};
use std::sync::Mutex;

use super::journal::{BLOCK_MAX, Journal, Low};
use crate::memory::bits::Ones;
use crate::memory::pages::Pages;
use crate::solve::snapshot::{read_array, read_numbers, write_numbers};
use crate::solve::solver::SolveError;

/// The distances of all states: a byte each, and a bit more for each doubling beyond.
pub(crate) struct Planes {
    /// For each word the planes of the lowest eight bits, or else the journal of its block.
    low: Pages<Low>,
    /// The planes of the higher bits, least first. Those of a block are zero while it has a journal.
    high: Vec<Pages<u64>>,
    /// For each block.
    journals: Vec<Journal>,
    /// How many words a block has.
    block: usize,
}

impl Planes {
    /// Distances below 256 for so many words, so many of them to a journal.
    pub(crate) fn new(words: usize, block: usize) -> Planes {
        assert!(block.is_power_of_two() && block <= BLOCK_MAX, "{block} words to a journal");
        let journals = vec![Journal::default(); words.div_ceil(block)];
        Planes { low: Pages::zeroed(words), high: Vec::new(), journals, block }
    }

    /// How many planes of higher bits `level` needs.
    pub(crate) fn high_for(level: u32) -> usize {
        ((u32::BITS - level.leading_zeros()) as usize).saturating_sub(8)
    }

    /// Adds the planes that `level` needs. Zeros are right for every shorter distance.
    pub(crate) fn grow_for(&mut self, level: u32) {
        while self.high.len() < Planes::high_for(level) {
            self.high.push(Pages::zeroed(self.low.len()));
        }
    }

    /// Writes all planes.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, [self.high.len() as u64])?;
        for (low, &journal) in self.low.chunks(self.block).zip(&self.journals) {
            if journal.is_closed() {
                write_numbers(to, low.as_flattened().iter().copied())?;
            } else {
                let planes = low_planes(journal, low);
                write_numbers(to, planes[..low.len()].as_flattened().iter().copied())?;
            }
        }
        for (bit, plane) in (8..).zip(&self.high) {
            let blocks =
                self.low.chunks(self.block).zip(&self.journals).zip(plane.chunks(self.block));
            for ((low, &journal), high) in blocks {
                if journal.is_closed() {
                    write_numbers(to, high.iter().copied())?;
                } else {
                    let mut plane = [0; BLOCK_MAX];
                    for (level, word, states) in journal.entries(low) {
                        plane[word] |= if level >> bit & 1 != 0 { states } else { 0 };
                    }
                    write_numbers(to, plane[..low.len()].iter().copied())?;
                }
            }
        }
        Ok(())
    }

    /// Reads what [`write`](Planes::write) wrote, where the longest distance is `level`.
    pub(crate) fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        self.grow_for(level);
        if read_array(from)? != [self.high.len() as u64] {
            return Err(SolveError::Snapshot);
        }
        self.journals.fill(Journal::CLOSED);
        read_numbers(from, self.low.as_flattened_mut())?;
        self.high.iter_mut().try_for_each(|plane| read_numbers(from, plane))
    }

    /// Cuts the planes into parts of `len` words, whole blocks, for setting distances to `level`.
    pub(crate) fn parts(&mut self, len: usize, level: u32) -> impl Iterator<Item = PlanesPart<'_>> {
        let mut high: Vec<_> =
            (8..).zip(&mut self.high).map(|(bit, plane)| (bit, plane.chunks_mut(len))).collect();
        let block = self.block;
        let journals = self.journals.chunks_mut(len.div_ceil(block));
        self.low.chunks_mut(len).zip(journals).map(move |(low, journals)| PlanesPart {
            low,
            high: high
                .iter_mut()
                .map(|(bit, plane)| (*bit, plane.next().expect("as many words")))
                .collect(),
            journals,
            block,
            level,
        })
    }

    /// How many journals there may be.
    pub(crate) fn blocks(&self) -> usize {
        self.journals.len()
    }

    /// Whether all is planes, and no journal left.
    pub(crate) fn is_plain(&self) -> bool {
        self.journals.iter().all(|journal| journal.is_closed())
    }

    /// Makes planes of all journals, on threads of its own: whoever asks for distances may be one of a pool's, and
    /// would be given other work of that pool to do, which asks for distances.
    pub(crate) fn make_plain(&mut self) {
        let parts = Mutex::new(self.parts(self.block, 0));
        let work = || {
            while let Some(mut part) = { parts.lock().ok().and_then(|mut parts| parts.next()) } {
                part.close(0);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..rayon::current_num_threads() {
                scope.spawn(work);
            }
            work();
        });
    }

    /// The distance of a state.
    pub(crate) fn get(&self, at: usize) -> u32 {
        let (word, bit) = (at / 64, at % 64);
        let (block, words) = (word / self.block, self.block);
        if !self.journals[block].is_closed() {
            let memory = &self.low[block * words..self.low.len().min((block + 1) * words)];
            let mut entries = self.journals[block].entries(memory);
            let own =
                |&(_, at, states): &(_, usize, u64)| at == word % words && states >> bit & 1 != 0;
            return entries.find(own).map_or(0, |(level, _, _)| level);
        }
        let planes = self.low[word].iter().chain(self.high.iter().map(|plane| &plane[word]));
        (0..)
            .zip(planes)
            .fold(0, |distance, (i, plane)| distance | ((plane >> bit & 1) as u32) << i)
    }

    /// The distances of all states of a word, where all is planes.
    pub(crate) fn of_word(&self, word: usize) -> [u32; 64] {
        let mut distances = bytes_of(&self.low[word]).map(u32::from);
        for (bit, plane) in (8..).zip(&self.high) {
            for state in Ones(plane[word]) {
                distances[state as usize] |= 1 << bit;
            }
        }
        distances
    }

    /// The [`shorts`] of a word, where all is planes.
    pub(crate) fn shorts_of_word(&self, word: usize, settled: u64, odd: u64) -> Option<[u16; 64]> {
        shorts(settled, odd, &self.low[word], self.high.iter().map(|plane| plane[word]))
    }

    /// The longest distance that some states of a word have, one at least, and those that have it, where all is
    /// planes.
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

/// The shorts of a word, all at once: `2 + 2d` of the `settled` states, and one more of those in `odd`. They have planes as
/// well: `odd` is the lowest, and above it are those of the distances, to which one is added by a carry that goes from plane
/// to plane. `None` where they might be more than sixteen.
pub(crate) fn shorts(
    settled: u64,
    odd: u64,
    low: &Low,
    high: impl ExactSizeIterator<Item = u64>,
) -> Option<[u16; 64]> {
    let mut planes = [[0; 8]; 2];
    let [first, sums @ ..] = planes.as_flattened_mut() else { return None };
    let (low_sums, high_sums) = sums.split_at_mut(8);
    let (high_sums, beyond) = high_sums.split_at_mut_checked(high.len())?;
    *first = odd;
    let mut carry = settled;
    let mut add = |(sum, plane): (&mut u64, u64)| {
        *sum = plane ^ carry;
        carry &= plane;
    };
    low_sums.iter_mut().zip(low.iter().copied()).for_each(&mut add);
    high_sums.iter_mut().zip(high).for_each(&mut add);
    add((beyond.first_mut()?, 0));
    let mut shorts = bytes_of(&planes[0]).map(u16::from);
    if planes[1] != [0; 8] {
        for (short, byte) in shorts.iter_mut().zip(bytes_of(&planes[1])) {
            *short |= u16::from(byte) << 8;
        }
    }
    Some(shorts)
}

/// The bytes whose bits are in eight planes.
fn bytes_of(planes: &Low) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (eighth, eight) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let rows = planes.map(|plane| plane.to_le_bytes()[eighth]);
        *eight = transpose(u64::from_le_bytes(rows)).to_le_bytes();
    }
    bytes
}

/// Exchanges the rows and the columns of eight times eight bits (Henry S. Warren, Hacker's Delight, 7-3).
fn transpose(mut bits: u64) -> u64 {
    for (by, mask) in [(7, 0x00AA_00AA_00AA_00AA), (14, 0xCCCC_0000_CCCC), (28, 0xF0F0_F0F0)] {
        let differ = (bits ^ bits >> by) & mask;
        bits ^= differ ^ differ << by;
    }
    bits
}

/// The lowest planes of a block that has a journal.
fn low_planes(journal: Journal, memory: &[Low]) -> [Low; BLOCK_MAX] {
    let mut planes = [[0; 8]; BLOCK_MAX];
    let (mut last, mut ones) = (0, [0; 8]);
    for (level, word, states) in journal.entries(memory) {
        if level != last {
            (last, ones) = (level, ones_of(level));
        }
        set_word(&mut planes[word], &ones, states);
    }
    planes
}

/// For each of the lowest bits all ones if the level has it.
fn ones_of(level: u32) -> Low {
    std::array::from_fn(|bit| u64::from(level >> bit & 1).wrapping_neg())
}

#[inline(always)]
fn set_word(planes: &mut Low, ones: &Low, states: u64) {
    for (plane, ones) in planes.iter_mut().zip(ones) {
        *plane |= states & *ones;
    }
}

/// The planes of some blocks, and the level to set distances to.
pub(crate) struct PlanesPart<'a> {
    low: &'a mut [Low],
    /// The planes of the higher bits, each with its bit.
    high: Vec<(u32, &'a mut [u64])>,
    journals: &'a mut [Journal],
    /// How many words a block has.
    block: usize,
    level: u32,
}

impl PlanesPart<'_> {
    /// Sets the distances of some words' states, which must have none yet. The words are counted from `first` before
    /// the part.
    pub(crate) fn set(&mut self, first: usize, states: &[(usize, u64)]) {
        let (words, shift) = (self.block, self.block.trailing_zeros());
        let block_of = |&(word, _): &(usize, u64)| (word - first) >> shift;
        for run in states.chunk_by(|a, b| block_of(a) == block_of(b)) {
            let block = block_of(&run[0]);
            let end = self.low.len().min((block + 1) * words);
            let memory = &mut self.low[block * words..end];
            if !self.journals[block].note(memory, self.level, first + block * words, run) {
                self.close(block);
                self.set_planes(first, run);
            }
        }
    }

    /// Sets distances in planes. Each word takes a line of memory that is most often far away; a loop that does nothing
    /// else has many of them on their way at a time.
    #[inline(never)]
    fn set_planes(&mut self, first: usize, states: &[(usize, u64)]) {
        let ones = ones_of(self.level);
        for &(word, states) in states {
            set_word(&mut self.low[word - first], &ones, states);
        }
        for (bit, plane) in &mut self.high {
            if self.level >> *bit & 1 != 0 {
                for &(word, states) in states {
                    plane[word - first] |= states;
                }
            }
        }
    }

    /// Makes planes of the journal of a block, if it has one.
    #[inline(never)]
    fn close(&mut self, block: usize) {
        let journal = std::mem::replace(&mut self.journals[block], Journal::CLOSED);
        if journal.is_closed() {
            return;
        }
        let words = block * self.block..self.low.len().min((block + 1) * self.block);
        let low = &mut self.low[words.clone()];
        for (bit, plane) in &mut self.high {
            let plane = &mut plane[words.clone()];
            for (level, word, states) in journal.entries(low) {
                plane[word] |= if level >> *bit & 1 != 0 { states } else { 0 };
            }
        }
        let planes = low_planes(journal, low);
        low.copy_from_slice(&planes[..low.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances of some states, set level by level in some order of words; as they were set, and the planes.
    fn some(words: usize, levels: &[u32], each: usize) -> (Vec<u32>, Planes) {
        let mut planes = Planes::new(words, BLOCK_MAX);
        let mut distances = vec![0; words * 64];
        let mut x = 1u64;
        let mut random = || {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (x >> 33) as usize
        };
        let mut free = vec![!0u64; words];
        for &level in levels {
            planes.grow_for(level);
            let mut list = Vec::new();
            for _ in 0..each {
                let word = random() % words;
                let set = free[word]
                    & (random() << 31 ^ random()) as u64
                    & (random() << 31 ^ random()) as u64;
                free[word] &= !set;
                list.push((word, set));
                Ones(set).for_each(|bit| distances[word * 64 + bit as usize] = level);
            }
            // Words in order, and then some that are not, as exits and finals add them.
            list[each / 4..].sort_unstable();
            let len = 2 * BLOCK_MAX;
            for (i, mut part) in planes.parts(len, level).enumerate() {
                let inside = |&&(word, _): &&(usize, u64)| word / len == i;
                let mine: Vec<_> = list.iter().filter(inside).copied().collect();
                part.set(i * len, &mine);
            }
        }
        (distances, planes)
    }

    fn written(planes: &Planes) -> Vec<u8> {
        let mut bytes = Vec::new();
        planes.write(&mut bytes).expect("there is room");
        bytes
    }

    #[test]
    fn a_journal_says_what_planes_say() {
        let short: Vec<u32> = (1..40).collect();
        let long = [3, 255, 256, 257, 300, 65_536, 70_000, 1 << 20];
        let all = [
            (1, &short[..], 1),
            (9, &short, 3),
            (BLOCK_MAX, &long, 900),
            (2 * BLOCK_MAX + 7, &short, 900),
            (5 * BLOCK_MAX + 1, &long, 3_000),
            (BLOCK_MAX + 5, &short, 2_000),
        ];
        // Whoever interprets each step (Miri) would take hours for many words.
        for &(words, levels, each) in all.iter().filter(|(words, ..)| *words < 10 || !cfg!(miri)) {
            let (distances, mut planes) = some(words, levels, each);
            let before = written(&planes);
            let own = |planes: &Planes| {
                (0..words * 64).step_by(1 + words / 9).all(|at| planes.get(at) == distances[at])
            };
            assert!(own(&planes), "{words} words");
            planes.make_plain();
            assert!(planes.is_plain() && own(&planes), "{words} words");
            assert_eq!(written(&planes), before, "{words} words");
            for word in 0..words {
                let distances = &distances[word * 64..word * 64 + 64];
                assert_eq!(planes.of_word(word)[..], *distances, "{words} words");
                let odd = 0x9E37_79B9_7F4A_7C15u64.rotate_left(word as u32);
                let is_odd = |bit: usize| (odd >> bit & 1) as u32;
                let settled = (0..64).filter(|&bit| distances[bit] != 0);
                let settled = settled.fold(0, |set, bit| set | 1 << bit);
                let short =
                    |(bit, d): (usize, &u32)| if *d == 0 { 0 } else { 2 + 2 * d } + is_odd(bit);
                let expected = distances.iter().enumerate().map(short);
                if let Some(shorts) = planes.shorts_of_word(word, settled, odd) {
                    assert!(shorts.into_iter().map(u32::from).eq(expected), "{words} words");
                } else {
                    assert!(planes.high.len() > 6, "{words} words");
                }
            }
        }
    }
}
