//! Blocks that were read lately, shared by all threads.
//!
//! A block may only be in one small set of places; of a full set the block goes that was used longest ago. Whoever
//! finds a block writes nothing that other threads read, or they would wait for one another's caches more than for
//! memory: two threads were slower than one behind locks, however many. So a place is an atomic pointer, and time
//! only passes when a block is put in.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use arc_swap::ArcSwapOption;

use crate::code::Block;

/// A cache of blocks.
#[derive(Debug)]
pub(crate) struct Cache {
    sets: Box<[[Place; WAYS]]>,
    /// How many blocks have been put in.
    clock: AtomicU64,
}

/// How many blocks a set has.
const WAYS: usize = 8;

#[derive(Debug)]
struct Place {
    /// The number of the block that is here: a hint, so that one need not look into every place.
    number: AtomicU64,
    /// The clock when it was used last.
    used: AtomicU64,
    /// The block, and its number beside it.
    block: ArcSwapOption<(u64, Arc<Block>)>,
}

impl Default for Place {
    fn default() -> Place {
        Place { number: u64::MAX.into(), used: 0.into(), block: ArcSwapOption::empty() }
    }
}

impl Cache {
    /// A cache of about so many blocks: a power of two of sets, and at least one.
    pub(crate) fn new(blocks: u64) -> Cache {
        let sets = (blocks / WAYS as u64).clamp(1, 1 << 24);
        let sets = 1 << sets.ilog2();
        Cache { sets: (0..sets).map(|_| Default::default()).collect(), clock: 1.into() }
    }

    /// What `look` sees in a block, if it is here.
    #[inline]
    pub(crate) fn look<T>(&self, number: u64, look: impl FnOnce(&Arc<Block>) -> T) -> Option<T> {
        let place = self.set(number).iter().find(|place| place.number.load(Relaxed) == number)?;
        let held = place.block.load();
        // Between the hint and the block another thread may have put something else here.
        let (_, block) = held.as_deref().filter(|(held, _)| *held == number)?;
        let now = self.clock.load(Relaxed);
        if place.used.load(Relaxed) != now {
            place.used.store(now, Relaxed);
        }
        Some(look(block))
    }

    /// Puts a block in. Where two threads take the same place, one of the blocks is not kept; nothing else
    /// comes of it.
    pub(crate) fn put(&self, number: u64, block: Arc<Block>) {
        let place = self.set(number).iter().min_by_key(|place| {
            // The same block, where another thread was faster; an empty place; the one used longest ago.
            if place.number.load(Relaxed) == number { 0 } else { 1 + place.used.load(Relaxed) }
        });
        if let Some(place) = place {
            place.block.store(Some(Arc::new((number, block))));
            place.number.store(number, Relaxed);
            place.used.store(self.clock.fetch_add(1, Relaxed), Relaxed);
        }
    }

    fn set(&self, number: u64) -> &[Place; WAYS] {
        // Multiplied by the golden ratio, strides spread evenly.
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        &self.sets[hash as usize & (self.sets.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::Value;

    /// A block that says its number.
    fn block(number: u64) -> Arc<Block> {
        let mut bytes = Vec::new();
        let value = Some(Value::Win(number as u32));
        crate::code::Encoder::default().encode(&[value], false, &mut bytes);
        Arc::new(Block::decode(bytes, 1).unwrap())
    }

    fn look(cache: &Cache, number: u64) -> Option<Option<Value>> {
        cache.look(number, |block| block.value(0))
    }

    #[test]
    fn the_block_used_longest_ago_goes() {
        let cache = Cache::new(0);
        for number in 0..WAYS as u64 {
            assert_eq!(look(&cache, number), None);
            cache.put(number, block(number));
        }
        // All but number 3.
        for number in (0..WAYS as u64).filter(|number| *number != 3) {
            assert_eq!(look(&cache, number), Some(Some(Value::Win(number as u32))));
        }
        cache.put(99, block(99));
        assert_eq!(look(&cache, 3), None);
        assert!((0..WAYS as u64).all(|number| number == 3 || look(&cache, number).is_some()));
        // Putting a block in once more sends nobody away.
        cache.put(99, block(99));
        assert!((0..WAYS as u64).all(|number| number == 3 || look(&cache, number).is_some()));
    }
}
