//! The value of a state for the player to move.

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
}
