//! The bits and distances of a solution that has a log in a store.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::stored::Stored;
use super::window_bits::StoredBits;
use crate::memory::Pages;
use crate::solve::error::LogError;
use crate::threads;
use crate::words::known::Known;
use crate::words::planes::Planes;
use crate::words::solution::Shards;

/// The bits in memory or in the store, and the logs in the store.
pub(super) struct StoredShards {
    bits: BitsPlace,
    stored: Stored,
    /// The shards whose bits threads have loaded.
    loaded: Cache<Pages<Known>>,
    /// The shards whose logs threads have replayed.
    replayed: Cache<Planes>,
}

/// Where the bits of all states are.
pub(super) enum BitsPlace {
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

impl StoredShards {
    pub(super) fn new(bits: BitsPlace, stored: Stored) -> StoredShards {
        StoredShards { bits, stored, loaded: Cache::new(), replayed: Cache::new() }
    }
}

impl Shards for StoredShards {
    fn bits(&self, shard: usize, work: &mut dyn FnMut(&[Known])) -> Result<(), LogError> {
        match &self.bits {
            BitsPlace::Memory(known) => {
                let first = shard * self.stored.shard_words;
                work(&known[first..known.len().min(first + self.stored.shard_words)]);
                Ok(())
            }
            BitsPlace::Store(bits) => {
                let load = || bits.loaded(&self.stored.store, shard);
                self.loaded.with(shard, load, |known| work(known))
            }
        }
    }

    fn planes(&self, shard: usize, work: &mut dyn FnMut(&Planes)) -> Result<(), LogError> {
        let Stored { logs, shard_words, store, .. } = &self.stored;
        let replay = || logs[shard].planes(*shard_words, (shard as u32, store));
        self.replayed.with(shard, replay, |planes| work(planes))
    }

    fn passes(&self) -> u32 {
        match &self.bits {
            BitsPlace::Memory(_) => 0,
            BitsPlace::Store(bits) => bits.pass,
        }
    }

    fn bytes_moved(&self) -> (u64, u64) {
        self.stored.store.bytes_moved()
    }
}
