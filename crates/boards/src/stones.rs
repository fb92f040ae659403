//! Ranks of disjoint sets of squares. Each set is ranked among the squares that earlier sets leave free.
//!
//! The rank of a set does not depend on the squares beyond its last one. So one table serves all sets of a
//! position, for any number of free squares.

use alloc::vec::Vec;

use crate::press::{count, press, unpress};
use crate::ranks::Ranks;
use crate::subsets::{below, rank};
use crate::{Subsets, binomial};

/// How many stones a set has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stones {
    /// Always this many.
    Exactly(u32),
    /// From none to this number: for stones that a player can capture, or that wait in a hand.
    AtMost(u32),
    /// Any number, including none.
    Any,
}

impl From<u32> for Stones {
    fn from(size: u32) -> Stones {
        Stones::Exactly(size)
    }
}

impl Stones {
    /// The fewest and the most stones on a board of `squares` squares.
    pub(crate) fn sizes(self, squares: u32) -> (u32, u32) {
        match self {
            Stones::Exactly(size) => (size, size),
            Stones::AtMost(size) => (0, size.min(squares)),
            Stones::Any => (0, squares),
        }
    }
}

/// Turns sets into ranks and ranks into sets, for some sizes of sets.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    squares: u32,
    /// Tables of ranks, if there are few squares.
    ranks: Option<Ranks>,
    /// The sets of each size in the order of their ranks; empty if there would be too many.
    sets: Vec<u32>,
    /// Where the sets of each size begin.
    starts: Vec<u32>,
}

/// A longer list would not save enough time for its memory. Without a list, the code searches for a set.
const SETS_MAX: u64 = 1 << 22;

impl Table {
    /// For sets of the given sizes on at most `squares` squares.
    pub(crate) fn new(squares: u32, sizes: impl Iterator<Item = u32> + Clone) -> Table {
        let counts = sizes.clone().map(|size| binomial(squares, size));
        let listed = squares <= 32 && counts.sum::<u64>() <= SETS_MAX;
        let (mut sets, mut starts) = (Vec::new(), Vec::new());
        for size in 0..=squares {
            starts.push(sets.len() as u32);
            if listed && sizes.clone().any(|wanted| wanted == size) {
                sets.extend(Subsets::new(squares, size).iter().map(|set| set as u32));
            }
        }
        Table { squares, ranks: Ranks::new(squares), sets, starts }
    }

    #[inline(always)]
    pub(crate) fn rank(&self, set: u64) -> u64 {
        match &self.ranks {
            Some(ranks) => ranks.rank(set),
            None => rank(set),
        }
    }

    #[inline(always)]
    pub(crate) fn unrank(&self, size: u32, rank: u64) -> u64 {
        match self.sets.is_empty() {
            false => u64::from(self.sets[self.starts[size as usize] as usize + rank as usize]),
            true => Subsets::new(self.squares, size).unrank(rank),
        }
    }
}

/// Sets of fixed sizes. The rank of the first set is the highest digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed<const SETS: usize> {
    pub(crate) sizes: [u32; SETS],
    /// For each set, in how many ways the later sets can be placed.
    after: [u64; SETS],
    /// In how many ways all sets can be placed. `None` for more than 2^64.
    pub(crate) count: Option<u64>,
}

impl<const SETS: usize> Fixed<SETS> {
    /// `None` if the sets do not fit, or if the sets after the first have more than 2^64 placements.
    pub(crate) fn new(squares: u32, sizes: [u32; SETS]) -> Option<Fixed<SETS>> {
        squares.checked_sub(sizes.iter().try_fold(0u32, |sum, &size| sum.checked_add(size))?)?;
        let (mut after, mut count) = ([1; SETS], Some(1u64));
        let mut taken: u32 = sizes.iter().sum();
        for at in (0..SETS).rev() {
            after[at] = count?;
            taken -= sizes[at];
            count = ways(squares - taken, sizes[at], count);
        }
        Some(Fixed { sizes, after, count })
    }

    /// The number of all sets from `from` on. Earlier sets take the squares of `taken`.
    #[inline(always)]
    pub(crate) fn rank(&self, board: &Board, from: usize, taken: u64, sets: &[u64; SETS]) -> u64 {
        let (mut taken, mut rank) = (taken, 0);
        for (at, &set) in sets.iter().enumerate().skip(from) {
            rank += match self.sizes[at] {
                0 => 0,
                1 => self.after[at] * board.rank_of_one(taken, set),
                _ => self.after[at] * board.table.rank(board.press(at, taken, set)),
            };
            taken |= set;
        }
        rank
    }

