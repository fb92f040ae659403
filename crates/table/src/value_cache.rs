//! A cache of single values, shared by all threads.
//!
//! To recover a value, a table may look up hundreds of others. So it keeps the values of the states that callers ask
//! for. Each state has one slot, which is one atomic number: a thread reads the state and its value together.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use retrograde::{Code, Value};

/// A cache of values. It allocates memory, a page at a time, when the first value comes.
#[derive(Debug)]
pub(crate) struct ValueCache {
    pages: Box<[OnceLock<Page>]>,
}

/// A slot is 0, or the number of a state plus 1, and then the code of its value.
type Page = Box<[AtomicU64]>;

const PAGE_SLOTS: usize = 1 << 9;
const PAGE_BYTES: u64 = 8 * PAGE_SLOTS as u64;
const PAGES_MAX: u64 = 1 << 7;
const CODE_BITS: u32 = u16::BITS;

impl ValueCache {
    /// A cache of at most `bytes` bytes.
    pub(crate) fn new(bytes: u64) -> ValueCache {
        let pages = (bytes / PAGE_BYTES).min(PAGES_MAX);
        ValueCache { pages: (0..pages).map(|_| OnceLock::new()).collect() }
    }

    /// About how many bytes it takes at most.
    pub(crate) fn bytes(&self) -> u64 {
        self.pages.len() as u64 * PAGE_BYTES
    }

    /// The value of a state, if the cache has it.
    #[inline]
    pub(crate) fn get(&self, state: u64) -> Option<Option<Value>> {
        let (page, slot) = self.place(state)?;
        let slot = self.pages[page].get()?[slot].load(Relaxed);
        (slot >> CODE_BITS == state + 1).then(|| Code::from_bits(slot as u16).value())
    }

    /// Adds the value of a state, in place of the state that had its slot.
    pub(crate) fn put(&self, state: u64, value: Option<Value>) {
        let code = Code::of(value);
        let fits = !code.is_far() && (state + 1) >> (u64::BITS - CODE_BITS) == 0;
        if let Some((page, slot)) = self.place(state).filter(|_| fits) {
            let page = self.pages[page]
                .get_or_init(|| (0..PAGE_SLOTS).map(|_| AtomicU64::new(0)).collect());
            page[slot].store((state + 1) << CODE_BITS | u64::from(code.bits()), Relaxed);
        }
    }

    /// The page of a state and the slot in it. `None` if the cache has no pages.
    #[inline]
    fn place(&self, state: u64) -> Option<(usize, usize)> {
        // Multiplication by the golden ratio spreads strides evenly.
        let hash = (state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        Some(((hash / PAGE_SLOTS).checked_rem(self.pages.len())?, hash % PAGE_SLOTS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_testkit::Rng;

    #[test]
    fn a_value_is_found_until_another_state_takes_its_slot() {
        for bytes in [0, PAGE_BYTES - 1, PAGE_BYTES, 5 * PAGE_BYTES, u64::MAX] {
            let cache = ValueCache::new(bytes);
            assert!(cache.bytes() <= bytes);
            let (mut rng, mut found) = (Rng::new(7), 0);
            let values = [None, Some(Value::Draw), Some(Value::Loss(0)), Some(Value::Win(30_000))];
            let value = |state: u64| values[(state % 4) as usize];
            for _ in 0..1000 {
                let state = rng.below(1 << 47);
                cache.put(state, value(state));
                assert_eq!(cache.get(state).is_some(), cache.bytes() > 0);
                let other = rng.below(2000);
                found += u64::from(cache.get(other).is_some());
                assert!(cache.get(other).is_none_or(|found| found == value(other)));
                cache.put(other, value(other));
            }
            assert_eq!(found > 0, cache.bytes() > 0);
        }
    }

    #[test]
    fn what_does_not_fit_a_slot_is_not_kept() {
        let cache = ValueCache::new(PAGE_BYTES);
        for (state, value) in
            [(1, Value::Win(1 << 20)), ((1 << 48) - 1, Value::Draw), (u64::MAX - 1, Value::Draw)]
        {
            cache.put(state, Some(value));
            assert_eq!(cache.get(state), None);
        }
        cache.put((1 << 48) - 2, Some(Value::Draw));
        assert_eq!(cache.get((1 << 48) - 2), Some(Some(Value::Draw)));
    }
}
