//! Values.

/// Who wins.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player to move loses.
    Loss = 0,
    /// Neither player can win.
    Draw = 1,
    /// The player to move wins.
    Win = 2,
    /// The state is no position of the game.
    Invalid = 3,
}

/// The plies of a draw, of an invalid state, and of a value without a known distance.
pub const UNKNOWN_PLIES: u32 = u32::MAX;

/// The value of a state for the player to move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Who wins.
    pub outcome: Outcome,
    /// In how many plies, or `RETROGRADE_UNKNOWN_PLIES`.
    pub plies: u32,
}

impl Value {
    pub(crate) fn new(value: Option<retrograde::Value>, has_distances: bool) -> Value {
        let (outcome, plies) = match value {
            None => (Outcome::Invalid, UNKNOWN_PLIES),
            Some(retrograde::Value::Draw) => (Outcome::Draw, UNKNOWN_PLIES),
            Some(retrograde::Value::Win(plies)) => (Outcome::Win, plies),
            Some(retrograde::Value::Loss(plies)) => (Outcome::Loss, plies),
        };
        Value { outcome, plies: if has_distances { plies } else { UNKNOWN_PLIES } }
    }
}
