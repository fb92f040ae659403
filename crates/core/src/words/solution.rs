//! The solution of the bit-parallel engine: two bits a state, and distances shard by shard.

use std::ops::Range;
use std::sync::LazyLock;

use super::distances::Memory;
use super::known::{Known, invalid, lost, open, won};
use super::planes::{self, Planes};
use super::residence::Residence;
use crate::memory::Pages;
use crate::rules::{Code, Outcome, Probe, Value};
use crate::solve::error::LogError;
use crate::solve::histogram::Histogram;
use crate::solve::solution::{Counts, Kept, index, indices, keep_longest};

/// A game that was solved 64 states at a time.
///
/// Wins, losses and draws are in memory. If they exceed memory, they are in a [`LogStore`](crate::bit_parallel::LogStore)
/// instead, beside the log of distances. To find a distance, a thread replays the log of a shard, which has up to two
/// million states. If the log is in a store, the solution keeps the last few shards, up to three megabytes each. So ask for
/// states in order. In any other order, each answer may take some milliseconds.
pub struct WordSolution {
    states: u64,
    shard_words: usize,
    has_distances: bool,
    shards: Box<dyn Shards>,
    histogram: Histogram,
    bytes: u64,
}

/// The bits and distances of all shards.
pub(crate) trait Shards: Send + Sync {
    /// Passes the bits of the words of a shard to `work`.
    fn bits(&self, shard: usize, work: &mut dyn FnMut(&[Known])) -> Result<(), LogError>;

    /// Passes the distances of a shard to `work`. They are kept.
    fn planes(&self, shard: usize, work: &mut dyn FnMut(&Planes)) -> Result<(), LogError>;

    /// As [`WordSolution::passes`].
    fn passes(&self) -> u32 {
        0
    }

