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
        const OUTCOMES: [Outcome; 4] =
            [Outcome::Loss, Outcome::Draw, Outcome::Win, Outcome::Invalid];
        // Sums, because a match would be a jump, and the processor does not foresee where to.
        let won = usize::from(matches!(value, Some(retrograde::Value::Win(_))));
        let lost = usize::from(matches!(value, Some(retrograde::Value::Loss(_))));
        let outcome = OUTCOMES[1 + won + 2 * usize::from(value.is_none()) - lost];
        let plies = value.and_then(retrograde::Value::distance).filter(|_| has_distances);
        Value { outcome, plies: plies.unwrap_or(UNKNOWN_PLIES) }
    }
}
