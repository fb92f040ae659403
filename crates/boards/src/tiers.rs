//! Stones on the board or in hand. Each count of stones on the board has its own range of numbers.

use alloc::vec::Vec;
use core::ops::Range;

use crate::stones::{Board, Fixed, Table};

/// Numbers positions with stones of several kinds. Some stones of a kind are on the board. The others are in
/// hand, or captured.
///
/// A tier is the set of positions with the same number of stones of each kind on the board. Its numbers are
/// consecutive, and tiers with fewer stones come first. If a stone never comes back, you can solve each tier
/// by itself, after the tiers before it.
///
/// ```
/// use retrograde_boards::Tiers;
///
/// // Two white stones and a black one, each on one of four squares or in hand.
/// let stones = Tiers::new(4, [2, 1]);
/// assert_eq!(stones.count(), 1 + 4 + 4 + 12 + 6 + 12);
/// assert_eq!(stones.tier([2, 1]), Some(27..39));
/// let number = stones.rank([0b0011, 0b1000]);
/// assert!((27..39).contains(&number));
/// assert_eq!(stones.unrank(number), [0b0011, 0b1000]);
/// ```
#[derive(Clone, Debug)]
pub struct Tiers<const SETS: usize> {
    board: Board,
    /// The most stones of each kind.
    most: [u32; SETS],
    /// For each tier in ascending order, its first number and its sets.
    tiers: Vec<(u64, Fixed<SETS>)>,
    /// For each number of stones of each kind, as digits, the tier. [`ABSENT`] if there is no tier.
    places: Vec<u32>,
    /// For each run of `1 << run` numbers, the tier of its first number. The last entry is the last tier.
    directory: Vec<u32>,
    run: u32,
    /// Whether the first stone stands in the lower half of the squares.
    halved: bool,
    count: u64,
}

/// The entry of a tier that is excluded.
const ABSENT: u32 = u32::MAX;

impl<const SETS: usize> Tiers<SETS> {
    /// At most `most` stones of each kind on `squares` squares.
    ///
    /// # Panics
    ///
    /// If there are more than 64 squares, more than 2^24 tiers, or 2^64 numbers or more.
    pub fn new(squares: u32, most: [u32; SETS]) -> Tiers<SETS> {
        Tiers::among(squares, most, |_| true)
    }

    /// The same with only the `wanted` tiers. Example: a promoted pawn is another kind of stone, and is never
    /// on the board together with its pawn.
    ///
    /// # Panics
    ///
    /// As [`new`](Tiers::new).
    pub fn among(
        squares: u32,
        most: [u32; SETS],
        wanted: impl Fn([u32; SETS]) -> bool,
    ) -> Tiers<SETS> {
        Tiers::numbered(squares, most, wanted, false)
    }

    /// The same with only the positions whose first stone is on the lower half of the squares. The first
    /// stone is the stone of the first kind that is on the board. If a symmetry of the board swaps the
    /// halves, this numbers one of two images. Only the empty board is its own image.
    ///
    /// ```
    /// use retrograde_boards::Tiers;
    ///
    /// let stones = Tiers::halves(16, [1, 1], |_| true);
    /// assert_eq!(stones.count(), 1 + 8 + 8 + 8 * 15);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`new`](Tiers::new), and if the number of squares is odd or a kind has two stones.
    pub fn halves(
        squares: u32,
        most: [u32; SETS],
        wanted: impl Fn([u32; SETS]) -> bool,
    ) -> Tiers<SETS> {
        assert!(squares.is_multiple_of(2), "{squares} squares have no halves");
        assert!(most.iter().all(|&most| most <= 1), "a kind has two stones: {most:?}");
        Tiers::numbered(squares, most, wanted, true)
    }

