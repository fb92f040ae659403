//! Kinds of men, and positions that know their cell.

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
    pub const fn counter(most: u32) -> Kind {
        Kind { squares: 0, most }
    }
}

/// A position: for each kind, the set of its squares, or the value of the counter. [`Cells`] make positions, and give their numbers.
///
/// A position also knows its cell. So neighbours are numbered without counting men again. Unused kinds at the end are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const KINDS: usize> {
    pub(super) sets: [u64; KINDS],
    pub(super) key: u32,
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
    #[inline]
    pub fn with_sets<const KINDS: usize>(&self, sets: [u64; KINDS]) -> Position<KINDS> {
        let mut key = 0;
        for ((kind, &set), weight) in self.kinds.iter().zip(&sets).zip(&self.weights) {
            let size = match kind {
                Kind { squares: 0, .. } => set as u32,
                Kind { most: 0..=2, .. } => at_most_three(set),
                _ => self.ones(set),
            };
            assert!(size <= kind.most, "{size} men of a kind that has {}", kind.most);
            key += weight * size;
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
        position.sets[kind] += at;
        position.key = position.key.wrapping_add(self.weights[kind]);
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
        position.sets[kind] -= at;
        position.key = position.key.wrapping_sub(self.weights[kind]);
        position
    }

    /// A position of a cell that has only counters.
    #[inline(always)]
    pub(super) fn empty<const KINDS: usize>(&self, cell: &Cell) -> Position<KINDS> {
        let mut position = Position { sets: [0; KINDS], key: cell.key };
        for &(kind, weight) in &self.counters {
            let most = self.kinds[usize::from(kind)].most;
            position.sets[usize::from(kind)] = u64::from(cell.key / weight % (most + 1));
        }
        position
    }
}
