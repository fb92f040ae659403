//! A digit for each square: for boards on which each square may hold any piece.

use alloc::vec::Vec;

/// Numbers all ways to give each square one of `base` digits. Square 0 is the lowest digit.
///
/// ```
/// let board = retrograde_boards::Digits::new(9, 3);
/// assert_eq!(board.count(), 19_683);
/// let number = board.rank([0, 2, 0, 0, 0, 0, 0, 0, 1]);
/// assert_eq!(board.digit(number, 1), 2);
/// assert!(board.digits(number).eq([0, 2, 0, 0, 0, 0, 0, 0, 1]));
/// assert_eq!(board.set(number, 1, 0), board.rank([0, 0, 0, 0, 0, 0, 0, 0, 1]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    base: u64,
    /// The powers of the base, one for each square.
    places: Vec<u64>,
    count: u64,
}

impl Digits {
    /// Digits below `base` on `squares` squares.
    ///
    /// # Panics
    ///
    /// If there are 2^64 ways or more, or if `base` is 0.
    pub fn new(squares: u32, base: u32) -> Digits {
        assert!(base > 0, "digits below 0");
        let base = u64::from(base);
        let mut count = 1u64;
        let mut places = Vec::new();
        for _ in 0..squares {
            places.push(count);
            count = count
                .checked_mul(base)
                .unwrap_or_else(|| panic!("{base} to the {squares} exceeds 64 bits"));
        }
        Digits { base, places, count }
    }

    /// In how many ways the board can be filled.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of a board, given square by square.
    pub fn rank(&self, digits: impl IntoIterator<Item = u8>) -> u64 {
        self.places.iter().zip(digits).map(|(place, digit)| place * u64::from(digit)).sum()
    }

    /// The digits of a number, square by square.
    pub fn digits(&self, rank: u64) -> impl Iterator<Item = u8> {
        self.places.iter().map(move |place| (rank / place % self.base) as u8)
    }

    /// The digit of one square.
    #[inline]
    pub fn digit(&self, rank: u64, square: u32) -> u8 {
        (rank / self.places[square as usize] % self.base) as u8
    }

    /// The number of the board with one square changed.
    #[inline]
    pub fn set(&self, rank: u64, square: u32, digit: u8) -> u64 {
        let place = self.places[square as usize];
        rank - u64::from(self.digit(rank, square)) * place + u64::from(digit) * place
    }
}