    fn numbered(
        squares: u32,
        most: [u32; SETS],
        wanted: impl Fn([u32; SETS]) -> bool,
        halved: bool,
    ) -> Tiers<SETS> {
        assert!(squares <= 64, "{squares} squares: a set holds at most 64");
        let most = most.map(|most| most.min(squares));
        let all = most.iter().try_fold(1u64, |all, &most| all.checked_mul(u64::from(most) + 1));
        let all = all.filter(|&all| all <= 1 << 24).expect("more than 2^24 tiers");
        let mut tiers: Vec<(usize, Fixed<SETS>)> = Vec::new();
        for place in 0..all {
            let sizes = digits(place, &most);
            if sizes.iter().sum::<u32>() <= squares && wanted(sizes) {
                let sets = Fixed::new(squares, sizes).expect("2^64 numbers or more");
                tiers.push((place as usize, sets));
            }
        }
        tiers.sort_by_key(|(_, sets)| sets.sizes.iter().sum::<u32>());
        let mut places = alloc::vec![ABSENT; all as usize];
        let mut count = 0u64;
        let numbered = (0..).zip(tiers).map(|(tier, (place, sets))| {
            places[place] = tier;
            let first = count;
            // The first stone is the highest digit, so the lower half of the numbers is wanted.
            let of_tier = |all: u64| if halved { all.div_ceil(2) } else { all };
            let more = sets.count.and_then(|all| count.checked_add(of_tier(all)));
            count = more.expect("2^64 numbers or more");
            (first, sets)
        });
        let tiers: Vec<_> = numbered.collect();
        let largest = most.iter().copied().max().unwrap_or(0);
        let board = Board::new(squares, Table::new(squares, 0..=largest));
        let run = (count / (tiers.len() as u64).max(1)).max(1).ilog2();
        let tier_of = |number| tiers.partition_point(|&(first, _)| first <= number) as u32 - 1;
        let last = count.saturating_sub(1);
        let directory =
            (0..=last >> run).map(|at| tier_of(at << run)).chain([tier_of(last)]).collect();
        Tiers { board, most, tiers, places, directory, run, halved, count }
    }

    /// How many positions there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The tiers in order: how many stones of each kind are on the board, and the numbers.
    pub fn iter(&self) -> impl Iterator<Item = ([u32; SETS], Range<u64>)> {
        let ends = self.tiers.iter().skip(1).map(|&(first, _)| first).chain([self.count]);
        self.tiers.iter().zip(ends).map(|((first, sets), end)| (sets.sizes, *first..end))
    }

    /// The numbers of the positions with `sizes` stones of each kind on the board.
    pub fn tier(&self, sizes: [u32; SETS]) -> Option<Range<u64>> {
        self.iter().find(|(each, _)| *each == sizes).map(|(_, numbers)| numbers)
    }

    /// The number of disjoint sets.
    ///
    /// # Panics
    ///
    /// If their tier is excluded, or if a set has more stones than the kind has.
    #[inline]
    pub fn rank(&self, sets: [u64; SETS]) -> u64 {
        let mut place = 0;
        for (set, most) in sets.iter().zip(self.most) {
            let size = match set & set.wrapping_sub(1) {
                0 => u32::from(*set != 0),
                _ => set.count_ones(),
            };
            assert!(size <= most, "{size} stones of a kind that has {most}");
            place = place * (most as usize + 1) + size as usize;
        }
        let tier = self.tiers.get(self.places[place] as usize);
        let (first, sizes) = tier.unwrap_or_else(|| excluded(sets));
        let rank = sizes.rank(&self.board, 0, 0, &sets);
        debug_assert!(!self.halved || sizes.count.is_none_or(|all| rank < all.div_ceil(2)));
        first + rank
    }

    /// The sets of a number below [`count`](Tiers::count).
    #[inline]
    pub fn unrank(&self, rank: u64) -> [u64; SETS] {
        let run = (rank >> self.run) as usize;
        let (tier, last) = (self.directory[run] as usize, self.directory[run + 1] as usize);
        let nexts = &self.tiers[tier + 1..=last];
        let (first, fixed) = &self.tiers[tier + nexts.partition_point(|&(first, _)| first <= rank)];
        let mut sets = [0; SETS];
        fixed.unrank(&self.board, 0, rank - first, &mut sets);
        sets
    }
}

#[cold]
fn excluded<const SETS: usize>(sets: [u64; SETS]) -> ! {
    let sizes = sets.map(u64::count_ones);
    panic!("no number: the tier with {sizes:?} stones on the board is excluded")
}

/// The digits of a number, the highest first. Digit `i` is at most `most[i]`.
fn digits<const SETS: usize>(number: u64, most: &[u32; SETS]) -> [u32; SETS] {
    let mut rest = number;
    let mut digits = [0; SETS];
    for (digit, &most) in digits.iter_mut().zip(most).rev() {
        *digit = (rest % (u64::from(most) + 1)) as u32;
        rest /= u64::from(most) + 1;
    }
    digits
}
