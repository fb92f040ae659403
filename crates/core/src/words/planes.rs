//! Distances in planes of bits: plane `k` of a word holds bit `k` of the distance of each of its 64 states.
//!
//! All states of a word that settle at one level get their distance together. For each bit that is set in the
//! level, the set is added to one of eight neighbouring numbers in memory. So this writes to one cache line.
//! The compiler turns the loop into wide instructions.

use crate::memory::Pages;

/// A word of a shard, and a set of its states.
pub(crate) type LogEntry = (u16, u64);

/// The lowest eight planes of a word.
type Low = [u64; 8];

/// The distances of some words: a byte for each state, and one more bit each time the longest distance
/// doubles beyond 255.
pub(crate) struct Planes {
    /// The lowest eight planes of each word, one [`Low`] after the other.
    pub(super) low: Pages<u64>,
    /// The planes of the higher bits, least first.
    pub(super) high: Vec<Pages<u64>>,
}

/// A level, and for each plane all ones if its bit is set.
pub(crate) struct LevelBits {
    level: u32,
    low: Low,
}

impl LevelBits {
    pub(crate) fn of(level: u32) -> LevelBits {
        let ones = |bit: usize| u64::from(level >> bit & 1).wrapping_neg();
        LevelBits { level, low: std::array::from_fn(ones) }
    }
}

impl Planes {
    /// Distances of 0 for `words` words.
    pub(crate) fn new(words: usize) -> Planes {
        let low = Pages::zeroed(words * size_of::<Low>() / size_of::<u64>());
        Planes { low, high: Vec::new() }
    }

    fn low(&self) -> &[Low] {
        self.low.as_chunks().0
    }

    /// How many planes of higher bits `level` needs.
    pub(crate) fn high_for(level: u32) -> usize {
        ((u32::BITS - level.leading_zeros()) as usize).saturating_sub(8)
    }

    /// Adds the planes that `level` needs. Zeros are right for every shorter distance.
    pub(crate) fn grow_for(&mut self, level: u32) {
        while self.high.len() < Planes::high_for(level) {
            self.high.push(Pages::zeroed(self.low().len()));
        }
    }

    /// How many bytes planes take for `words` words and distances up to `level`.
    pub(crate) fn bytes(words: u64, level: u32) -> u64 {
        words * 8 * (8 + Planes::high_for(level) as u64)
    }

    /// Sets the distance of sets of states that have none yet. Each word is in a cache line that may be far
    /// away. Because the loop does nothing else, the processor loads many such lines at a time.
    #[inline(always)]
    pub(crate) fn set(
        &mut self,
        &LevelBits { level, low: ones }: &LevelBits,
        sets: impl Iterator<Item = LogEntry> + Clone,
    ) {
        let low: &mut [Low] = self.low.as_mut().as_chunks_mut().0;
        for (word, states) in sets.clone() {
            low[usize::from(word)]
                .iter_mut()
                .zip(&ones)
                .for_each(|(plane, ones)| *plane |= states & ones);
        }
        for (bit, plane) in (8..).zip(&mut self.high) {
            if level >> bit & 1 != 0 {
                let plane = plane.as_mut();
                sets.clone().for_each(|(word, states)| plane[usize::from(word)] |= states);
            }
        }
    }

    /// The distance of a state.
    pub(crate) fn get(&self, at: usize) -> u32 {
        let (word, bit) = (at / 64, at % 64);
        let planes = self.low()[word].iter().chain(self.high.iter().map(|plane| &plane[word]));
        (0..)
            .zip(planes)
            .fold(0, |distance, (i, plane)| distance | ((plane >> bit & 1) as u32) << i)
    }

    /// The [`codes`] of a word.
    pub(crate) fn codes_of_word(&self, word: usize, settled: u64, odd: u64) -> Option<[u16; 64]> {
        codes(settled, odd, &self.low()[word], self.high.iter().map(|plane| plane[word]))
    }

    /// The longest distance among some states of a word, and the states that have it. There must be at least
    /// one state.
    pub(crate) fn longest(&self, word: usize, mut states: u64) -> (u32, u64) {
        let mut longest = 0;
        let high = self.high.iter().map(|plane| plane[word]).rev();
        for plane in high.chain(self.low()[word].iter().rev().copied()) {
            let longer = states & plane;
            longest = longest << 1 | u32::from(longer != 0);
            states = if longer != 0 { longer } else { states };
        }
        (longest, states)
    }
}

/// The [codes](crate::Code) of all states of a word. A state in `settled` has the code `2 + 2d`, and one more
/// if it is in `odd`. The codes have planes, too: `odd` is the lowest plane, and the planes of the distances
/// are above it. A carry that goes from plane to plane adds one to each distance. Returns `None` if the codes
/// might need more than sixteen planes.
pub(crate) fn codes(
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
    let mut codes = bytes_of(&planes[0]).map(u16::from);
    if planes[1] != [0; 8] {
        for (code, byte) in codes.iter_mut().zip(bytes_of(&planes[1])) {
            *code |= u16::from(byte) << 8;
        }
    }
    Some(codes)
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

/// Exchanges the rows and the columns of a square of eight by eight bits (Henry S. Warren, Hacker's Delight,
/// 7-3).
fn transpose(mut bits: u64) -> u64 {
    for (by, mask) in [(7, 0x00AA_00AA_00AA_00AA), (14, 0xCCCC_0000_CCCC), (28, 0xF0F0_F0F0)] {
        let differ = (bits ^ bits >> by) & mask;
        bits ^= differ ^ differ << by;
    }
    bits
}
