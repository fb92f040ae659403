//! The solution of the bit-parallel engine: two bits a state, and distances in planes.

use std::ops::Range;
use std::sync::LazyLock;

use super::arrays::Arrays;
use super::distances::Distances;
use super::known::{Known, invalid, lost, open, won};
use super::planes::{self, Planes};
use crate::memory::pages::Pages;
use crate::rules::{Code, Outcome, Value};
use crate::solve::solution::{Counts, Kept, keep_longest};

/// The values of all states.
pub(crate) struct Sets {
    states: u64,
    known: Pages<Known>,
    distances: Option<Shards>,
}

/// Wins, losses and draws of some states.
#[derive(Clone, Copy)]
pub(super) struct Outcomes<'a> {
    pub(super) states: u64,
    /// Open states are draws.
    pub(super) known: &'a [Known],
}

/// The distances, in shards of `shard_words` words. The log of a shard becomes planes when a caller first asks for
/// a distance in it.
struct Shards {
    planes: Vec<LazyLock<Planes, Box<dyn FnOnce() -> Planes + Send>>>,
    shard_words: usize,
}

/// Where the distances of a word are: planes, and the number of the word in them.
pub(super) type At<'p> = Option<(&'p Planes, usize)>;

impl Shards {
    /// Where the distances of a word are.
    #[inline(always)]
    fn at(&self, word: usize) -> (&Planes, usize) {
        let shift = self.shard_words.trailing_zeros();
        (&self.planes[word >> shift], word & (self.shard_words - 1))
    }
}

impl Sets {
    pub(crate) fn new(states: u64, arrays: Arrays) -> Sets {
        let Arrays { known, distances, .. } = arrays;
        let words = known.len();
        let distances = distances.map(|Distances { shards, shard_words, .. }| {
            let planes = (0..).zip(shards).map(|(i, shard)| {
                let words = shard_words.min(words - i * shard_words);
                LazyLock::new(Box::new(move || shard.into_planes(words)) as _)
            });
            Shards { planes: planes.collect(), shard_words }
        });
        Sets { states, known, distances }
    }

    fn outcomes(&self) -> Outcomes<'_> {
        Outcomes { states: self.states, known: &self.known }
    }

    /// Where the distances of a word are, if they are kept.
    #[inline(always)]
    fn at(&self, word: usize) -> At<'_> {
        self.distances.as_ref().map(|distances| distances.at(word))
    }
}

