//! A value as a number that orders values as players do.

use super::window::Held;
use crate::rules::Value;

/// A value in four bytes, ordered by [`Value::preference`]; below all values the two that are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u32);

impl Key {
    /// A void state.
    pub(crate) const VOID: Key = Key(0);
    /// The greatest of all.
    pub(crate) const MAX: Key = Key(u32::MAX);
    const LOSS: u32 = 2;
    const DRAW: u32 = 1 << 31;
    const DISTANCE_MAX: u32 = Key::DRAW - Key::LOSS - 2;

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

impl Held for Key {
    const UNKNOWN: Key = Key(1);

    fn of(value: Option<Value>) -> Key {
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
