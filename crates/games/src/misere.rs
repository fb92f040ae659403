//! A parameter that several games have.

use retrograde_positions::{Kind, Parameter};

/// Makes the player who cannot move win.
pub(crate) const MISERE: Parameter = Parameter {
    name: "misere",
    kind: Kind::Switch,
    default: None,
    help: "the player who cannot move wins",
};
