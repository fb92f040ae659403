//! A solution that keeps its distances in a log, which is in a store.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::distances::{Distances, Shard};
use super::kept::Outcomes;
use super::known::Known;
use super::log::{Log, LogError, Store};
use super::planes::Planes;
use super::stored::StoredBits;
use crate::memory::pages::Pages;
use crate::rules::{Code, Outcome, Probe, Value};
use crate::solve::histogram::Histogram;
use crate::solve::solution::{Counts, index, indices, keep_longest};
use crate::threads;

/// A solved game that keeps its distances in a log, in a [`LogStore`](crate::bit_parallel::LogStore).
///
/// Wins, losses and draws are in memory. If they exceed memory, they are in the store instead, beside the log. To find a
/// distance, a thread replays the log of a shard, which has up to two million states. The solution keeps the last few
/// shards, up to three megabytes each. So ask for states in order. In any other order, each answer may take some
/// milliseconds.
pub struct LoggedSolution {
    states: u64,
    bits: Bits,
    logs: Vec<Log>,
    shard_words: usize,
    store: Option<Store>,
    /// The shards whose bits threads have loaded.
    loaded: Cache<Pages<Known>>,
    /// The shards whose logs threads have replayed.
    replayed: Cache<Planes>,
    histogram: Histogram,
    bytes: u64,
}

/// Where the bits of all states are.
pub(super) enum Bits {
    Memory(Pages<Known>),
    Store(StoredBits),
}

/// What threads have made of the last few shards, the latest first.
struct Cache<T> {
    shards: Mutex<VecDeque<(usize, Place<T>)>>,
    /// How many shards it keeps. A block of a table may have states of eight shards, and each thread may look at another
    /// block.
    shards_max: usize,
}

/// The data of a shard, once a thread has made it.
type Place<T> = Arc<RwLock<Option<T>>>;

impl<T> Cache<T> {
    fn new() -> Cache<T> {
        Cache { shards: Mutex::default(), shards_max: 8 * threads::count() + 2 }
    }

    /// Passes the data of a shard to `work`. If the cache does not have it, `make` makes it.
    fn with<R>(
        &self,
        shard: usize,
        make: impl FnOnce() -> Result<T, LogError>,
        work: impl FnOnce(&T) -> R,
    ) -> Result<R, LogError> {
        let place = self.place(shard);
        if let Some(made) = &*place.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(work(made));
        }
        let mut made = place.write().unwrap_or_else(PoisonError::into_inner);
        if made.is_none() {
            *made = Some(make()?);
        }
        Ok(work(made.as_ref().expect("it was made")))
    }

    fn place(&self, shard: usize) -> Place<T> {
        let mut shards = self.shards.lock().unwrap_or_else(PoisonError::into_inner);
        let found = shards.iter().position(|&(number, _)| number == shard);
        let place = found.and_then(|at| shards.remove(at)).unwrap_or((shard, Arc::default()));
        shards.push_front(place.clone());
        shards.truncate(self.shards_max);
        place.1
    }
}

impl LoggedSolution {
    pub(super) fn new(
        states: u64,
        bits: Bits,
        distances: Option<Distances>,
        histogram: Histogram,
        bytes: u64,
    ) -> LoggedSolution {
        let (shards, shard_words, store) = match distances {
            Some(Distances { shards, shard_words, store }) => (shards, shard_words, store),
            None => (Vec::new(), 1, None),
        };
        let logs = shards.into_iter().filter_map(Shard::into_log).collect();
        let (loaded, replayed) = (Cache::new(), Cache::new());
        LoggedSolution {
            states,
            bits,
            logs,
            shard_words,
            store,
            loaded,
            replayed,
            histogram,
            bytes,
        }
    }

    /// How many states there are, including invalid ones.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Win, loss or draw, or `None` if the state is invalid. This does not read the log.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn outcome(&self, state: u64) -> Result<Option<Outcome>, LogError> {
        let (shard, at) = self.place_of(index(state, || self.states));
        self.with_outcomes(shard, |outcomes| outcomes.outcome(at))
    }

    /// How many states of a range have each value. This does not read the log.
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
            let found = self.with_distances(shard, |outcomes, planes| {
                outcomes.longest(run, outcome, |word| planes.map(|planes| (planes, word)))
            })?;
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

    /// How many passes over the bits in the store there were; 0 if they are in memory.
    pub fn passes(&self) -> u32 {
        match &self.bits {
            Bits::Memory(_) => 0,
            Bits::Store(bits) => bits.pass,
        }
    }

    /// How many bytes have been read from the store and written to it since the solve started, or resumed.
    pub fn bytes_moved(&self) -> (u64, u64) {
        self.store.as_ref().map_or((0, 0), Store::bytes_moved)
    }

    /// The shard of a state, and its number in the shard.
    fn place_of(&self, at: usize) -> (usize, usize) {
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
        let first = shard * self.shard_words;
        let states = self.states.min((first + self.shard_words) as u64 * 64) - first as u64 * 64;
        match (&self.bits, &self.store) {
            (Bits::Memory(known), _) => {
                let known = &known[first..known.len().min(first + self.shard_words)];
                Ok(work(Outcomes { states, known }))
            }
            (Bits::Store(bits), Some(store)) => {
                let load = || bits.loaded(store, shard);
                self.loaded.with(shard, load, |known| work(Outcomes { states, known }))
            }
            (Bits::Store(_), None) => unreachable!("the bits are in the store"),
        }
    }

    /// Passes the outcomes of a shard to `work`, and also its distances if they are kept.
    fn with_distances<R>(
        &self,
        shard: usize,
        work: impl FnOnce(Outcomes<'_>, Option<&Planes>) -> R,
    ) -> Result<R, LogError> {
        let Some(log) = self.logs.get(shard) else {
            return self.with_outcomes(shard, |outcomes| work(outcomes, None));
        };
        let replay = || {
            let mut planes = Planes::new(self.shard_words);
            log.replay_into(&mut planes, shard as u32, self.store.as_ref())?;
            Ok(planes)
        };
        self.with_outcomes(shard, |outcomes| {
            self.replayed.with(shard, replay, |planes| work(outcomes, Some(planes)))
        })?
    }
}

impl Probe for LoggedSolution {
    type Error = LogError;

    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        !self.logs.is_empty()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, LogError> {
        let (shard, at) = self.place_of(index(state, || self.states));
        match self.with_outcomes(shard, |outcomes| outcomes.outcome(at))? {
            None => Ok(None),
            Some(Outcome::Draw) => Ok(Some(Value::Draw)),
            Some(_) => self.with_distances(shard, |outcomes, planes| {
                outcomes.value(at, || planes.map_or(0, |planes| planes.get(at)))
            }),
        }
    }

    fn fill_codes(&self, first: u64, mut codes: &mut [Code]) -> Result<(), LogError> {
        let range = first..first.saturating_add(codes.len() as u64);
        for (shard, run) in self.by_shard(indices(range, self.states)) {
            let (now, later) = codes.split_at_mut(run.len());
            self.with_distances(shard, |outcomes, planes| {
                outcomes.fill_codes(run.start, now, |word| planes.map(|planes| (planes, word)));
            })?;
            codes = later;
        }
        Ok(())
    }
}
