//! A solution that keeps its distances in a log, which is in a store.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::distances::Distances;
use super::distances::Shard;
use super::kept::Outcomes;
use super::level::Arrays;
use super::log::{Log, LogError, Store};
use super::planes::Planes;
use crate::rules::{Code, Outcome, Probe, Value};
use crate::solve::histogram::Histogram;
use crate::solve::solution::{Counts, index, indices, keep_longest};

/// A solved game that keeps its distances in a log, in a [`LogStore`](crate::bit_parallel::LogStore).
///
/// Wins, losses and draws are in memory. To find a distance, a thread replays the log of a shard, which has
/// up to two million states. The solution keeps the distances of the last few shards, two megabytes each. So
/// ask for states in order. In any other order, each answer may take some milliseconds. To write a table, one
/// pass over the store is enough.
pub struct LoggedSolution {
    outcomes: Outcomes,
    logs: Vec<Log>,
    shard_words: usize,
    store: Option<Store>,
    /// The shards that threads have replayed last, the latest first.
    replayed: Mutex<VecDeque<(usize, Arc<Replayed>)>>,
    /// How many of them the solution keeps. A block of a table may have states of eight shards, and each
    /// thread may look at another block.
    replayed_max: usize,
    histogram: Histogram,
    bytes: u64,
}

/// The distances of a shard, once a thread has replayed its log.
type Replayed = RwLock<Option<Planes>>;

impl LoggedSolution {
    pub(super) fn new(
        states: u64,
        arrays: Arrays,
        histogram: Histogram,
        bytes: u64,
    ) -> LoggedSolution {
        let Arrays { known, distances, .. } = arrays;
        let (shards, shard_words, store) = match distances {
            Some(Distances { shards, shard_words, store }) => (shards, shard_words, store),
            None => (Vec::new(), 1, None),
        };
        LoggedSolution {
            outcomes: Outcomes::new(states, known),
            logs: shards.into_iter().filter_map(Shard::into_log).collect(),
            shard_words,
            store,
            replayed: Mutex::default(),
            replayed_max: 8 * rayon::current_num_threads() + 2,
            histogram,
            bytes,
        }
    }

    /// How many states there are, including invalid ones.
    pub fn states(&self) -> u64 {
        self.outcomes.states()
    }

    /// Win, loss or draw, or `None` if the state is invalid. This does not read the log.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn outcome(&self, state: u64) -> Option<Outcome> {
        self.outcomes.outcome(index(state, || self.states()))
    }

    /// How many states of a range have each value. This does not read the log.
    ///
    /// # Panics
    ///
    /// If the range does not lie inside `0..states`.
    pub fn count(&self, states: Range<u64>) -> Counts {
        self.outcomes.count(indices(states, self.states()))
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
        for run in self.by_shard(indices(states, self.states())) {
            let shard = run.start / 64 / self.shard_words;
            let found = self.with_distances(shard, |planes, first| {
                self.outcomes.longest(run, outcome, |word| Some((planes, word - first)))
            })?;
            if let Some((at, distance)) = found {
                keep_longest(&mut longest, at, distance);
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

    /// How many bytes of the store it uses.
    pub fn bytes_in_store(&self) -> u64 {
        self.store.as_ref().map_or(0, Store::bytes)
    }

    /// The states of a range, shard by shard.
    fn by_shard(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let len = self.shard_words * 64;
        let shards = range.start / len..range.end.div_ceil(len);
        shards.map(move |shard| (shard * len).max(range.start)..((shard + 1) * len).min(range.end))
    }

    /// Passes the distances of a shard to `read`: planes of its words, from `first` on.
    fn with_distances<R>(
        &self,
        shard: usize,
        work: impl FnOnce(&Planes, usize) -> R,
    ) -> Result<R, LogError> {
        let replayed = self.replayed(shard);
        let first = shard * self.shard_words;
        if let Some(planes) = &*replayed.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(work(planes, first));
        }
        let mut replayed = replayed.write().unwrap_or_else(PoisonError::into_inner);
        if replayed.is_none() {
            let mut planes = Planes::new(self.shard_words);
            self.logs[shard].replay_into(&mut planes, shard as u32, self.store.as_ref())?;
            *replayed = Some(planes);
        }
        Ok(work(replayed.as_ref().expect("it was replayed"), first))
    }

    /// The place for the distances of a shard.
    fn replayed(&self, shard: usize) -> Arc<Replayed> {
        let mut kept = self.replayed.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|&(number, _)| number == shard);
        let place = found.and_then(|at| kept.remove(at)).unwrap_or((shard, Arc::default()));
        kept.push_front(place.clone());
        kept.truncate(self.replayed_max);
        place.1
    }
}

impl Probe for LoggedSolution {
    type Error = LogError;

    fn states(&self) -> u64 {
        self.states()
    }

    fn has_distances(&self) -> bool {
        true
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, LogError> {
        let at = index(state, || self.states());
        let Some(outcome) = self.outcomes.outcome(at) else { return Ok(None) };
        let distance = |planes: &Planes, first| planes.get(at - first * 64);
        Ok(Some(match outcome {
            Outcome::Draw => Value::Draw,
            Outcome::Win => Value::Win(self.with_distances(at / 64 / self.shard_words, distance)?),
            Outcome::Loss => {
                Value::Loss(self.with_distances(at / 64 / self.shard_words, distance)?)
            }
        }))
    }

    fn fill_codes(&self, first: u64, mut codes: &mut [Code]) -> Result<(), LogError> {
        let range = first..first.saturating_add(codes.len() as u64);
        for run in self.by_shard(indices(range, self.states())) {
            let (now, later) = codes.split_at_mut(run.len());
            self.with_distances(run.start / 64 / self.shard_words, |planes, first| {
                self.outcomes.fill_codes(run.start, now, |word| Some((planes, word - first)));
            })?;
            codes = later;
        }
        Ok(())
    }
}