    /// As [`WordSolution::bytes_moved`].
    fn bytes_moved(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// Bits and distances in memory.
pub(crate) struct InMemory {
    known: Pages<Known>,
    shard_words: usize,
    /// The distances of each shard, if they are kept. Its log becomes planes when a caller first asks for a distance in it.
    planes: Vec<LazyLock<Planes, Box<dyn FnOnce() -> Planes + Send>>>,
}

impl InMemory {
    pub(crate) fn new(known: Pages<Known>, memory: Memory) -> InMemory {
        let (words, shard_words) = (known.len(), memory.shard_words);
        let planes = (0..).zip(memory.shards).map(|(i, shard)| {
            let words = shard_words.min(words - i * shard_words);
            LazyLock::new(Box::new(move || shard.into_planes(words)) as _)
        });
        InMemory { known, shard_words, planes: planes.collect() }
    }
}

impl Shards for InMemory {
    fn bits(&self, shard: usize, work: &mut dyn FnMut(&[Known])) -> Result<(), LogError> {
        let first = shard * self.shard_words;
        work(&self.known[first..self.known.len().min(first + self.shard_words)]);
        Ok(())
    }

    fn planes(&self, shard: usize, work: &mut dyn FnMut(&Planes)) -> Result<(), LogError> {
        work(&self.planes[shard]);
        Ok(())
    }
}

impl WordSolution {
    pub(crate) fn new(
        (states, shard_words): (u64, usize),
        has_distances: bool,
        shards: Box<dyn Shards>,
        histogram: Histogram,
        bytes: u64,
    ) -> WordSolution {
        WordSolution { states, shard_words, has_distances, shards, histogram, bytes }
    }

    /// The solution of a solve in memory.
    pub(crate) fn in_memory(
        states: u64,
        known: Pages<Known>,
        memory: Memory,
        histogram: Histogram,
        bytes: u64,
    ) -> WordSolution {
        let (shape, has_distances) = ((states, memory.shard_words), memory.has_distances());
        let shards = Box::new(InMemory::new(known, memory));
        WordSolution::new(shape, has_distances, shards, histogram, bytes)
    }

    /// How many states there are, including invalid ones.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Win, loss or draw, or `None` if the state is invalid. This needs no distances.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn outcome(&self, state: u64) -> Result<Option<Outcome>, LogError> {
        let (shard, at) = self.place_of(index(state, || self.states));
        self.with_outcomes(shard, |outcomes| outcomes.outcome(at))
    }

    /// How many states of a range have each value. This needs no distances.
    ///
    /// # Panics
    ///
    /// If the range does not lie inside `0..states`.
    pub fn count(&self, states: Range<u64>) -> Result<Counts, LogError> {
        let mut counts = Counts::default();
        for (shard, run) in self.by_shard(indices(states, self.states)) {
            counts += self.with_outcomes(shard, |outcomes| outcomes.count(run))?;
        }
        Ok(counts)
    }

    /// The longest win or loss among the states of a range: the first state that has it, and the distance.
    /// `None` if no state has that outcome.
    ///
    /// # Panics
    ///
    /// If the range does not lie inside `0..states`.
    pub fn longest(
        &self,
        states: Range<u64>,
        outcome: Outcome,
    ) -> Result<Option<(u64, u32)>, LogError> {
        let mut longest = None;
        for (shard, run) in self.by_shard(indices(states, self.states)) {
            let found = self
                .with_distances(shard, |outcomes, planes| outcomes.longest(run, outcome, planes))?;
            if let Some((at, distance)) = found {
                keep_longest(&mut longest, shard * self.shard_words * 64 + at, distance);
            }
        }
        Ok(longest.map(|(at, distance)| (at as u64, distance)))
    }

    /// How many states win and lose at each distance.
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// How many bytes of memory the solve took at its peak.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many passes over the bits in a store there were; 0 if they are in memory.
    pub fn passes(&self) -> u32 {
        self.shards.passes()
    }

    /// How many bytes have been read from the store and written to it since the solve started, or resumed.
    pub fn bytes_moved(&self) -> (u64, u64) {
        self.shards.bytes_moved()
    }

    /// The shard of a state, and its number in the shard.
    fn place_of(&self, at: usize) -> (usize, usize) {
        assert!((at as u64) < self.states, "state {at} is none of the {} states", self.states);
        let len = self.shard_words * 64;
        (at / len, at % len)
    }

    /// The states of a range, shard by shard: the shard, and the numbers in it.
    fn by_shard(&self, range: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let len = self.shard_words * 64;
        (range.start / len..range.end.div_ceil(len)).map(move |shard| {
            let first = shard * len;
            (shard, range.start.max(first) - first..range.end.min(first + len) - first)
        })
    }

    /// Passes the outcomes of a shard to `work`.
    fn with_outcomes<R>(
        &self,
        shard: usize,
        work: impl FnOnce(Outcomes<'_>) -> R,
    ) -> Result<R, LogError> {
        let (mut work, mut result) = (Some(work), None);
        self.shards.bits(shard, &mut |known| {
            result = work.take().map(|work| work(Outcomes { known }));
        })?;
        Ok(result.expect("a shard has bits"))
    }

    /// Passes the outcomes of a shard to `work`, and also its distances if they are kept.
    fn with_distances<R>(
        &self,
        shard: usize,
        work: impl FnOnce(Outcomes<'_>, Option<&Planes>) -> R,
    ) -> Result<R, LogError> {
        if !self.has_distances {
            return self.with_outcomes(shard, |outcomes| work(outcomes, None));
        }
        let mut work = Some(work);
        self.with_outcomes(shard, |outcomes| {
            let mut result = None;
            self.shards.planes(shard, &mut |planes| {
                result = work.take().map(|work| work(outcomes, Some(planes)));
            })?;
            Ok(result.expect("a shard has distances"))
        })?
    }

    /// The value of a state by its number in memory.
    fn value_at(&self, at: usize) -> Result<Option<Value>, LogError> {
        let (shard, at) = self.place_of(at);
        match self.with_outcomes(shard, |outcomes| outcomes.outcome(at))? {
            None => Ok(None),
            Some(Outcome::Draw) => Ok(Some(Value::Draw)),
            Some(_) => self.with_distances(shard, |outcomes, planes| {
                outcomes.value(at, || planes.map_or(0, |planes| planes.get(at)))
            }),
        }
    }
}

impl Probe for WordSolution {
    type Error = LogError;

    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.has_distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, LogError> {
        self.value_at(index(state, || self.states))
    }

    fn fill_codes(&self, first: u64, mut codes: &mut [Code]) -> Result<(), LogError> {
        let range = first..first.saturating_add(codes.len() as u64);
        for (shard, run) in self.by_shard(indices(range, self.states)) {
            let (now, later) = codes.split_at_mut(run.len());
            self.with_distances(shard, |outcomes, planes| {
                outcomes.fill_codes(run.start, now, planes);
            })?;
            codes = later;
        }
        Ok(())
    }
}

/// A solution in memory, which is read without errors.
impl Kept for WordSolution {
    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.has_distances
    }

    fn value(&self, at: usize) -> Option<Value> {
        in_memory(self.value_at(at))
    }

    fn count(&self, range: Range<usize>) -> Counts {
        in_memory(self.count(range.start as u64..range.end as u64))
    }

    fn fill_codes(&self, at: usize, codes: &mut [Code]) {
        in_memory(Probe::fill_codes(self, at as u64, codes));
    }

    fn longest(&self, range: Range<usize>, outcome: Outcome) -> Option<(usize, u32)> {
        let longest = in_memory(self.longest(range.start as u64..range.end as u64, outcome));
        longest.map(|(state, distance)| (state as usize, distance))
    }
}

fn in_memory<R>(read: Result<R, LogError>) -> R {
    read.unwrap_or_else(|error| unreachable!("memory is read without errors: {error}"))
}

/// Wins, losses and draws of some states.
#[derive(Clone, Copy)]
struct Outcomes<'a> {
    /// Open states are draws.
    known: &'a [Known],
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
    fn value(&self, at: usize, distance: impl FnOnce() -> u32) -> Option<Value> {
        Some(match self.outcome(at)? {
            Outcome::Win => Value::Win(distance()),
            Outcome::Loss => Value::Loss(distance()),
            Outcome::Draw => Value::Draw,
        })
    }

    /// Win, loss or draw, or `None` for an invalid state.
    fn outcome(&self, at: usize) -> Option<Outcome> {
        match self.counts_of_word(at / 64, 1 << (at % 64)) {
            Counts { invalid: 1, .. } => None,
            Counts { win: 1, .. } => Some(Outcome::Win),
            Counts { loss: 1, .. } => Some(Outcome::Loss),
            _ => Some(Outcome::Draw),
        }
    }

    fn count(&self, range: Range<usize>) -> Counts {
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

    /// Writes the codes of the states from `at` on, with their distances if they are kept.
    fn fill_codes(&self, at: usize, codes: &mut [Code], planes: Option<&Planes>) {
        let mut rest = codes;
        for (word, mask) in masks(at..at + rest.len()).filter(|&(_, mask)| mask != 0) {
            let known = self.known[word];
            let (settled, odd) = (won(known) | lost(known), won(known) | open(known));
            let bits = mask.trailing_zeros() as usize..64 - mask.leading_zeros() as usize;
            let (run, after) = rest.split_at_mut(bits.len());
            let codes = match planes {
                Some(planes) => planes.codes_of_word(word, settled, odd),
                None => planes::codes(settled, odd, &[0; 8], std::iter::empty()),
            };
            if let Some(codes) = codes {
                run.iter_mut().zip(&codes[bits]).for_each(|(place, code)| *place = Code(*code));
            } else {
                let distance = |at: usize| planes.map_or(0, |planes| planes.get(at));
                let value = |bit: usize| self.value(word * 64 + bit, || distance(word * 64 + bit));
                let codes = bits.map(|bit| Code::of(value(bit)));
                run.iter_mut().zip(codes).for_each(|(place, code)| *place = code);
            }
            rest = after;
        }
    }

    /// The longest win or loss among the states of a range.
    fn longest(
        &self,
        range: Range<usize>,
        outcome: Outcome,
        planes: Option<&Planes>,
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
                let of_word = |planes: &Planes| planes.longest(word, states);
                let (distance, states) = planes.map_or((0, states), of_word);
                let at = word * 64 + states.trailing_zeros() as usize;
                keep_longest(&mut longest, at, distance);
            }
        }
        longest
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
