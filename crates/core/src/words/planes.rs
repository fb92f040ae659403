//! Distances in planes of bits: plane `k` of a word holds bit `k` of the distance of each of its 64 states.
//!
//! All states of a word that settle at one level get their distance at once, by an `or` into those of eight
//! neighbouring words whose bit is set in the level: one line of memory, and code that needs no
//! special instructions to run at full width.

/// The distances of all states; a byte each, and one more for each factor of 256.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planes {
    /// For each byte of the distance, least first, and each word its eight planes.
    bytes: Vec<Vec<[u64; 8]>>,
}

impl Planes {
    /// How many bytes a distance takes.
    pub(crate) fn bytes_for(level: u32) -> usize {
        (u32::BITS - level.leading_zeros()).div_ceil(8).max(1) as usize
    }

    /// How many bytes of each distance are kept.
    pub(crate) fn bytes_kept(&self) -> usize {
        self.bytes.len()
    }

    /// Keeps as many bytes of the distances of so many words as `level` needs.
    pub(crate) fn grow_for(&mut self, level: u32, words: usize) {
        while self.bytes.len() < Planes::bytes_for(level) {
            self.bytes.push(vec![[0; 8]; words]);
        }
    }

    /// Cuts the planes into parts of `len` words, for setting distances to `level`.
    pub(crate) fn parts(&mut self, len: usize, level: u32) -> impl Iterator<Item = PlanesPart<'_>> {
        let mut chunks: Vec<_> = self.bytes.iter_mut().map(|bytes| bytes.chunks_mut(len)).collect();
        std::iter::from_fn(move || {
            let bytes = chunks.iter_mut().enumerate().filter_map(|(k, chunks)| {
                let ones = level >> (8 * k);
                let ones = std::array::from_fn(|bit| u64::from(ones >> bit & 1).wrapping_neg());
                Some((chunks.next()?, ones))
            });
            Some(PlanesPart { bytes: bytes.collect() })
        })
    }

    /// The distance of a state.
    pub(crate) fn get(&self, at: usize) -> u32 {
        let (word, bit) = (at / 64, at % 64);
        let bytes = self.bytes.iter().rev();
        bytes
            .flat_map(|planes| planes[word].iter().rev())
            .fold(0, |distance, plane| distance << 1 | (plane >> bit & 1) as u32)
    }
}

/// The planes of a run of words, and the level to set distances to.
pub(crate) struct PlanesPart<'a> {
    /// For each byte its planes, and for each of its bits all ones if it is set.
    bytes: Vec<(&'a mut [[u64; 8]], [u64; 8])>,
}

impl PlanesPart<'_> {
    /// Sets the distance of some states of a word, which must have none yet.
    #[inline(always)]
    pub(crate) fn set(&mut self, word: usize, states: u64) {
        for (planes, ones) in &mut self.bytes {
            for (plane, ones) in planes[word].iter_mut().zip(ones) {
                *plane |= states & *ones;
            }
        }
    }
}
