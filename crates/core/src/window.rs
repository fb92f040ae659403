//! The values of a run of states, unpacked, for whoever asks for each of them many times.
//!
//! Neighbouring states lead to neighbouring states, so a window that slides over the numbering answers nearly all
//! that is asked of the states in its middle, in one load each. It is a ring of pages; a value is a key that
//! orders values as players do.

use std::ops::Range;

use rayon::prelude::*;

use crate::game::{Probe, Value};

/// How many states are filled in at a time: the least that a window holds.
pub(crate) const PAGE: u64 = 1 << 16;

/// A value in four bytes, ordered by [`Value::preference`]; below all values the two that are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u32);

impl Key {
    /// A void state.
    pub(crate) const VOID: Key = Key(0);
    /// A value that must be asked for: it could not be had, or is too far for a key.
    pub(crate) const UNKNOWN: Key = Key(1);
    /// The greatest of all.
    pub(crate) const MAX: Key = Key(u32::MAX);
    const LOSS: u32 = 2;
    const DRAW: u32 = 1 << 31;
    const DISTANCE_MAX: u32 = Key::DRAW - Key::LOSS - 2;

    /// The key of a value, or of a void state.
    pub(crate) fn of(value: Option<Value>) -> Key {
        match value {
            None => Key::VOID,
            Some(Value::Draw) => Key(Key::DRAW),
            Some(Value::Loss(distance)) if distance <= Key::DISTANCE_MAX => {
                Key(Key::LOSS + distance)
            }
            Some(Value::Win(distance)) if distance <= Key::DISTANCE_MAX => Key(u32::MAX - distance),
            Some(_) => Key::UNKNOWN,
        }
    }

    /// Whether it stands for a value.
    pub(crate) fn is_value(self) -> bool {
        self > Key::UNKNOWN
    }

    /// The value it stands for, if it does.
    pub(crate) fn value(self) -> Option<Value> {
        match self.0 {
            0 | 1 => None,
            Key::DRAW => Some(Value::Draw),
            key if key < Key::DRAW => Some(Value::Loss(key - Key::LOSS)),
            key => Some(Value::Win(u32::MAX - key)),
        }
    }

    /// What a move to a state of this key is worth, as [`Value::after_move`] says.
    #[inline(always)]
    pub(crate) fn after_move(self, keeps_turn: bool) -> Key {
        self.value().map_or(Key::UNKNOWN, |value| Key::of(Some(value.after_move(keeps_turn))))
    }

    /// Who wins: the same for keys that differ in their distance alone.
    pub(crate) fn outcome(self) -> std::cmp::Ordering {
        self.0.cmp(&Key::DRAW)
    }
}

/// A window on the values of a game.
pub(crate) struct Window {
    /// The keys: that of a state at the state modulo their number, a power of two.
    keys: Vec<Key>,
    /// The states that are held.
    held: Range<u64>,
    states: u64,
}

impl Window {
    /// A window on so many states that takes at most so many bytes, or a page if those are fewer.
    pub(crate) fn new(states: u64, bytes_max: u64) -> Window {
        let room = (bytes_max / size_of::<Key>() as u64).max(PAGE);
        let len = states.next_power_of_two().max(PAGE).min(1 << room.ilog2());
        Window { keys: vec![Key::UNKNOWN; len as usize], held: 0..0, states }
    }

    /// The key of a state; `None` where the window does not reach.
    #[inline(always)]
    pub(crate) fn get(&self, state: u64) -> Option<Key> {
        let inside = self.held.contains(&state);
        inside.then(|| self.keys[state as usize & (self.keys.len() - 1)])
    }

    /// Slides until the states before `end` are held, and as many after them as are before them.
    pub(crate) fn slide_to<P: Probe>(&mut self, end: u64, values: &P) {
        let len = self.keys.len() as u64;
        let ahead = end.saturating_add(len / 2).next_multiple_of(PAGE).min(self.states);
        // So much at a time that the ring is not gone round.
        while self.held.end < ahead {
            let first = self.held.end;
            let slot = first as usize & (self.keys.len() - 1);
            let count = (ahead - first).min(len - slot as u64);
            let keys = &mut self.keys[slot..slot + count as usize];
            keys.par_chunks_mut(PAGE as usize).enumerate().for_each(|(page, keys)| {
                fill(values, first + page as u64 * PAGE, keys);
            });
            let end = first + count;
            self.held = self.held.start.max(end.saturating_sub(len))..end;
        }
    }
}

/// Fills in the keys of the states from `first` on.
fn fill<P: Probe>(values: &P, first: u64, keys: &mut [Key]) {
    // Few enough to stay in the nearest cache between being unpacked and becoming keys.
    const RUN: usize = 1 << 10;
    let mut unpacked = [None; RUN];
    for (run, keys) in keys.chunks_mut(RUN).enumerate() {
        let unpacked = &mut unpacked[..keys.len()];
        match values.fill(first + (run * RUN) as u64, unpacked) {
            Ok(()) => {
                keys.iter_mut().zip(unpacked).for_each(|(key, value)| *key = Key::of(*value));
            }
            // Whoever needs one of them asks again, and learns what is wrong.
            Err(_) => keys.fill(Key::UNKNOWN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn keys_are_ordered_as_players_order_values() {
        let far = Key::DISTANCE_MAX;
        let mut values = vec![Value::Draw];
        for distance in [0, 1, 2, 255, 256, 65_536, far - 1, far] {
            values.extend([Value::Loss(distance), Value::Win(distance)]);
        }
        for a in &values {
            let key = Key::of(Some(*a));
            assert_eq!(key.value(), Some(*a));
            for b in &values {
                let other = Key::of(Some(*b));
                assert_eq!(key.cmp(&other), a.preference().cmp(&b.preference()), "{a:?} {b:?}");
                assert_eq!(key.outcome() == other.outcome(), a.outcome() == b.outcome());
            }
        }
        for none in [None, Some(Value::Loss(far + 1)), Some(Value::Win(u32::MAX))] {
            assert!(!Key::of(none).is_value());
        }
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
            Ok(Some(Value::Win(state as u32)))
        }
    }

    #[test]
    fn a_window_holds_what_lies_around_its_place() {
        let states = 5 * PAGE + 123;
        let bytes = 4 * PAGE * size_of::<Key>() as u64;
        let mut window = Window::new(states, bytes);
        for end in [1, PAGE, 2 * PAGE, 3 * PAGE + 5, 4 * PAGE, states] {
            window.slide_to(end, &Numbered(states));
            for state in (end.saturating_sub(2 * PAGE)..states.min(end + PAGE)).step_by(997) {
                let expected = Key::of(Some(Value::Win(state as u32)));
                assert!(window.get(state).is_none_or(|key| key == expected), "{state} at {end}");
            }
            assert!(
                window.get(end - 1).is_some() && window.get(end.saturating_sub(PAGE)).is_some()
            );
            assert_eq!(window.get(states), None);
        }
    }
}
