//! The value of a state for the player to move, and its form in two bytes.
//!
//! Solutions, the verifier, tables and packets between processes use the numbers of values to keep or pass many of them. Eight
//! codes of two bytes fit a register. A few distances do not fit in a code. A reader looks them up, or gets them beside
//! the codes.

use std::cmp::Ordering;
use std::fmt;

/// The value of a state for the player to move, with the distance to the end in plies. The winner hurries and
/// the loser delays. Values are ordered from worst to best. Players prefer a longer loss and a shorter win.
///
/// ```
/// use retrograde::Value;
///
/// assert!(Value::Loss(2) < Value::Loss(4) && Value::Loss(4) < Value::Draw);
/// assert!(Value::Draw < Value::Win(5) && Value::Win(5) < Value::Win(3));
/// assert_eq!(Value::Win(3).to_string(), "win in 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The player to move loses in this number of plies.
    Loss(u32),
    /// Neither player can force the end.
    Draw,
    /// The player to move wins in this number of plies.
    Win(u32),
}

/// A [`Value`] without its distance. Ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The player to move loses.
    Loss,
    /// Neither player can force the end.
    Draw,
    /// The player to move wins.
    Win,
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance() {
            Some(distance) => write!(f, "{} in {distance}", self.outcome()),
            None => self.outcome().fmt(f),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}

impl Value {
    /// Win, loss or draw, without the distance.
    pub fn outcome(self) -> Outcome {
        match self {
            Value::Loss(_) => Outcome::Loss,
            Value::Draw => Outcome::Draw,
            Value::Win(_) => Outcome::Win,
        }
    }

    /// The distance in plies; a draw has none.
    pub fn distance(self) -> Option<u32> {
        match self {
            Value::Loss(d) | Value::Win(d) => Some(d),
            Value::Draw => None,
        }
    }

    /// The value of a move to a state of this value, for the player who makes the move. It is one ply longer.
    /// It is for the other player, unless the move keeps the turn. No distance exceeds `u32::MAX`.
    #[must_use]
    pub fn after_move(self, keeps_turn: bool) -> Value {
        match (self, keeps_turn) {
            (Value::Draw, _) => Value::Draw,
            (Value::Loss(d), false) | (Value::Win(d), true) => Value::Win(d.saturating_add(1)),
            (Value::Win(d), false) | (Value::Loss(d), true) => Value::Loss(d.saturating_add(1)),
        }
    }

    /// Orders values: wins above draws above losses, shorter wins above longer ones, longer losses above
    /// shorter ones.
    fn preference(self) -> (Outcome, i64) {
        match self {
            Value::Loss(d) => (Outcome::Loss, i64::from(d)),
            Value::Draw => (Outcome::Draw, 0),
            Value::Win(d) => (Outcome::Win, -i64::from(d)),
        }
    }
}

/// A value in two bytes: 0 is invalid, 1 a draw, `2 + 2d` a loss in `d`, `3 + 2d` a win in `d`. The last two codes are
/// [far](Code::is_far): a loss and a win whose distance is too long for a code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub(crate) u16);

impl Code {
    /// An invalid state.
    pub const INVALID: Code = Code(0);
    /// A draw.
    pub const DRAW: Code = Code(1);
    /// The longest distance that a code can hold.
    pub const DISTANCE_MAX: u32 = (Code::FAR_LOSS as u32 - 4) / 2;

    const FAR_LOSS: u16 = u16::MAX - 1;

    /// The code with these two bytes.
    #[inline]
    pub const fn from_bits(bits: u16) -> Code {
        Code(bits)
    }

    /// Its two bytes.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The code of a value, or of an invalid state.
    #[inline]
    pub fn of(value: Option<Value>) -> Code {
        let number = Code::number(value);
        // A number of more than 32 bits is far, too.
        let far = u32::from(Code::FAR_LOSS) + (number & 1) as u32;
        Code::of_number(u32::try_from(number).unwrap_or(far))
    }

    /// The code of a number.
    #[inline]
    pub(crate) fn of_number(number: u32) -> Code {
        let far = Code::FAR_LOSS | (number & 1) as u16;
        Code(if number < u32::from(Code::FAR_LOSS) { number as u16 } else { far })
    }

    /// The value, or `None` for an invalid state.
    ///
    /// # Panics
    ///
    /// If the code is far.
    #[inline]
    pub fn value(self) -> Option<Value> {
        self.value_with(|| panic!("a distance beyond {} has no code", Code::DISTANCE_MAX))
    }

    /// The value, or `None` for an invalid state. If the code is far, this calls `distance` to get the distance.
    #[inline]
    pub fn value_with(self, distance: impl FnOnce() -> u32) -> Option<Value> {
        let distance =
            if self.is_far() { distance() } else { u32::from(self.0 / 2).wrapping_sub(1) };
        match self.0 {
            0 => None,
            1 => Some(Value::Draw),
            code if code % 2 == 0 => Some(Value::Loss(distance)),
            _ => Some(Value::Win(distance)),
        }
    }

