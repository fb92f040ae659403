//! Kinds of men, and positions that know their cell.

use core::hash::{Hash, Hasher};

use super::{Cell, Cells};

/// A kind of man, or a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The squares where such a man may stand; none for a counter.
    pub(super) squares: u64,
    /// The most men on the board at a time, or the largest value.
    pub(super) most: u32,
}

impl Kind {
    /// At most `most` like men on these squares.
    pub const fn on(squares: u64, most: u32) -> Kind {
        Kind { squares, most }
    }

    /// A number from 0 to `most` that belongs to a position but has no place on the board: men in hand, or the side to move.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// // Two men of one side on nine squares. Each is on the board, or in hand until it is put there.
    /// let (men, hand) = (0, 1);
    /// let kinds = [Kind::on(0x1ff, 2), Kind::counter(2)];
    /// let cells = Cells::new(Group::square(3), &kinds, |counts| counts[men] + counts[hand] == 2);
    ///
    /// // A man comes from the hand to a corner.
    /// let start = cells.with_sets([0, 2]);
    /// let put = cells.with(cells.without(start, hand, 1), men, 1 << 0);
    /// assert_eq!(put, cells.with_sets([1 << 0, 1]));
    /// // Taken from the board again.
    /// assert_eq!(cells.with(cells.without(put, men, 1 << 0), hand, 1), start);
    /// // All symmetries map an empty board to itself, and two map a corner to itself.
    /// assert_eq!((cells.number(&start).1, cells.number(&put).1), (8, 2));
    /// ```
    pub const fn counter(most: u32) -> Kind {
        Kind { squares: 0, most }
    }
}

/// A position: for each kind, the set of its squares, or the value of the counter. [`Cells`] make positions, and give their numbers.
///
/// A position also knows its cell. So neighbours are numbered without counting men again. Unused kinds at the end are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const KINDS: usize> {
    pub(super) sets: [u64; KINDS],
    /// As wide as a set: the processor waits when it reads a word of which half has just been written.
    pub(super) key: u64,
}

impl<const KINDS: usize> Position<KINDS> {
    /// For each kind, its squares, or the value of the counter.
    #[inline(always)]
    pub fn sets(&self) -> &[u64; KINDS] {
        &self.sets
    }

    /// The position after a man of a kind has moved. `from_and_to` are two squares: one where such a man stands, and one where none
    /// stands.
    #[inline(always)]
    #[must_use]
    pub fn moved(mut self, kind: usize, from_and_to: u64) -> Position<KINDS> {
        self.sets[kind] ^= from_and_to;
        self
    }

    /// Moves a man, as [`moved`](Position::moved). A copy would take longer, because it waits until the last change has been written.
    #[inline(always)]
    pub fn shift(&mut self, kind: usize, from_and_to: u64) {
        self.sets[kind] ^= from_and_to;
    }

    /// The position with these sets and counters, with as many men of each kind and the same values as this one. It takes less time
    /// than [`Cells::with_sets`], which counts. With other counts, the position has the number of another one; debug builds panic.
    #[inline(always)]
    #[must_use]
    pub fn with_same_counts(&self, sets: [u64; KINDS]) -> Position<KINDS> {
        debug_assert_eq!(
            sets.map(u64::count_ones),
            self.sets.map(u64::count_ones),
            "the position has other numbers of men: make it by `with_sets`"
        );
        Position { sets, key: self.key }
    }
}

/// The sets say everything: they determine the cell.
impl<const KINDS: usize> Hash for Position<KINDS> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        u64::hash_slice(&self.sets, state);
    }
}

/// How many squares a set has, 3 for more. How many differs from position to position, so a branch would be guessed wrong.
#[inline(always)]
fn at_most_three(set: u64) -> u32 {
    let two = set & set.wrapping_sub(1);
    let three = two & two.wrapping_sub(1);
    u32::from(set != 0) + u32::from(two != 0) + u32::from(three != 0)
}

impl Cells {
    /// The position with these sets and counters.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// // A man on four squares, and the side to move.
    /// let cells = Cells::new(Group::trivial(4), &[Kind::on(0xf, 1), Kind::counter(1)], |_| true);
    /// let position = cells.with_sets([0b100, 0]);
    /// let turned = cells.with_sets([0b100, 1]);
    /// assert_eq!(cells.with(position, 1, 1), turned);
    /// assert_ne!(cells.number(&position), cells.number(&turned));
    /// ```
    ///
    /// # Panics
    ///
    /// If there are more men of a kind, or a higher value, than the kind has.
    #[inline(always)]
    pub fn with_sets<const KINDS: usize>(&self, sets: [u64; KINDS]) -> Position<KINDS> {
        let mut key = 0;
        for (at, &set) in sets.iter().enumerate().take(self.kinds.len()) {
            let Kind { squares, most } = self.kinds[at];
            let size = match (squares, most) {
                (0, _) => set as u32,
                (_, 0..=2) => at_most_three(set),
                _ => self.ones(set),
            };
            assert!(size <= most, "{size} men of a kind that has {most}");
            key += u64::from(self.weights[at] * size);
        }
        Position { sets, key }
    }

    /// The position with one man more, on an empty square. `at` is the set of this square. For a counter, `at` is 1, and its value is
    /// one higher.
    #[inline(always)]
    pub fn with<const KINDS: usize>(
        &self,
        mut position: Position<KINDS>,
        kind: usize,
        at: u64,
    ) -> Position<KINDS> {
        self.put(&mut position, kind, at);
        position
    }

    /// The position with one man less, who stood on the square of the set `at`. For a counter, `at` is 1, and its value is one lower.
    #[inline(always)]
    pub fn without<const KINDS: usize>(
        &self,
        mut position: Position<KINDS>,
        kind: usize,
        at: u64,
    ) -> Position<KINDS> {
        self.lift(&mut position, kind, at);
        position
    }

    /// Adds a man, as [`with`](Cells::with). Take him away again by [`lift`](Cells::lift): a copy would take longer, because it waits
    /// until the last change has been written.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// let cells = Cells::new(Group::trivial(4), &[Kind::on(0xf, 2)], |_| true);
    /// let mut position = cells.with_sets([0b0001]);
    /// cells.put(&mut position, 0, 0b0100);
    /// assert_eq!(position, cells.with_sets([0b0101]));
    /// cells.lift(&mut position, 0, 0b0001);
    /// assert_eq!(position, cells.with_sets([0b0100]));
    /// ```
    #[inline(always)]
    pub fn put<const KINDS: usize>(&self, position: &mut Position<KINDS>, kind: usize, at: u64) {
        position.sets[kind] += at;
        position.key = position.key.wrapping_add(self.weights[kind].into());
    }

    /// Takes a man away, as [`without`](Cells::without).
    #[inline(always)]
    pub fn lift<const KINDS: usize>(&self, position: &mut Position<KINDS>, kind: usize, at: u64) {
        position.sets[kind] -= at;
        position.key = position.key.wrapping_sub(self.weights[kind].into());
    }

    /// A position of a cell that has only counters.
    #[inline(always)]
    pub(super) fn empty<const KINDS: usize>(&self, cell: &Cell) -> Position<KINDS> {
        let mut position = Position { sets: [0; KINDS], key: cell.key.into() };
        for &(kind, weight) in &self.counters {
            let most = self.kinds[usize::from(kind)].most;
            position.sets[usize::from(kind)] = u64::from(cell.key / weight % (most + 1));
        }
        position
    }
}
