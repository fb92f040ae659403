//! The values of a run of states, unpacked, for callers that read each of them many times.
//!
//! Neighbouring states lead to neighbouring states. So a window that slides over the numbering has nearly all
//! values that the states in its middle need, each with one load. It is a ring of pages, or holds all pages
//! if they fit in memory.

use std::ops::Range;

use crate::rules::{Code, Key, Keys, Probe};
use crate::threads;

/// How many states the window fills in at a time. This is the least that a window holds.
pub(crate) const PAGE: u64 = 1 << 16;

/// A window on the values of a game.
pub(crate) struct KeyWindow {
    /// The keys of all states, or a ring of keys. In a ring, the key of a state is at the state modulo the
    /// length, which is a power of two.
    keys: Vec<Key>,
    /// The bits of a state that give the place of its key.
    mask: u64,
    /// The states that the window holds.
    held: Range<u64>,
    states: u64,
}

impl KeyWindow {
    /// A window on a game of `states` states. It takes at most `bytes_max` bytes, but at least a page.
    pub(crate) fn new(states: u64, bytes_max: u64) -> KeyWindow {
        let room = (bytes_max / size_of::<Key>() as u64).max(PAGE);
        let (len, mask) = match KeyWindow::holds_all(states, bytes_max) {
            true => (states.next_multiple_of(PAGE), u64::MAX),
            false => (1 << room.ilog2(), (1 << room.ilog2()) - 1),
        };
        KeyWindow { keys: vec![Key::UNKNOWN; len as usize], mask, held: 0..0, states }
    }

    /// Whether the keys of `states` states fit in `bytes_max` bytes.
    pub(crate) fn holds_all(states: u64, bytes_max: u64) -> bool {
        let room = (bytes_max / size_of::<Key>() as u64).max(PAGE);
        states.checked_next_multiple_of(PAGE).is_some_and(|all| all <= room)
    }

    /// The key of a state, or `None` if the window does not hold the state.
    #[inline(always)]
    pub(crate) fn get(&self, state: u64) -> Option<Key> {
        let inside = self.held.contains(&state);
        inside.then(|| self.keys[(state & self.mask) as usize])
    }

    /// The keys of the states of a word, or `None` if the window does not hold them. States beyond the last
    /// are invalid.
    #[inline(always)]
    pub(crate) fn word(&self, word: u64) -> Option<&Keys> {
        let first = word.wrapping_mul(64);
        let words = self.keys.as_chunks::<64>().0;
        self.held.contains(&first).then(|| &words[(word & (self.mask / 64)) as usize])
    }

    /// Slides until the window holds the states before `end`, and as many states after `end` as before it.
    pub(crate) fn slide_to<P: Probe + ?Sized>(&mut self, end: u64, values: &P) {
        let len = self.keys.len() as u64;
        let last = self.states.next_multiple_of(64);
        // If there is space for all states, the window fills in all, because moves may lead anywhere.
        let half = if len >= last { last } else { len / 2 };
        let ahead = end.saturating_add(half).next_multiple_of(PAGE).min(last);
        // Not more at a time than the ring has.
        while self.held.end < ahead {
            let first = self.held.end;
            let slot = (first & self.mask) as usize;
            let count = (ahead - first).min(len - slot as u64);
            let keys = &mut self.keys[slot..slot + count as usize];
            let mut pages: Vec<_> = keys.chunks_mut(PAGE as usize).collect();
            threads::each_of(&mut pages, |page, keys| {
                fill(values, first + page as u64 * PAGE, keys);
            });
            let end = first + count;
            self.held = self.held.start.max(end.saturating_sub(len))..end;
        }
    }
}

/// Fills in the keys of the states from `first` on. States beyond the last are invalid.
pub(crate) fn fill<P: Probe + ?Sized>(values: &P, first: u64, keys: &mut [Key]) {
    let inside = (values.states() - first).min(keys.len() as u64) as usize;
    let (keys, beyond) = keys.split_at_mut(inside);
    beyond.fill(Key::of(None));
    if fill_inside(values, first, keys).is_err() {
        // A caller that needs one of these values probes the state again, and gets the error.
        keys.fill(Key::UNKNOWN);
    }
}

fn fill_inside<P: Probe + ?Sized>(
    values: &P,
    first: u64,
    keys: &mut [Key],
) -> Result<(), P::Error> {
    // Few enough to stay in the nearest cache.
    let mut codes = [Code::INVALID; 1 << 10];
    for (first, keys) in (first..).step_by(codes.len()).zip(keys.chunks_mut(codes.len())) {
        let codes = &mut codes[..keys.len()];
        values.fill_codes(first, codes)?;
        let mut most = 0;
        for (key, code) in keys.iter_mut().zip(&*codes) {
            *key = Key::from(*code);
            most = most.max(code.0);
        }
        if Code(most).is_far() {
            let far = (first..).zip(keys).zip(codes).filter(|(_, code)| code.is_far());
            for ((state, key), _) in far {
                *key = Key::of(values.probe(state)?);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Value;
    use std::convert::Infallible;

    fn value(state: u64) -> Option<Value> {
        Some(Value::Win((state % 31_991) as u32))
    }

    struct Numbered(u64);

    impl Probe for Numbered {
        type Error = Infallible;
        fn states(&self) -> u64 {
            self.0
        }
        fn has_distances(&self) -> bool {
            true
        }
        fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
            Ok(value(state))
        }
    }

    #[test]
    fn a_window_holds_what_lies_around_its_place() {
        let states = 5 * PAGE + 123;
        let bytes = 4 * PAGE * size_of::<Key>() as u64;
        let mut window = KeyWindow::new(states, bytes);
        for end in [1, PAGE, 2 * PAGE, 3 * PAGE + 5, 4 * PAGE, states] {
            window.slide_to(end, &Numbered(states));
            for state in (end.saturating_sub(2 * PAGE)..states.min(end + PAGE)).step_by(997) {
                let expected = Key::of(value(state));
                assert!(window.get(state).is_none_or(|key| key == expected), "{state} at {end}");
            }
            assert!(
                window.get(end - 1).is_some() && window.get(end.saturating_sub(PAGE)).is_some()
            );
            assert_eq!(window.get(states.next_multiple_of(64)), None);
            let word = window.word((end - 1) / 64).expect("the last word is held");
            for (state, key) in ((end - 1) / 64 * 64..).zip(word) {
                let inside = state < states;
                assert_eq!(*key, Key::of(value(state).filter(|_| inside)));
            }
        }
    }
}
