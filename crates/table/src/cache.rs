//! A cache of recent blocks, shared by all threads.
//!
//! Each block has one small set of slots, and may be only there. If the set is full, the cache drops its
//! least recently used block. A thread that finds a block writes nothing that other threads read. Otherwise
//! the processors would wait longer for each other's caches than for memory. With any number of locks, two
//! threads were slower than one. So a slot is an atomic pointer, and the counter of time advances only when a
//! thread adds a block.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use arc_swap::ArcSwapOption;

use crate::code::Block;

/// A cache of blocks.
#[derive(Debug)]
pub(crate) struct Cache {
    sets: Box<[[Place; WAYS]]>,
    /// How many bytes the blocks of a set may take.
    set_bytes: u64,
    /// How many blocks were added so far.
    clock: AtomicU64,
}

/// How much memory a block takes in the cache, beside its values and codes: its slot, its counts, two allocations.
const BLOCK_BESIDE_BYTES: u64 = 256;

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

/// How many bytes a block takes in the cache.
fn bytes_of(block: &Block) -> u64 {
    block.bytes() + BLOCK_BESIDE_BYTES
}

impl Place {
    fn clear(&self) {
        self.block.store(None);
        self.number.store(u64::MAX, Relaxed);
        self.used.store(0, Relaxed);
    }
}

impl Default for Place {
    fn default() -> Place {
        Place { number: u64::MAX.into(), used: 0.into(), block: ArcSwapOption::empty() }
    }
}

impl Cache {
    /// A cache of about `bytes` bytes for a table of `blocks` blocks with at most `states` states each. It has at least one
    /// set, which has space for a few blocks of usual values.
    ///
    /// The number of sets is a power of two. In most tables a state takes a byte, and a block has few values. Then a set has
    /// space for as many blocks as it has slots.
    pub(crate) fn new(bytes: u64, blocks: u64, states: u64) -> Cache {
        let values = 32 + states / 8;
        let set_bytes = WAYS as u64 * (states + values + BLOCK_BESIDE_BYTES);
        // With only as many slots as blocks, some sets would have more blocks than slots, and would unpack
        // them again and again.
        let sets = (bytes / set_bytes).min(4 * blocks / WAYS as u64).clamp(1, 1 << 24);
        let sets = 1 << sets.ilog2();
        let set_bytes = set_bytes.max(bytes / sets);
        let sets = (0..sets).map(|_| Default::default()).collect();
        Cache { sets, set_bytes, clock: 1.into() }
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

    /// Adds a block, unless it alone takes more than a set may. If two threads write the same slot, the cache drops one of
    /// the blocks. This does no harm.
    pub(crate) fn put(&self, number: u64, block: Arc<Block>) {
        let Some(mut left) = self.set_bytes.checked_sub(bytes_of(&block)) else { return };
        let mut places = self.set(number).each_ref();
        // Last the slot with the same block, before it an empty slot, before that the least recently used one.
        places.sort_by_key(|place| {
            let same = place.number.load(Relaxed) == number;
            Reverse(if same { 0 } else { 1 + place.used.load(Relaxed) })
        });
        let [others @ .., place] = places;
        // A few blocks have many values. They take several times as much as others, and leave less for these.
        for other in others {
            let bytes = other.block.load().as_deref().map_or(0, |(_, block)| bytes_of(block));
            match left.checked_sub(bytes) {
                Some(rest) => left = rest,
                None => other.clear(),
            }
        }
        place.block.store(Some(Arc::new((number, block))));
        place.number.store(number, Relaxed);
        place.used.store(self.clock.fetch_add(1, Relaxed), Relaxed);
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
        of_values(&[Some(Value::Win(number as u32))])
    }

    fn of_values(values: &[Option<Value>]) -> Arc<Block> {
        let mut bytes = Vec::new();
        let forgotten = Forgotten { invalid: false, free: &[] };
        Encoder::default().encode(values, forgotten, &mut bytes);
        Arc::new(Block::decode(bytes, values.len()).unwrap())
    }

    fn look(cache: &Cache, number: u64) -> Option<Option<Value>> {
        cache.look(number, |block| block.value(0))
    }

    #[test]
    fn the_block_used_longest_ago_goes() {
        let cache = Cache::new(0, 1, 1);
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

    /// The bound counted a byte a state. A block of many values takes up to seventeen, and a block of one state hundreds.
    #[test]
    fn blocks_take_no_more_than_the_bound() {
        const STATES: u64 = 1 << 12;
        let bytes = 64 * STATES;
        let cache = Cache::new(bytes, 1_000, STATES);
        let values = |number: u64| {
            let many = [1, 2, 300, 1_000][(number % 4) as usize];
            (0..STATES).map(|state| Some(Value::Win((state % many) as u32))).collect::<Vec<_>>()
        };
        let held = || {
            let places = cache.sets.iter().flatten();
            let held = places.filter_map(|place| place.block.load_full());
            held.map(|held| bytes_of(&held.1)).sum::<u64>()
        };
        let mut most = 0;
        for number in 0..300 {
            cache.put(number, of_values(&values(number)));
            assert!(cache.look(number, |_| ()).is_some(), "{number}");
            assert!(held() <= bytes, "{} bytes of {bytes}", held());
            most = most.max(held());
        }
        assert!(most > bytes / 2, "{most} bytes of {bytes}");
        // Two of them would not fit.
        let far: Vec<_> = (0..STATES).map(|n| Some(Value::Win(4_000_000_000 - n as u32))).collect();
        let alone = Cache::new(0, 1, 1);
        alone.put(1, block(1));
        alone.put(2, of_values(&far));
        assert!(look(&alone, 1).is_some() && look(&alone, 2).is_none());
    }
}
