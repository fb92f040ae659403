//! The values of a smaller region, prepared for the classification of a larger one. For each word and each value,
//! there is a set of states: a move into these states has this value.
//!
//! Few values occur among 64 neighbouring states, and captures from ten words or more lead into each word. So the
//! code makes these sets once for each word. Neighbours in the larger region lead to neighbours in the smaller one.
//! So when the sets take too much memory, the code drops all of them, and makes the needed ones again.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use retrograde::{Code, Probe, Value};
use retrograde_regions::SolvedRegion;

/// How many words to read at a time.
const CHUNK: usize = 1 << 6;

/// The values of moves into the states of a region. It reads a value only on request.
pub(crate) struct Worths {
    /// Empty until the first request, because a plan sets up thousands of games and never requests their exits.
    chunks: OnceLock<Box<[OnceLock<Box<Chunk>>]>>,
    /// How many chunks there are.
    count: u64,
    /// How many bytes the chunks in memory take.
    bytes: AtomicUsize,
}

/// The values of moves into the states of neighbouring words.
struct Chunk {
    /// For each word, how many entries of `told` there are up to its end.
    ends: Vec<u32>,
    told: Vec<(u64, Value)>,
}

impl Worths {
    /// The values of a region with `states` states. It reads nothing yet.
    pub(crate) fn new(states: u64) -> Worths {
        let count = states.div_ceil(64 * CHUNK as u64);
        Worths { chunks: OnceLock::new(), count, bytes: 0.into() }
    }

    /// How many bytes the values in memory take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// The values of moves into the states of a word, each with its set of states. Invalid states are in no set.
    #[inline]
    pub(crate) fn of(&self, solution: &SolvedRegion<'_>, word: u64) -> &[(u64, Value)] {
        let (chunk, at) = (word as usize / CHUNK, word as usize % CHUNK);
        let chunks = self.chunks.get_or_init(|| (0..self.count).map(|_| OnceLock::new()).collect());
        let Chunk { ends, told } = &**chunks[chunk].get_or_init(|| {
            let read = Chunk::read(solution, chunk);
            self.bytes.fetch_add(size_of_val(&*read.told) + size_of_val(&*read.ends), Relaxed);
            Box::new(read)
        });
        let begin = at.checked_sub(1).map_or(0, |before| ends[before]);
        &told[begin as usize..ends[at] as usize]
    }
}

impl Chunk {
    #[cold]
    fn read(solution: &SolvedRegion<'_>, chunk: usize) -> Chunk {
        let first = (chunk * CHUNK * 64) as u64;
        let states = (CHUNK * 64).min((solution.states() - first) as usize);
        let mut words = vec![[Code::INVALID; 64]; states.div_ceil(64)];
        let Ok(()) = solution.fill_codes(first, &mut words.as_flattened_mut()[..states]);
        let (mut ends, mut told) = (Vec::with_capacity(CHUNK), Vec::new());
        for (word, codes) in words.iter().enumerate() {
            let mut left = !states_with(codes, Code::INVALID);
            while left != 0 {
                let at = left.trailing_zeros() as usize;
                let code = codes[at];
                let (same, value) = if code.is_far() {
                    let Ok(value) = solution.probe(first + (word * 64 + at) as u64);
                    (1 << at, value)
                } else {
                    (states_with(codes, code), code.value())
                };
                told.extend(value.map(|value| (same, value.after_move(false))));
                left &= !same;
            }
            ends.push(told.len() as u32);
        }
        told.shrink_to_fit();
        Chunk { ends, told }
    }
}

/// The states of a word that have this code.
fn states_with(codes: &[Code; 64], code: Code) -> u64 {
    // A byte for each state, which the compiler computes for many states at once.
    let mut equal = [0_u8; 64];
    for (equal, found) in equal.iter_mut().zip(codes) {
        *equal = u8::from(*found == code);
    }
    let bytes = equal.chunks_exact(8).map(|eight| {
        // Brings the lowest bit of each byte into the top byte.
        let eight = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        eight.wrapping_mul(0x0102_0408_1020_4080) >> 56
    });
    bytes.rev().fold(0, |set, byte| set << 8 | byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_by_their_code() {
        let mut number = 1u64;
        let codes: [Code; 64] = std::array::from_fn(|_| {
            number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number >> 29;
            Code::from_bits((number >> 60) as u16)
        });
        for code in (0..17).map(Code::from_bits) {
            let expected = (0..64).filter(|&at| codes[at] == code).fold(0, |set, at| set | 1 << at);
            assert_eq!(states_with(&codes, code), expected);
        }
        assert!(codes.iter().any(|code| *code != codes[0]));
    }
}
