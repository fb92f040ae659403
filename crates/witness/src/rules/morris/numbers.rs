//! The numbers of the positions of morris: see `NUMBERS.md`.

use std::ops::Range;

use super::Region;
use super::board::{Board, points};

/// The numbers of a region with one side to move.
pub(crate) struct Block {
    pub(crate) part: Region,
    /// The table of its region.
    pub(crate) table: usize,
    /// Its first number.
    pub(crate) first: u64,
    /// Whether the first set is that of the side to move.
    own_first: bool,
    /// What the mills of the second set can be.
    second: Part,
    classes: Vec<Class>,
    /// For each first set, by its rank: its class, and a symmetry that leads to the set of the class. No
    /// class has the number `u32::MAX`.
    entries: Vec<(u32, u8)>,
    /// In how many ways the second set can stand beside a first one.
    ways: u64,
    /// `choose[n][k]`.
    choose: Vec<Vec<u64>>,
}

/// First sets that are images of each other.
struct Class {
    /// The least of them.
    set: u32,
    /// The symmetries that leave that set as it is.
    fixing: Vec<u8>,
}

/// One side's stones: how many, and which mills they can have.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    stones: u32,
    /// At most this number of points meet all mills.
    meeting_max: u32,
    /// The fewest mills.
    mills_min: u32,
}

impl Part {
    /// The stones of the side to move and of the other.
    ///
    /// Each stone that one side has lost, the other took with a move that closed a mill. That move put a stone
    /// on a point of the mill. While stones are placed, a mill stays until one of its stones is taken.
    fn both(board: &Board, part: &Region) -> [Part; 2] {
        let [own_lost, other_lost] = part.lost();
        let side = |stones, taken: u32, lost: u32| Part {
            stones,
            meeting_max: taken,
            mills_min: match part.places() {
                true => taken.saturating_sub(lost * board.mills_at_once()),
                false => 0,
            },
        };
        [side(part.own, other_lost, own_lost), side(part.other, own_lost, other_lost)]
    }

    /// Whether a region has positions: for both sides, some stones have such mills.
    pub(crate) fn occurs(board: &Board, part: &Region) -> bool {
        let exists = |part: Part| sets(board, part.stones).any(|set| part.allows(board, set));
        Part::both(board, part).into_iter().all(exists)
    }

    fn allows(self, board: &Board, stones: u32) -> bool {
        let (mills, meeting) = board.mills(stones);
        meeting <= self.meeting_max && mills >= self.mills_min
    }
}

impl Block {
    pub(crate) fn new(board: &Board, part: Region, table: usize, first: u64) -> Block {
        let size = board.names.len();
        let mut choose = vec![vec![0; size + 1]; size + 1];
        for n in 0..=size {
            choose[n][0] = 1;
            for k in 1..=n {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        // Black's stones are the first set while stones are placed, later those of the side not to move.
        let own_first = part.places() && part.placed % 2 == 1;
        let [own, other] = Part::both(board, &part);
        let [one, second] = if own_first { [own, other] } else { [other, own] };
        let mut block = Block {
            ways: choose[size - one.stones as usize][second.stones as usize],
            entries: vec![(u32::MAX, 0); choose[size][one.stones as usize] as usize],
            classes: Vec::new(),
            part,
            table,
            first,
            own_first,
            second,
            choose,
        };
        for set in sets(board, one.stones).filter(|set| one.allows(board, *set)) {
            block.add(board, set);
        }
        block
    }

    /// Adds a first set and its images. Sets come in order, so the first one of a class is the least.
    fn add(&mut self, board: &Board, set: u32) {
        if self.entries[self.rank(set, 0) as usize].0 != u32::MAX {
            return;
        }
        let all = 0..board.symmetries();
        let fixing = all.clone().filter(|&symmetry| board.image(symmetry, set) == set);
        let fixing: Vec<u8> = fixing.map(|symmetry| symmetry as u8).collect();
        let class = self.classes.len() as u32;
        for symmetry in all.clone() {
            let image = board.image(symmetry, set);
            let back = all.clone().find(|&back| board.image(back, image) == set);
            let back = back.expect("a symmetry has an inverse") as u8;
            let rank = self.rank(image, 0) as usize;
            self.entries[rank] = (class, back);
        }
        self.classes.push(Class { set, fixing });
    }

    pub(crate) fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The numbers of a class.
    pub(crate) fn numbers(&self, class: usize) -> Range<u64> {
        let first = self.first + class as u64 * self.ways;
        first..first + self.ways
    }

    /// The number after the last one.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.classes.len() as u64 * self.ways
    }

    /// The number of a position; `None` if captures cannot lead to its mills.
    pub(crate) fn number(&self, board: &Board, own: u32, other: u32) -> Option<u64> {
        let (one, second) = if self.own_first { (own, other) } else { (other, own) };
        let (class, symmetry) = self.entries[self.rank(one, 0) as usize];
        let of = self.classes.get(class as usize)?;
        if !self.second.allows(board, second) {
            return None;
        }
        let second = board.image(symmetry.into(), second);
        let mut least = u64::MAX;
        for &symmetry in &of.fixing {
            least = least.min(self.rank(board.image(symmetry.into(), second), of.set));
        }
        Some(self.numbers(class as usize).start + least)
    }

    /// The stones of the side to move and of the other, for each position of a class.
    pub(crate) fn each(&self, board: &Board, class: usize, mut visit: impl FnMut(u32, u32)) {
        let Class { set, fixing } = &self.classes[class];
        let free: Vec<u32> = points(board.all() & !set).collect();
        for chosen in subsets(free.len() as u32, self.second.stones) {
            let second = points(chosen).fold(0, |second, at| second | 1 << free[at as usize]);
            // Of the images of a position, the one with the least rank stands for all.
            let rank = self.rank(second, *set);
            let mut images = fixing.iter().map(|&symmetry| board.image(symmetry.into(), second));
            if self.second.allows(board, second)
                && images.all(|image| self.rank(image, *set) >= rank)
            {
                if self.own_first { visit(*set, second) } else { visit(second, *set) }
            }
        }
    }

    /// The rank of a set among those of its size on the points that are not taken.
    fn rank(&self, set: u32, taken: u32) -> u64 {
        let (mut rank, mut left, mut i) = (0, set, 1);
        while left != 0 {
            let point = left.trailing_zeros();
            let place = point - (taken & ((1 << point) - 1)).count_ones();
            rank += self.choose[place as usize][i];
            left &= left - 1;
            i += 1;
        }
        rank
    }
}

/// All sets of `stones` stones, in the order of their ranks.
fn sets(board: &Board, stones: u32) -> impl Iterator<Item = u32> {
    subsets(board.names.len() as u32, stones)
}

/// All sets of `some` of `of` elements, as numbers, in ascending order.
fn subsets(of: u32, some: u32) -> impl Iterator<Item = u32> {
    let first = (some <= of).then(|| (1u32 << some) - 1);
    let next = move |set: &u32| {
        // The lowest run of ones moves its top bit up, and the rest of it to the bottom.
        let lowest = set & set.wrapping_neg();
        let up = set + lowest;
        let below = (set ^ up).checked_div(lowest)? >> 2;
        Some(up | below).filter(|next| next >> of == 0)
    };
    std::iter::successors(first, next)
}
