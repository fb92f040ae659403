//! Values in two bytes: see [`Key`].

use crate::rules::{Code, Key, Value};

/// The key of a state that is won in 0. A state that is lost in 0 has the negative of it.
pub(super) const WON: i16 = i16::MAX - 1;
/// A longer distance has no key.
const DISTANCE_MAX: u32 = 32_000;

impl Key {
    /// The lookup has failed, or the distance is too long for a key. The caller must probe the state.
    pub(super) const UNKNOWN: Key = Key(i16::MIN);

    /// The key of a value, or of an invalid state.
    pub(super) fn of(value: Option<Value>) -> Key {
        match value {
            None => Key::INVALID,
            Some(Value::Draw) => Key(0),
            Some(Value::Win(distance)) if distance <= DISTANCE_MAX => Key(WON - distance as i16),
            Some(Value::Loss(distance)) if distance <= DISTANCE_MAX => Key(distance as i16 - WON),
            Some(_) => Key::UNKNOWN,
        }
    }

    /// The key of a move to a state of this key, which stands for a value: see [`Value::after_move`].
    #[inline(always)]
    pub(super) fn after_move(self, keeps_turn: bool) -> Key {
        // A ply more is nearer to a draw.
        let key = Key(self.0 - self.0.signum());
        if keeps_turn { key } else { key.turned() }
    }
}

/// A distance beyond 32,000 has a key that no value has.
impl From<Code> for Key {
    #[inline]
    fn from(code: Code) -> Key {
        const FAR: u16 = 2 + 2 * DISTANCE_MAX as u16;
        let distance = (code.0.wrapping_sub(2) / 2) as i16;
        match code.0 {
            0 => Key::INVALID,
            1 => Key(0),
            code if code >= FAR + 2 => Key::UNKNOWN,
            code => Key(if code % 2 == 0 { distance - WON } else { WON - distance }),
        }
    }
}

impl From<Key> for Code {
    #[inline]
    fn from(Key(key): Key) -> Code {
        match key {
            i16::MAX => Code::INVALID,
            0 => Code::DRAW,
            key if key > 0 => Code(3 + 2 * (WON - key) as u16),
            key => Code(2 + 2 * (key + WON) as u16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_as_players_order_values() {
        let far = DISTANCE_MAX;
        let mut values = vec![Value::Draw];
        for distance in [0, 1, 2, 255, 256, far - 1, far] {
            values.extend([Value::Loss(distance), Value::Win(distance)]);
        }
        for a in &values {
            let (key, code) = (Key::of(Some(*a)), Code::of(Some(*a)));
            assert_eq!((Key::from(code), Code::from(key)), (key, code));
            for b in &values {
                assert_eq!(key.cmp(&Key::of(Some(*b))), a.cmp(b), "{a:?} {b:?}");
            }
            if a.distance() != Some(far) {
                for keeps in [false, true] {
                    assert_eq!(key.after_move(keeps), Key::of(Some(a.after_move(keeps))), "{a:?}");
                }
            }
        }
        assert_eq!(Key::from(Code::of(None)), Key::of(None));
        for beyond in [Value::Loss(far + 1), Value::Win(u32::MAX)].map(Some) {
            assert_eq!([Key::of(beyond), Key::from(Code::of(beyond))], [Key::UNKNOWN; 2]);
        }
    }
}
