//! Several sets of squares that do not meet, each of a size of its own: stones of several kinds.
//!
//! Each set is ranked among the squares that those before it leave free, and the ranks are the digits of the number,
//! the first set's the highest.

use crate::subsets::below;
use crate::{Compress, Subsets, binomial};

/// A numbering of `SETS` sets of squares that do not meet.
///
/// ```
/// // Three white stones and two black ones on nine squares.
/// let stones = retrograde_boards::Disjoint::new(9, [3, 2]);
/// assert_eq!(stones.count(), 84 * 15);
/// let number = stones.rank([0b111, 0b11000]);
/// assert_eq!(stones.unrank(number), [0b111, 0b11000]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disjoint<const SETS: usize> {
    squares: u32,
    sizes: [u32; SETS],
    count: u64,
}

impl<const SETS: usize> Disjoint<SETS> {
    /// Sets of these sizes among so many squares.
    ///
    /// # Panics
    ///
    /// Where there are more than 64 squares, where the sets do not find room, or where they can be placed in more than
    /// 2^64 ways.
    pub fn new(squares: u32, sizes: [u32; SETS]) -> Disjoint<SETS> {
        assert!(squares <= 64, "{squares} squares: a set holds at most 64");
        let mut free = squares;
        let mut count = 1u64;
        for size in sizes {
            assert!(size <= free, "sets of {sizes:?} do not find room on {squares} squares");
            let places = binomial(free, size);
            count = count.checked_mul(places).unwrap_or_else(|| {
                panic!("sets of {sizes:?} on {squares} squares: more than 2^64 numbers")
            });
            free -= size;
        }
        Disjoint { squares, sizes, count }
    }

    /// In how many ways the sets can be placed.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of sets that do not meet and have the right sizes.
    pub fn rank(&self, sets: [u64; SETS]) -> u64 {
        let (mut taken, mut free, mut rank) = (0, self.squares, 0);
        for (set, size) in sets.into_iter().zip(self.sizes) {
            let pressed = if taken == 0 { set } else { Compress::new(!taken).press(set) };
            let subsets = Subsets::new(free, size);
            rank = rank * subsets.count() + subsets.rank(pressed);
            taken |= set;
            free -= size;
        }
        rank
    }

    /// The sets of a number below [`count`](Disjoint::count).
    pub fn unrank(&self, rank: u64) -> [u64; SETS] {
        let (mut taken, mut free) = (0, self.squares);
        let (mut rest, mut places) = (rank, self.count);
        let mut sets = [0; SETS];
        for (set, size) in sets.iter_mut().zip(self.sizes) {
            let subsets = Subsets::new(free, size);
            places /= subsets.count();
            let open = Compress::new(!taken & below(self.squares));
            *set = open.spread(subsets.unrank(rest / places));
            rest %= places;
            taken |= *set;
            free -= size;
        }
        sets
    }
}
