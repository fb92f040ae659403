//! The values of exits, and what they do to the bounds of a table that leaves them out.

use retrograde::{Code, Value};

use crate::error::TableError;

/// Gives the values of the exits of a game. An exit is a move into another table.
pub trait BestExits: Sync {
    /// The value of the best exit of a state, for the player to move. `None` for a state without exits, and for an
    /// invalid state.
    fn best_exit(&self, state: u64) -> Result<Option<Value>, TableError>;

    /// For each state from `first` on, writes the code of its best exit. Writes [`Code::INVALID`] in place of `None`.
    fn best_exits(&self, first: u64, exits: &mut [Code]) -> Result<(), TableError>;
}

/// A value in the form that a table has. In a table without distances, each distance is 0.
pub(crate) fn as_kept(value: Value, distances: bool) -> Value {
    match value {
        Value::Win(_) if !distances => Value::Win(0),
        Value::Loss(_) if !distances => Value::Loss(0),
        value => value,
    }
}

/// The value of a state, from the bound in the table and from its best exit.
pub(crate) fn raised(bound: Option<Value>, exit: Option<Value>, distances: bool) -> Option<Value> {
    // An invalid state stays invalid.
    bound.map(|bound| exit.map_or(bound, |exit| as_kept(exit, distances).max(bound)))
}

/// The same for codes: writes the codes of values over those of bounds. If some distances are too long for codes, the codes
/// of these values are [far](Code::is_far).
pub(crate) fn raise(bounds: &mut [Code], exits: &[Code], distances: bool) {
    for (bound, exit) in bounds.iter_mut().zip(exits) {
        let exit = exit_as_kept(*exit, distances);
        // A state without exits, and an invalid state, have the least rank.
        let rises = *bound != Code::INVALID && exit.rank() > bound.rank();
        *bound = if rises { exit } else { *bound };
    }
}

/// The code of an exit in the form that a table has.
pub(crate) fn exit_as_kept(exit: Code, distances: bool) -> Code {
    let is_long = exit > Code::DRAW && !distances;
    if is_long { Code::from_bits(2 | exit.bits() & 1) } else { exit }
}
