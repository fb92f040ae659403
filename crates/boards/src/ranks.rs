//! Ranks of subsets by two table lookups, for numberings in hot loops.
//!
//! The rank of a set is a sum over its squares. The term of a square depends on the number of squares of the
//! set below it. So the sum of the upper squares depends only on the number of lower squares. One table holds
//! the sums of lower squares, and another those of upper squares.

use alloc::vec::Vec;

use crate::binomial;

/// The ranks of sets of any size on at most 24 squares. A set has the same rank as in
/// [`Subsets`](crate::Subsets) of its size.
///
/// ```
/// use retrograde_boards::{Ranks, Subsets};
///
/// let ranks = Ranks::new(8).unwrap();
/// assert_eq!(ranks.rank(0b1000_0001), Subsets::new(8, 2).rank(0b1000_0001));
/// ```
#[derive(Clone, Debug)]
pub struct Ranks {
    /// For each set of lower squares, its part of the rank, and in the high bits its size.
    lower: Vec<u32>,
    /// For each number of lower squares and each set of upper ones, their part of the rank.
    upper: Vec<u32>,
    /// How many squares are in the lower half.
    lower_squares: u32,
    /// How many squares are in the upper half.
    upper_squares: u32,
}

/// How many bits of a lower set's entry hold its part of the rank.
const RANK_BITS: u32 = 24;

impl Ranks {
    /// Ranks of sets on `squares` squares. `None` if the tables would be large.
    pub fn new(squares: u32) -> Option<Ranks> {
        if squares > 24 {
            return None;
        }
        let lower_squares = (squares / 2 + 1).min(squares);
        let upper_squares = squares - lower_squares;
        let part = |set: u32, first: u32, below: u32| {
            let places = (0..u32::BITS).filter(|&place| set >> place & 1 != 0);
            let ranks = (below + 1..).zip(places).map(|(i, place)| binomial(first + place, i));
            ranks.sum::<u64>() as u32
        };
        let lower =
            (0..1 << lower_squares).map(|set: u32| part(set, 0, 0) | set.count_ones() << RANK_BITS);
        let upper = (0..=lower_squares).flat_map(|below| {
            (0..1u32 << upper_squares).map(move |set| part(set, lower_squares, below))
        });
        let (lower, upper) = (lower.collect(), upper.collect());
        Some(Ranks { lower, upper, lower_squares, upper_squares })
    }

    /// The rank of a set among all sets of its size.
    #[inline(always)]
    pub fn rank(&self, set: u64) -> u64 {
        let set = set as u32;
        let lower = self.lower[(set & ((1 << self.lower_squares) - 1)) as usize];
        let row = lower >> RANK_BITS << self.upper_squares;
        let upper = self.upper[(row | set >> self.lower_squares) as usize];
        u64::from((lower & ((1 << RANK_BITS) - 1)) + upper)
    }
}
