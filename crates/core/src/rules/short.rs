//! A value in two bytes, for loops over all states: eight of them fit a register.

use super::value::Value;

/// The number of a value: 0 is invalid, 1 a draw, `2 + 2d` a loss in `d`, `3 + 2d` a win in `d`; [`FAR`](Short::FAR) what has
/// a number that does not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Short(pub u16);

impl Short {
    /// An invalid state.
    pub const INVALID: Short = Short(0);
    /// A draw.
    pub const DRAW: Short = Short(1);
    /// A win or a loss of a distance that is too long for two bytes.
    pub const FAR: Short = Short(u16::MAX);
    /// The longest distance that a number tells.
    pub const DISTANCE_MAX: u32 = (u16::MAX as u32 - 5) / 2;

    /// The number of a value, or of an invalid state.
    #[inline]
    pub fn of(value: Option<Value>) -> Short {
        let number = |distance: u32, least: u16| match distance {
            0..=Short::DISTANCE_MAX => Short(least + 2 * distance as u16),
            _ => Short::FAR,
        };
        match value {
            None => Short::INVALID,
            Some(Value::Draw) => Short::DRAW,
            Some(Value::Loss(distance)) => number(distance, 2),
            Some(Value::Win(distance)) => number(distance, 3),
        }
    }

    /// The value, or nothing of an invalid state.
    ///
    /// # Panics
    ///
    /// If it is too far.
    #[inline]
    pub fn value(self) -> Option<Value> {
        assert!(
            self != Short::FAR,
            "a distance beyond {} has no short number",
            Short::DISTANCE_MAX
        );
        let distance = || u32::from(self.0 - 2) / 2;
        match self.0 {
            0 => None,
            1 => Some(Value::Draw),
            number if number % 2 == 0 => Some(Value::Loss(distance())),
            _ => Some(Value::Win(distance())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tell_values() {
        let mut values = vec![None, Some(Value::Draw)];
        for distance in [0, 1, 2, 255, 256, Short::DISTANCE_MAX] {
            values.extend([Some(Value::Loss(distance)), Some(Value::Win(distance))]);
        }
        for value in &values {
            assert_eq!(Short::of(*value).value(), *value);
        }
        assert!(values.is_sorted_by_key(|value| Short::of(*value)));
        for far in [Value::Loss(Short::DISTANCE_MAX + 1), Value::Win(u32::MAX)] {
            assert_eq!(Short::of(Some(far)), Short::FAR);
        }
    }
}