    /// Fills in all sets from `from` on.
    #[inline(always)]
    pub(crate) fn unrank(&self, board: &Board, from: usize, rank: u64, sets: &mut [u64; SETS]) {
        let mut taken = sets[..from].iter().fold(0, |taken, set| taken | set);
        let mut rest = rank;
        for (at, set) in sets.iter_mut().enumerate().skip(from) {
            if self.sizes[at] == 0 {
                *set = 0;
                continue;
            }
            let (digit, below) = match at + 1 == SETS {
                true => (rest, 0),
                false => (rest / self.after[at], rest % self.after[at]),
            };
            *set = board.unpress(at, taken, board.table.unrank(self.sizes[at], digit));
            taken |= *set;
            rest = below;
        }
    }
}

/// The squares of a board, and the ranks of sets among those that are free.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    squares: u32,
    /// How many bytes a set has.
    bytes: u32,
    pub(crate) table: Table,
}

impl Board {
    pub(crate) fn new(squares: u32, table: Table) -> Board {
        Board { squares, bytes: squares.div_ceil(8), table }
    }

    /// The squares outside `taken`.
    #[inline(always)]
    fn free(&self, taken: u64) -> u64 {
        !taken & below(self.squares)
    }

    /// A set, ranked among the squares that earlier sets leave free. For the first set, all squares are free.
    #[inline(always)]
    fn press(&self, at: usize, taken: u64, set: u64) -> u64 {
        if at == 0 { set } else { press(self.bytes, self.free(taken), set) }
    }

    /// The rank of a set of one square: how many free squares lie below it.
    #[inline(always)]
    fn rank_of_one(&self, taken: u64, set: u64) -> u64 {
        count(self.bytes, self.free(taken) & set.wrapping_sub(1))
    }

    #[inline(always)]
    fn unpress(&self, at: usize, taken: u64, pressed: u64) -> u64 {
        if at == 0 { pressed } else { unpress(self.bytes, self.free(taken), pressed) }
    }
}

/// Sets with different rules for their sizes. The digit of the first set is the highest. Sets with several
/// possible sizes are ordered first by size. But if the last set may have [`Any`](Stones::Any) size, its bits
/// are its number.
#[derive(Clone, Debug)]
pub(crate) struct Placing<const SETS: usize> {
    board: Board,
    /// For sets whose sizes are all fixed.
    fixed: Option<Fixed<SETS>>,
    /// For other sets.
    kinds: Vec<Kind>,
}

/// One set, if some sizes are not fixed.
#[derive(Clone, Debug)]
struct Kind {
    stones: Stones,
    /// For each number of free squares, in how many ways the later sets can be placed; `None` for more than
    /// 2^64.
    after: Vec<Option<u64>>,
    /// For each number of free squares and each size that fits, its first number.
    firsts: Vec<Vec<u64>>,
}

impl<const SETS: usize> Placing<SETS> {
    /// Sets on `squares` squares, numbered from the set `from` on. `None` if they do not fit, or if the sets
    /// after the first have more than 2^64 placements.
    pub(crate) fn new(squares: u32, stones: [Stones; SETS], from: usize) -> Option<Placing<SETS>> {
        let sizes = stones.map(|stones| stones.sizes(squares));
        let least = sizes.iter().try_fold(0u32, |sum, &(least, _)| sum.checked_add(least))?;
        squares.checked_sub(least)?;
        let exactly = stones.iter().all(|stones| matches!(stones, Stones::Exactly(_)));
        let fixed = match exactly {
            true => Some(Fixed::new(squares, sizes.map(|(size, _)| size))?),
            false => None,
        };
        let last_any = |at| at + 1 == SETS && stones[at] == Stones::Any;
        // The squares that are free for the first numbered set.
        let free = squares - sizes[..from].iter().map(|&(least, _)| least).sum::<u32>();
        let ranked = (from..SETS).filter(|&at| !last_any(at));
        let wanted = ranked.flat_map(|at| sizes[at].0..=sizes[at].1.min(free));
        let board = Board::new(squares, Table::new(free, wanted));
        let mut kinds: Vec<Kind> = Vec::new();
        if fixed.is_none() {
            for at in (0..SETS).rev() {
                let after = match kinds.last() {
                    None => (0..=squares).map(|_| Some(1)).collect(),
                    Some(next) => (0..=squares).map(|free| next.ways(free)).collect(),
                };
                kinds.push(Kind::new(squares, stones[at], after));
            }
            kinds.reverse();
        }
        Some(Placing { board, fixed, kinds })
    }

