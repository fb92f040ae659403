//! A cache of recent blocks, shared by all threads.
//!
//! Each block has one small set of slots, and may be only there. If the set is full, the cache drops its
//! least recently used block. A thread that finds a block writes nothing that other threads read. Otherwise
//! the processors would wait longer for each other's caches than for memory. With any number of locks, two
//! threads were slower than one. So a slot is an atomic pointer, and the counter of time advances only when a
//! thread adds a block.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use arc_swap::ArcSwapOption;

use crate::code::Block;

/// A cache of blocks.
#[derive(Debug)]
pub(crate) struct Cache {
    sets: Box<[[Place; WAYS]]>,
    /// How many blocks were added so far.
    clock: AtomicU64,
}

/// How much memory a block takes in the cache, beside a byte for each of its states: its slot, its counts, two allocations.
pub(crate) const BLOCK_BESIDE_BYTES: u64 = 256;

/// How many blocks a set has.
const WAYS: usize = 8;

#[derive(Debug)]
struct Place {
    /// A hint: the number of the block in this slot. With it, a lookup need not look into every slot.
    number: AtomicU64,
    /// The value of `clock` at the last use.
    used: AtomicU64,
    /// The block with its number.
    block: ArcSwapOption<(u64, Arc<Block>)>,
}

impl Default for Place {
    fn default() -> Place {
        Place { number: u64::MAX.into(), used: 0.into(), block: ArcSwapOption::empty() }
    }
}

impl Cache {
    /// A cache of about `blocks` blocks. The number of sets is a power of two, and at least one.
    pub(crate) fn new(blocks: u64) -> Cache {
        let sets = (blocks / WAYS as u64).clamp(1, 1 << 24);
        let sets = 1 << sets.ilog2();
        Cache { sets: (0..sets).map(|_| Default::default()).collect(), clock: 1.into() }
    }

    /// The result of `look` on a block, if the cache has the block.
    #[inline]
    pub(crate) fn look<T>(&self, number: u64, look: impl FnOnce(&Arc<Block>) -> T) -> Option<T> {
        let place = self.set(number).iter().find(|place| place.number.load(Relaxed) == number)?;
        let held = place.block.load();
        // Another thread may have replaced the block since we read the hint.
        let (_, block) = held.as_deref().filter(|(held, _)| *held == number)?;
        let now = self.clock.load(Relaxed);
        if place.used.load(Relaxed) != now {
            place.used.store(now, Relaxed);
        }
        Some(look(block))
    }

    /// Adds a block. If two threads write the same slot, the cache drops one of the blocks. This does no
    /// harm.
    pub(crate) fn put(&self, number: u64, block: Arc<Block>) {
        let place = self.set(number).iter().min_by_key(|place| {
            // Prefers the slot with the same block, then an empty slot, then the least recently used one.
            if place.number.load(Relaxed) == number { 0 } else { 1 + place.used.load(Relaxed) }
        });
        if let Some(place) = place {
            place.block.store(Some(Arc::new((number, block))));
            place.number.store(number, Relaxed);
            place.used.store(self.clock.fetch_add(1, Relaxed), Relaxed);
        }
    }

    fn set(&self, number: u64) -> &[Place; WAYS] {
        // Multiplication by the golden ratio spreads strides evenly.
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        &self.sets[hash as usize & (self.sets.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Encoder, Forgotten};
    use retrograde::Value;

    /// A block that contains its number.
    fn block(number: u64) -> Arc<Block> {
        let mut bytes = Vec::new();
        let value = Some(Value::Win(number as u32));
        let forgotten = Forgotten { invalid: false, free: &[] };
        Encoder::default().encode(&[value], forgotten, &mut bytes);
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
        // All numbers except 3.
        for number in (0..WAYS as u64).filter(|number| *number != 3) {
            assert_eq!(look(&cache, number), Some(Some(Value::Win(number as u32))));
        }
        cache.put(99, block(99));
        assert_eq!(look(&cache, 3), None);
        assert!((0..WAYS as u64).all(|number| number == 3 || look(&cache, number).is_some()));
        // Adding a block again removes no other block.
        cache.put(99, block(99));
        assert!((0..WAYS as u64).all(|number| number == 3 || look(&cache, number).is_some()));
    }
}