impl Outcomes<'_> {
    fn counts_of_word(&self, word: usize, mask: u64) -> Counts {
        let known = self.known[word];
        let ones = |set: u64| u64::from((set & mask).count_ones());
        Counts {
            win: ones(won(known)),
            loss: ones(lost(known)),
            draw: ones(open(known)),
            invalid: ones(invalid(known)),
        }
    }

    /// The value of a state, given its distance if it has one.
    pub(super) fn value(&self, at: usize, distance: impl FnOnce() -> u32) -> Option<Value> {
        Some(match self.outcome(at)? {
            Outcome::Win => Value::Win(distance()),
            Outcome::Loss => Value::Loss(distance()),
            Outcome::Draw => Value::Draw,
        })
    }

    /// Win, loss or draw, or `None` for an invalid state.
    pub(super) fn outcome(&self, at: usize) -> Option<Outcome> {
        assert!((at as u64) < self.states, "state {at} is none of the {} states", self.states);
        match self.counts_of_word(at / 64, 1 << (at % 64)) {
            Counts { invalid: 1, .. } => None,
            Counts { win: 1, .. } => Some(Outcome::Win),
            Counts { loss: 1, .. } => Some(Outcome::Loss),
            _ => Some(Outcome::Draw),
        }
    }

    fn assert_inside(&self, at: usize, len: usize) {
        let inside = at.checked_add(len).is_some_and(|end| end as u64 <= self.states);
        assert!(
            inside,
            "{len} states from state {at} on are not all among the {} states",
            self.states
        );
    }

    pub(super) fn count(&self, range: Range<usize>) -> Counts {
        // Whole words in a loop without masks, and the parts of words before and after.
        let before = range.start..range.end.min(range.start.next_multiple_of(64));
        let after = before.end.max(range.end / 64 * 64)..range.end;
        let words = before.end / 64..after.start / 64;
        let (mut unwon, mut shut, mut loss) = (0, 0, 0);
        for known in &self.known[words.clone()] {
            unwon += known[0].count_ones() as usize;
            shut += known[1].count_ones() as usize;
            loss += lost(*known).count_ones() as usize;
        }
        let (draw, invalid) = (unwon - loss, shut - loss);
        let win = words.len() * 64 - loss - draw - invalid;
        let [win, loss, draw, invalid] = [win, loss, draw, invalid].map(|count| count as u64);
        let mut counts = Counts { win, loss, draw, invalid };
        for (word, mask) in masks(before).chain(masks(after)) {
            counts += self.counts_of_word(word, mask);
        }
        counts
    }

    /// Writes the codes of the states from `at` on. `at_word` says where the distances of a word are.
    pub(super) fn fill_codes<'p>(
        &self,
        at: usize,
        codes: &mut [Code],
        at_word: impl Fn(usize) -> At<'p>,
    ) {
        self.assert_inside(at, codes.len());
        let mut rest = codes;
        for (word, mask) in masks(at..at + rest.len()).filter(|&(_, mask)| mask != 0) {
            let known = self.known[word];
            let (settled, odd) = (won(known) | lost(known), won(known) | open(known));
            let bits = mask.trailing_zeros() as usize..64 - mask.leading_zeros() as usize;
            let (run, after) = rest.split_at_mut(bits.len());
            let place = at_word(word);
            let codes = match place {
                Some((planes, word)) => planes.codes_of_word(word, settled, odd),
                None => planes::codes(settled, odd, &[0; 8], std::iter::empty()),
            };
            if let Some(codes) = codes {
                run.iter_mut().zip(&codes[bits]).for_each(|(place, code)| *place = Code(*code));
            } else {
                let distance =
                    |bit: usize| place.map_or(0, |(planes, word)| planes.get(word * 64 + bit));
                let value = |bit: usize| self.value(word * 64 + bit, || distance(bit));
                let codes = bits.map(|bit| Code::of(value(bit)));
                run.iter_mut().zip(codes).for_each(|(place, code)| *place = code);
            }
            rest = after;
        }
    }

    pub(super) fn longest<'p>(
        &self,
        range: Range<usize>,
        outcome: Outcome,
        planes: impl Fn(usize) -> At<'p>,
    ) -> Option<(usize, u32)> {
        let mut longest = None;
        for (word, mask) in masks(range) {
            let known = self.known[word];
            let of_outcome = match outcome {
                Outcome::Win => won(known),
                Outcome::Loss => lost(known),
                Outcome::Draw => 0,
            };
            let states = mask & of_outcome;
            if states != 0 {
                let of_word = |(planes, word): (&Planes, usize)| planes.longest(word, states);
                let (distance, states) = planes(word).map_or((0, states), of_word);
                let at = word * 64 + states.trailing_zeros() as usize;
                keep_longest(&mut longest, at, distance);
            }
        }
        longest
    }
}

impl Kept for Sets {
    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    fn value(&self, at: usize) -> Option<Value> {
        let get = |(planes, word): (&Planes, usize)| planes.get(word * 64 + at % 64);
        self.outcomes().value(at, || self.at(at / 64).map_or(0, get))
    }

    fn count(&self, range: Range<usize>) -> Counts {
        self.outcomes().count(range)
    }

    fn fill_codes(&self, at: usize, codes: &mut [Code]) {
        self.outcomes().fill_codes(at, codes, |word| self.at(word));
    }

    fn longest(&self, range: Range<usize>, outcome: Outcome) -> Option<(usize, u32)> {
        self.outcomes().longest(range, outcome, |word| self.at(word))
    }
}

/// The words of a range of states, each with the set of its states in the range.
fn masks(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let words = range.start / 64..range.end.div_ceil(64);
    words.map(move |word| {
        let above = !0 << range.start.saturating_sub(word * 64);
        let beyond = (word * 64 + 64).saturating_sub(range.end);
        (word, above & !0 >> beyond)
    })
}