    /// In how many ways the sets from `from` on can be placed on `free` squares. `None` for more than 2^64.
    pub(crate) fn ways(&self, from: usize, free: u32) -> Option<u64> {
        match (&self.fixed, self.kinds.get(from)) {
            (Some(fixed), _) if from == 0 => fixed.count,
            (Some(fixed), _) => Some(fixed.after[from - 1]),
            (None, Some(kind)) => kind.ways(free),
            (None, None) => Some(1),
        }
    }

    /// The number of all sets from `from` on. Earlier sets take the squares of `taken`.
    #[inline(always)]
    pub(crate) fn rank(&self, from: usize, taken: u64, sets: &[u64; SETS]) -> u64 {
        match &self.fixed {
            Some(fixed) => fixed.rank(&self.board, from, taken, sets),
            None => self.rank_varied(from, taken, sets),
        }
    }

    /// The sets of a number. Sets before `from` stay unchanged.
    #[inline(always)]
    pub(crate) fn unrank(&self, from: usize, rank: u64, sets: &mut [u64; SETS]) {
        match &self.fixed {
            Some(fixed) => fixed.unrank(&self.board, from, rank, sets),
            None => self.unrank_varied(from, rank, sets),
        }
    }

    #[inline]
    fn rank_varied(&self, from: usize, taken: u64, sets: &[u64; SETS]) -> u64 {
        let (mut taken, mut rank) = (taken, 0);
        for (at, (kind, &set)) in self.kinds.iter().zip(sets).enumerate().skip(from) {
            let pressed = self.board.press(at, taken, set);
            if at + 1 == SETS && kind.stones == Stones::Any {
                return rank + pressed;
            }
            let (free, size) = (self.board.free(taken).count_ones(), pressed.count_ones());
            rank +=
                kind.first(free, size) + self.board.table.rank(pressed) * kind.after(free - size);
            taken |= set;
        }
        rank
    }

    #[inline]
    fn unrank_varied(&self, from: usize, rank: u64, sets: &mut [u64; SETS]) {
        let mut taken = sets[..from].iter().fold(0, |taken, set| taken | set);
        let mut rest = rank;
        for (at, (kind, set)) in self.kinds.iter().zip(sets).enumerate().skip(from) {
            if at + 1 == SETS && kind.stones == Stones::Any {
                *set = self.board.unpress(at, taken, rest);
                return;
            }
            let free = self.board.free(taken).count_ones();
            let size = kind.size(free, rest);
            rest -= kind.first(free, size);
            let after = kind.after(free - size);
            let pressed = self.board.table.unrank(size, rest / after);
            *set = self.board.unpress(at, taken, pressed);
            taken |= *set;
            rest %= after;
        }
    }
}

impl Kind {
    fn new(squares: u32, stones: Stones, after: Vec<Option<u64>>) -> Kind {
        let (least, most) = stones.sizes(squares);
        let firsts = (0..=squares).map(|free| {
            let mut first = 0u64;
            let mut firsts = Vec::new();
            for size in least..=most.min(free) {
                firsts.push(first);
                // A size with too many placements never occurs here: `new` has refused it.
                let ways = ways(free, size, after[(free - size) as usize]);
                first = first.saturating_add(ways.unwrap_or(u64::MAX));
            }
            firsts
        });
        Kind { stones, firsts: firsts.collect(), after }
    }

    /// In how many ways this set and the later sets can be placed on `free` squares.
    fn ways(&self, free: u32) -> Option<u64> {
        let (least, most) = self.stones.sizes(free);
        let of_size = |size| ways(free, size, self.after[(free - size) as usize]);
        (least..=most.min(free)).try_fold(0u64, |sum, size| sum.checked_add(of_size(size)?))
    }

    #[inline(always)]
    fn after(&self, free: u32) -> u64 {
        self.after[free as usize].unwrap_or(u64::MAX)
    }

    /// The first number with sets of this size.
    #[inline(always)]
    fn first(&self, free: u32, size: u32) -> u64 {
        match self.stones {
            Stones::Exactly(_) => 0,
            _ => self.firsts[free as usize][size as usize],
        }
    }

    /// The size of the set with this rank.
    #[inline(always)]
    fn size(&self, free: u32, rank: u64) -> u32 {
        match self.stones {
            Stones::Exactly(size) => size,
            _ => {
                // A size that leaves too little space for the later sets has no numbers. So of equal first
                // numbers, the last one counts.
                let firsts = &self.firsts[free as usize];
                firsts.iter().take_while(|&&first| first <= rank).count() as u32 - 1
            }
        }
    }
}

/// In how many ways a set of this size can be placed, followed by the others.
fn ways(free: u32, size: u32, after: Option<u64>) -> Option<u64> {
    binomial(free, size).checked_mul(after?)
}
