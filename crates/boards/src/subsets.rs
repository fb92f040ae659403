//! Sets of `k` squares among `n`, in colexicographic order: the order of their bit masks as numbers.
//!
//! The set of squares `s1 < s2 < .. < sk` has rank `C(s1, 1) + C(s2, 2) + .. + C(sk, k)`. The term `C(si, i)`
//! counts the sets that have the same squares above `si`, and `i` squares below `si`.

use crate::binomial;

/// Numbers the sets of `k` squares among `n`.
///
/// ```
/// let pairs = retrograde_boards::Subsets::new(8, 2);
/// assert_eq!(pairs.count(), 28);
/// assert_eq!(pairs.rank(0b1000_0001), 21);
/// assert_eq!(pairs.unrank(21), 0b1000_0001);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subsets {
    squares: u32,
    size: u32,
}

impl Subsets {
    /// The sets of `size` among `squares` squares.
    ///
    /// # Panics
    ///
    /// If there are more than 64 squares, or fewer than `size`.
    pub fn new(squares: u32, size: u32) -> Subsets {
        assert!(squares <= 64, "{squares} squares: a set holds at most 64");
        assert!(size <= squares, "no set of {size} squares among {squares}");
        Subsets { squares, size }
    }

    /// How many sets there are.
    pub fn count(&self) -> u64 {
        binomial(self.squares, self.size)
    }

    /// The rank of a set, which must have the right size.
    #[inline]
    pub fn rank(&self, set: u64) -> u64 {
        debug_assert!(set.count_ones() == self.size && below(self.squares) & set == set);
        rank(set)
    }

    /// The set of a number below [`count`](Subsets::count).
    pub fn unrank(&self, rank: u64) -> u64 {
        debug_assert!(rank < self.count());
        let (mut rest, mut set, mut square) = (rank, 0, self.squares);
        for i in (1..=self.size).rev() {
            square -= 1;
            while binomial(square, i) > rest {
                square -= 1;
            }
            rest -= binomial(square, i);
            set |= 1 << square;
        }
        set
    }

    /// All sets in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = u64> + use<> {
        let count = self.count();
        let mut set = below(self.size);
        (0..count).map(move |rank| {
            let this = set;
            if rank + 1 < count {
                set = successor(set);
            }
            this
        })
    }
}

/// The rank of a set among all sets of its size.
#[inline(always)]
pub(crate) fn rank(set: u64) -> u64 {
    let (mut rank, mut rest, mut place) = (0, set, 0);
    while rest != 0 {
        place += 1;
        rank += binomial(rest.trailing_zeros(), place);
        rest &= rest - 1;
    }
    rank
}

/// The squares below a square.
#[inline]
pub(crate) fn below(square: u32) -> u64 {
    u64::MAX.checked_shr(64 - square).unwrap_or(0)
}

/// The next larger number with as many ones. Of the lowest run of ones, the highest one moves up by a place,
/// and the others move to the bottom (HAKMEM 175).
fn successor(set: u64) -> u64 {
    let Some(lowest) = 1u64.checked_shl(set.trailing_zeros()) else { return 0 };
    let raised = set.wrapping_add(lowest);
    raised | (set ^ raised).checked_shr(2 + lowest.trailing_zeros()).unwrap_or(0)
}
