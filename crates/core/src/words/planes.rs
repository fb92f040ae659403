//! Distances in planes of bits: plane `k` of a word holds bit `k` of the distance of each of its 64 states.
//!
//! All states of a word that settle at one level get their distance at once, by an `or` into those of eight
//! neighbouring words whose bit is set in the level: one line of memory, and code that needs no
//! special instructions to run at full width.

/// The distances of all states: a byte each, and a bit more for each doubling beyond.
#[derive(Clone, Debug)]
pub(crate) struct Planes {
    /// For each word the planes of the lowest eight bits.
    low: Vec<[u64; 8]>,
    /// The planes of the higher bits, least first.
    high: Vec<Vec<u64>>,
}

impl Planes {
    /// Distances below 256 for so many words.
    pub(crate) fn new(words: usize) -> Planes {
        // Zeros from the system would be read before they are written, and so cost two faults a page.
        let mut low = Vec::with_capacity(words);
        low.resize(words, [0; 8]);
        Planes { low, high: Vec::new() }
    }

    /// How many planes `level` needs beyond those there are.
    pub(crate) fn missing_for(&self, level: u32) -> usize {
        let bits = (u32::BITS - level.leading_zeros()) as usize;
        bits.saturating_sub(8 + self.high.len())
    }

    /// Adds the planes that `level` needs. Zeros are right for every shorter distance.
    pub(crate) fn grow_for(&mut self, level: u32) {
        for _ in 0..self.missing_for(level) {
            self.high.push(vec![0; self.low.len()]);
        }
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
