//! How the rows of a game are numbered. See `rows.rs`.

use retrograde_boards::Cells;

use crate::board::Set;

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
