//! How the rows of a game are numbered. See `rows.rs`.

use std::sync::OnceLock;

use retrograde::Value;
use retrograde_boards::Cells;

use crate::board::Set;
use crate::row_steps::{Masks, RowSteps};

/// How rows are numbered.
pub(crate) struct RowNumbers {
    /// The numbers of the other men.
    pub(crate) cells: Cells,
    /// The slot of the lone man, his player, and where he may stand.
    pub(crate) lone: usize,
    pub(crate) player: usize,
    pub(crate) zone: Set,
    /// A row has `1 << shift` numbers.
    pub(crate) shift: u32,
    /// What steps of other men ask of the place of the lone man.
    pub(crate) masks: Masks,
    /// The moves between rows, once a solve has asked for them.
    pub(crate) steps: OnceLock<RowSteps>,
}

impl RowNumbers {
    /// The bits of a row.
    pub(crate) fn board(&self) -> Set {
        Set::MAX >> (64 - (1 << self.shift))
    }

    pub(crate) fn states(&self) -> u64 {
        self.cells.states() << self.shift
    }
}

/// What the rules say of some positions of a row.
pub(crate) enum Finding {
    Value(Value),
    /// They are open, and have an exit of this value.
    Exit(Value),
    Open,
}

/// The set of some points.
pub(crate) fn set_of(points: impl Iterator<Item = u32>) -> Set {
    points.fold(0, |set, point| set | 1 << point)
}

/// The elements of a set of elements.
pub(crate) fn each_of(mut elements: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let element = elements.trailing_zeros();
        elements &= elements.wrapping_sub(1);
        (element < u128::BITS).then_some(element as usize)
    })
}
