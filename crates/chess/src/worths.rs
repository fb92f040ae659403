//! The values of a smaller region, prepared for the classification of a larger one. For each word and each value,
//! there is a set of states: a move into these states has this value.
//!
//! Few values occur among 64 neighbouring states, and captures from ten words or more lead into each word. So the
//! code makes these sets once for each word. Neighbours in the larger region lead to neighbours in the smaller one.
//! So when the sets take too much memory, the code drops all of them, and makes the needed ones again.

use std::convert::Infallible;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use retrograde::{Probe, Value};

/// How many words to read at a time.
const CHUNK: usize = 1 << 6;

/// The values of moves into the states of a region. It reads a value only on request.
pub(crate) struct Worths {
    /// Empty until the first request, because a plan sets up thousands of games and never requests their exits.
    chunks: OnceLock<Box<[OnceLock<Chunk>]>>,
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
    pub(crate) fn of<P: Probe<Error = Infallible>>(
        &self,
        solution: &P,
        word: u64,
    ) -> &[(u64, Value)] {
        let (chunk, at) = (word as usize / CHUNK, word as usize % CHUNK);
        let chunks = self.chunks.get_or_init(|| (0..self.count).map(|_| OnceLock::new()).collect());
        let Chunk { ends, told } = chunks[chunk].get_or_init(|| {
            let read = Chunk::read(solution, chunk);
            self.bytes.fetch_add(size_of_val(&*read.told) + size_of_val(&*read.ends), Relaxed);
            read
        });
        let begin = at.checked_sub(1).map_or(0, |before| ends[before]);
        &told[begin as usize..ends[at] as usize]
    }
}

impl Chunk {
    #[cold]
    fn read<P: Probe<Error = Infallible>>(solution: &P, chunk: usize) -> Chunk {
        let first = (chunk * CHUNK * 64) as u64;
        let mut values = vec![None; (CHUNK * 64).min((solution.states() - first) as usize)];
        let Ok(()) = solution.fill(first, &mut values);
        let (mut ends, mut told) = (Vec::with_capacity(CHUNK), Vec::new());
        for values in values.chunks(64) {
            let mut left = (0..)
                .zip(values)
                .fold(0, |set, (bit, value)| set | u64::from(value.is_some()) << bit);
            while left != 0 {
                let value = values[left.trailing_zeros() as usize];
                let same = (0..)
                    .zip(values)
                    .fold(0, |set, (bit, other)| set | u64::from(*other == value) << bit);
                told.extend(value.map(|value| (same, value.after_move(false))));
                left &= !same;
            }
            ends.push(told.len() as u32);
        }
        told.shrink_to_fit();
        Chunk { ends, told }
    }
}