    /// Win, loss or draw, or `None` for an invalid state.
    #[inline]
    pub fn outcome(self) -> Option<Outcome> {
        self.value_with(|| 0).map(Value::outcome)
    }

    /// Whether it is a win or a loss whose distance is too long for a code.
    #[inline]
    pub fn is_far(self) -> bool {
        self.0 >= Code::FAR_LOSS
    }

    /// Codes have ranks in the order of their values. The code of an invalid state has the least rank. Far codes of one
    /// outcome have the same rank.
    #[inline]
    pub fn rank(self) -> i32 {
        // This has no branches, because the processor cannot predict which value comes.
        let number = i32::from(self.0);
        let shortness = i32::from(u16::MAX) + 1 - number;
        let rank = if number & 1 == 0 { -shortness } else { shortness };
        if number == 1 { 0 } else { rank }
    }

    /// The number of a value. It is the code of the value, unless the code is far.
    #[inline]
    pub fn number(value: Option<Value>) -> u64 {
        // This has no branches, because the processor cannot predict which value comes.
        let (tag, distance) = match value {
            None => (0, 0),
            Some(Value::Draw) => (1, 0),
            Some(Value::Loss(distance)) => (2, distance),
            Some(Value::Win(distance)) => (3, distance),
        };
        tag + 2 * u64::from(distance)
    }

    /// The value of a number, or `None` if no value has this number.
    pub fn value_of(number: u64) -> Option<Option<Value>> {
        let distance = u32::try_from((number / 2).saturating_sub(1)).ok()?;
        Some(match number {
            0 => None,
            1 => Some(Value::Draw),
            _ if number.is_multiple_of(2) => Some(Value::Loss(distance)),
            _ => Some(Value::Win(distance)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One ply after the longest distance came distance 0, or a panic.
    #[test]
    fn the_longest_distance_is_followed_by_itself() {
        let max = u32::MAX;
        assert_eq!(Value::Loss(max).after_move(false), Value::Win(max));
        assert_eq!(Value::Win(max).after_move(false), Value::Loss(max));
        assert_eq!(Value::Win(max).after_move(true), Value::Win(max));
        assert_eq!(Value::Loss(max - 1).after_move(true), Value::Loss(max));
    }

    #[test]
    fn ranks_have_the_order_of_values() {
        let values = [Value::Loss(0), Value::Loss(1), Value::Loss(Code::DISTANCE_MAX), Value::Draw]
            .into_iter()
            .chain([Value::Win(Code::DISTANCE_MAX), Value::Win(1), Value::Win(0)]);
        let codes: Vec<Code> = [None].into_iter().chain(values.map(Some)).map(Code::of).collect();
        assert!(codes.is_sorted_by_key(|code| code.rank()));
        assert!(codes.windows(2).all(|pair| pair[0].rank() != pair[1].rank()));
        for (far, near) in [(Value::Loss(u32::MAX), 3), (Value::Win(u32::MAX), 4)] {
            let rank = Code::of(Some(far)).rank();
            assert!(codes[near].rank() < rank && rank < codes[near + 1].rank());
        }
    }

    #[test]
    fn codes_and_numbers_tell_values() {
        let mut values = vec![None, Some(Value::Draw)];
        for distance in [0, 1, 2, 255, 256, Code::DISTANCE_MAX] {
            values.extend([Some(Value::Loss(distance)), Some(Value::Win(distance))]);
        }
        for value in &values {
            let code = Code::of(*value);
            assert_eq!((code.value(), code.is_far()), (*value, false));
            assert_eq!(u64::from(code.0), Code::number(*value));
        }
        assert!(values.is_sorted_by_key(|value| Code::of(*value)));
        for distance in [Code::DISTANCE_MAX + 1, 1 << 20, u32::MAX - 1, u32::MAX] {
            for value in [Value::Loss(distance), Value::Win(distance)] {
                let code = Code::of(Some(value));
                assert!(code.is_far());
                assert_eq!(code.outcome(), Some(value.outcome()));
                assert_eq!(code.value_with(|| distance), Some(value));
                assert!(std::panic::catch_unwind(|| code.value()).is_err());
            }
            values.extend([Some(Value::Loss(distance)), Some(Value::Win(distance))]);
        }
        for value in values {
            assert_eq!(Code::value_of(Code::number(value)), Some(value));
            assert_eq!(Code::of(value).outcome(), value.map(Value::outcome));
        }
        assert_eq!(Code::value_of(Code::number(Some(Value::Win(u32::MAX))) + 1), None);
        assert_eq!(Code::value_of(u64::MAX), None);
    }
}
