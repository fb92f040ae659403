//! Several disjoint sets of squares: stones of several kinds.

use crate::stones::{Placing, Stones};

/// Numbers `SETS` disjoint sets of squares.
///
/// The number of stones of a kind is fixed, or has a maximum, or is free: see [`Stones`].
///
/// ```
/// use retrograde_boards::{Disjoint, Stones};
///
/// // Three white stones and two black ones on nine squares.
/// let stones = Disjoint::new(9, [3, 2]);
/// assert_eq!(stones.count(), 84 * 15);
/// let number = stones.rank([0b111, 0b11000]);
/// assert_eq!(stones.unrank(number), [0b111, 0b11000]);
///
/// // The same where black stones can be captured.
/// let stones = Disjoint::new(9, [Stones::Exactly(3), Stones::AtMost(2)]);
/// assert_eq!(stones.count(), 84 * (1 + 6 + 15));
/// ```
#[derive(Clone, Debug)]
pub struct Disjoint<const SETS: usize> {
    sets: Placing<SETS>,
    count: u64,
}

impl<const SETS: usize> Disjoint<SETS> {
    /// Sets of these sizes on `squares` squares. A plain number means [`Stones::Exactly`].
    ///
    /// # Panics
    ///
    /// If there are more than 64 squares, if the sets do not fit, or if there are more than 2^64 ways to
    /// place them.
    pub fn new(squares: u32, stones: [impl Into<Stones>; SETS]) -> Disjoint<SETS> {
        assert!(squares <= 64, "{squares} squares: a set holds at most 64");
        let stones = stones.map(Into::into);
        let sets = Placing::new(squares, stones, 0);
        let count = sets.as_ref().and_then(|sets| sets.ways(0, squares));
        let (Some(sets), Some(count)) = (sets, count) else {
            panic!("{stones:?} do not fit on {squares} squares, or need more than 2^64 numbers")
        };
        Disjoint { sets, count }
    }

    /// In how many ways the sets can be placed.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of disjoint sets that have the right sizes.
    #[inline]
    pub fn rank(&self, sets: [u64; SETS]) -> u64 {
        self.sets.rank(0, 0, &sets)
    }

    /// The sets of a number below [`count`](Disjoint::count).
    #[inline]
    pub fn unrank(&self, rank: u64) -> [u64; SETS] {
        let mut sets = [0; SETS];
        self.sets.unrank(0, rank, &mut sets);
        sets
    }
}
