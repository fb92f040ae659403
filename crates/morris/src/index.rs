//! The numbering of a region: positions up to the symmetries of the board, ordered first by the stones of the
//! side that is not to move.
//!
//! So all positions with a quiet move into a given position have the same first set, and lie in one run of a
//! few thousand numbers. A solver that looks for predecessors stays in the cache.
//!
//! In the placing phase, no move stays in its region. Black's stones are the first set, because black places
//! last. White's moves lead from positions with the same first set to positions with that set, except for a
//! taken stone. Black's moves lead to one first set for each point.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use retrograde_boards::{Orbits, Stones};

use crate::board::{Board, Men};
use crate::mills::Mills;
use crate::position::Position;
use crate::region::Region;

/// The numbers of the states of a region.
#[derive(Clone)]
pub struct Index {
    men: Men,
    region: Region,
    pub(crate) blocks: Vec<Block>,
}

/// The states of a region with one side to move, which has a fixed number of stones.
#[derive(Clone)]
pub(crate) struct Block {
    pub(crate) board: &'static Board,
    /// Stones of the side to move, and of the other.
    pub(crate) own: u32,
    pub(crate) other: u32,
    /// Whether the stones of the side to move are the first set.
    pub(crate) own_first: bool,
    /// The mills that the second set can have, if not all are possible.
    second: Option<Mills>,
    pub(crate) orbits: Arc<Orbits<2>>,
    pub(crate) first: u64,
}

/// Numberings that regions use, or have used recently. Several regions share one.
#[derive(Default)]
pub(crate) struct Numberings(Mutex<Known>);

#[derive(Default)]
struct Known {
    used: HashMap<Key, Weak<Orbits<2>>>,
    /// The numberings that were requested last, because a plan goes from region to region and keeps none.
    recent: VecDeque<Arc<Orbits<2>>>,
}

/// The game, the stones and mills of the first set, and the stones of the second.
type Key = (Men, u32, Mills, u32);

impl Numberings {
    fn get(&self, key: Key) -> Arc<Orbits<2>> {
        const RECENT: usize = 8;
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(orbits) = known().used.get(&key).and_then(Weak::upgrade) {
            return orbits;
        }
        let (men, first, mills, second) = key;
        let (board, stones) = (men.board(), [Stones::Exactly(first), Stones::Exactly(second)]);
        let orbits = Orbits::among(board.group().clone(), stones, |set| mills.allow(board, set));
        let orbits = Arc::new(orbits);
        let mut known = known();
        known.used.insert(key, Arc::downgrade(&orbits));
        known.recent.truncate(RECENT - 1);
        known.recent.push_front(Arc::clone(&orbits));
        orbits
    }
}

impl Index {
    /// The numbering of a region.
    pub fn new(men: Men, region: Region) -> Index {
        Index::shared(men, region, &Numberings::default())
    }

    pub(crate) fn shared(men: Men, region: Region, numberings: &Numberings) -> Index {
        Index::in_order(men, region, numberings, false)
    }

    /// If all stones are placed: the same positions in the order of the stones of the side to move, for a
    /// verification.
    pub(crate) fn turned(men: Men, region: Region, numberings: &Numberings) -> Index {
        Index::in_order(men, region, numberings, true)
    }

    fn in_order(men: Men, region: Region, numberings: &Numberings, turned: bool) -> Index {
        let (board, mut first, mut blocks) = (men.board(), 0, Vec::new());
        for (own, other) in region.blocks() {
            let [own_mills, other_mills] = region.mills(men, own, other);
            let own_first = region.placed().map_or(turned, |placed| !placed.is_multiple_of(2));
            let mut sets = [(other, other_mills), (own, own_mills)];
            if own_first {
                sets.reverse();
            }
            let [(first_stones, first_mills), (stones, mills)] = sets;
            let orbits = numberings.get((men, first_stones, first_mills, stones));
            let states = orbits.states();
            let second = Some(mills).filter(|mills| !mills.any(board, stones));
            blocks.push(Block { board, own, other, own_first, second, orbits, first });
            first += states;
        }
        Index { men, region, blocks }
    }

    /// The region.
    pub fn region(&self) -> Region {
        self.region
    }

    /// How many numbers there are, including gaps.
    pub fn states(&self) -> u64 {
        self.blocks.last().map_or(0, |block| block.states().end)
    }

    /// The number of a position of this region.
    ///
    /// # Panics
    ///
    /// If it belongs to another region.
    pub fn state(&self, position: &Position) -> u64 {
        let (own, other) = position.own_and_other();
        let block = self.blocks.iter().find(|block| block.own == own.count_ones());
        let block = block.filter(|_| position.region() == Some(self.region));
        let block = block.unwrap_or_else(|| panic!("{position} is not of {}", self.region));
        block.state(own, other)
    }

    /// The position of a number, or `None` for a gap. Of mirror images, it is always the same one.
    pub fn position(&self, state: u64) -> Option<Position> {
        let block = &self.blocks[self.block_of(state)];
        let number = state - block.first;
        let sets = block.orbits.position(number);
        let is_position = block.orbits.is_position(number) && block.has(sets);
        let (own, other) = block.own_and_other(sets);
        is_position.then(|| Position::in_region(self.men, self.region, (own, other)))
    }

    /// The game it is of.
    pub(crate) fn men(&self) -> Men {
        self.men
    }

    /// For each block, the block and the numbers that lie in it.
    pub(crate) fn blocks_of(
        &self,
        states: Range<u64>,
    ) -> impl Iterator<Item = (usize, Range<u64>)> {
        self.blocks.iter().enumerate().filter_map(move |(at, block)| {
            let here = block.states();
            let (first, end) = (states.start.max(here.start), states.end.min(here.end));
            (first < end).then(|| (at, first - here.start..end - here.start))
        })
    }

    #[inline(always)]
    pub(crate) fn block_of(&self, state: u64) -> usize {
        usize::from(self.blocks.len() > 1 && state >= self.blocks[1].first)
    }
}

impl Block {
    /// Its numbers.
    pub(crate) fn states(&self) -> Range<u64> {
        self.first..self.first + self.orbits.states()
    }

    /// The number of a position in the region.
    #[inline(always)]
    pub(crate) fn state(&self, own: u64, other: u64) -> u64 {
        self.first + self.orbits.state(if self.own_first { [own, other] } else { [other, own] })
    }

    /// The stones of the side to move, and of the other.
    #[inline(always)]
    pub(crate) fn own_and_other(&self, [first, second]: [u64; 2]) -> (u64, u64) {
        if self.own_first { (first, second) } else { (second, first) }
    }

    /// Whether the second set is possible.
    #[inline(always)]
    pub(crate) fn has(&self, [_, second]: [u64; 2]) -> bool {
        self.second.is_none_or(|mills| mills.allow(self.board, second))
    }
}
