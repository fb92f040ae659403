//! Values as numbers, in the order of the player to move.

use super::window::Held;
use crate::rules::{Code, Value};

/// A value in four bytes. Keys have the order of values. Two keys below all others stand for no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LongKey(u32);

impl LongKey {
    /// An invalid state.
    pub(crate) const INVALID: LongKey = LongKey(0);
    /// The greatest key.
    pub(crate) const MAX: LongKey = LongKey(u32::MAX);
    const LOSS: u32 = 2;
    const DRAW: u32 = 1 << 31;
    const DISTANCE_MAX: u32 = LongKey::DRAW - LongKey::LOSS - 2;

    /// Whether it stands for a value.
    pub(crate) fn is_value(self) -> bool {
        self > LongKey::UNKNOWN
    }

    /// The value it stands for, if it does.
    pub(crate) fn value(self) -> Option<Value> {
        match self.0 {
            0 | 1 => None,
            LongKey::DRAW => Some(Value::Draw),
            key if key < LongKey::DRAW => Some(Value::Loss(key - LongKey::LOSS)),
            key => Some(Value::Win(u32::MAX - key)),
        }
    }

    /// The value of a move to a state of this key, as in [`Value::after_move`].
    #[inline(always)]
    pub(crate) fn after_move(self, keeps_turn: bool) -> LongKey {
        self.value()
            .map_or(LongKey::UNKNOWN, |value| LongKey::of(Some(value.after_move(keeps_turn))))
    }

    /// Win, loss or draw, without the distance.
    pub(crate) fn outcome(self) -> std::cmp::Ordering {
        self.0.cmp(&LongKey::DRAW)
    }
}

impl Held for LongKey {
    const UNKNOWN: LongKey = LongKey(1);

    fn of(value: Option<Value>) -> LongKey {
        match value {
            None => LongKey::INVALID,
            Some(Value::Draw) => LongKey(LongKey::DRAW),
            Some(Value::Loss(distance)) if distance <= LongKey::DISTANCE_MAX => {
                LongKey(LongKey::LOSS + distance)
            }
            Some(Value::Win(distance)) if distance <= LongKey::DISTANCE_MAX => {
                LongKey(u32::MAX - distance)
            }
            Some(_) => LongKey::UNKNOWN,
        }
    }
}

impl From<Code> for LongKey {
    #[inline]
    fn from(code: Code) -> LongKey {
        let distance = u32::from(code.0 / 2).wrapping_sub(1);
        LongKey(match code.0 {
            0 => LongKey::INVALID.0,
            1 => LongKey::DRAW,
            _ if code.is_far() => LongKey::UNKNOWN.0,
            code if code % 2 == 0 => LongKey::LOSS + distance,
            _ => u32::MAX - distance,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_as_players_order_values() {
        let far = LongKey::DISTANCE_MAX;
        let mut values = vec![Value::Draw];
        for distance in [0, 1, 2, 255, 256, 65_536, far - 1, far] {
            values.extend([Value::Loss(distance), Value::Win(distance)]);
        }
        for a in &values {
            let key = LongKey::of(Some(*a));
            assert_eq!(key.value(), Some(*a));
            let code = Code::of(Some(*a));
            assert_eq!(LongKey::from(code), if code.is_far() { LongKey::UNKNOWN } else { key });
            for b in &values {
                let other = LongKey::of(Some(*b));
                assert_eq!(key.cmp(&other), a.cmp(b), "{a:?} {b:?}");
                assert_eq!(key.outcome() == other.outcome(), a.outcome() == b.outcome());
            }
        }
        for none in [None, Some(Value::Loss(far + 1)), Some(Value::Win(u32::MAX))] {
            assert!(!LongKey::of(none).is_value() && !LongKey::from(Code::of(none)).is_value());
        }
    }
}
