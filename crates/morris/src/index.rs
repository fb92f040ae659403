//! The numbering of a region: positions up to the symmetries of the board, first by the stones of the side that is not to move.
//!
//! So all positions from which one is reached by a quiet move have the same first set and lie in one run of a few thousand
//! numbers: a solver that walks backwards stays in the cache.
//!
//! Left out is what captures do not explain, by the number of mills: see [`Region`].

use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use retrograde_boards::{Orbits, Stones};

use crate::board::{Board, Men};
use crate::position::Position;
use crate::region::Region;

/// The numbers of the states of a region.
#[derive(Clone)]
pub struct Index {
    men: Men,
    region: Region,
    pub(crate) blocks: Vec<Block>,
}

/// The states of a region in which a side with so many stones is to move.
#[derive(Clone)]
pub(crate) struct Block {
    pub(crate) board: &'static Board,
    /// Stones of the side to move, and of the other.
    pub(crate) own: u32,
    pub(crate) other: u32,
    /// How many mills the side to move can have, where its stones could make others.
    own_mills: Option<RangeInclusive<u32>>,
    /// The other's stones, then those of the side to move.
    pub(crate) orbits: Arc<Orbits<2>>,
    pub(crate) first: u64,
}

/// Numberings that are in use: several regions share one.
#[derive(Default)]
pub(crate) struct Numberings(Mutex<HashMap<Key, Weak<Orbits<2>>>>);

/// The game, the stones of the other side and how many mills they can make, the stones of the side to move.
type Key = (Men, u32, RangeInclusive<u32>, u32);

impl Numberings {
    fn get(&self, key: Key) -> Arc<Orbits<2>> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(orbits) = known().get(&key).and_then(Weak::upgrade) {
            return orbits;
        }
        let (men, other, ref mills, own) = key;
        let (board, stones) = (men.board(), [Stones::Exactly(other), Stones::Exactly(own)]);
        let orbits = Orbits::among(board.group().clone(), stones, |set| {
            mills.contains(&board.mills_of(set))
        });
        let orbits = Arc::new(orbits);
        known().insert(key, Arc::downgrade(&orbits));
        orbits
    }
}

impl Index {
    /// The numbering of a region.
    pub fn new(men: Men, region: Region) -> Index {
        Index::shared(men, region, &Numberings::default())
    }

    pub(crate) fn shared(men: Men, region: Region, numberings: &Numberings) -> Index {
        let board = men.board();
        let mut first = 0;
        let block = |(own, other)| {
            let [own_mills, other_mills] = region.mills(men, own, other);
            let room = own * board.closed_at_once() / 3;
            let orbits = numberings.get((men, other, other_mills, own));
            let states = orbits.states();
            let own_mills = Some(own_mills).filter(|mills| *mills != (0..=room));
            let block = Block { board, own, other, own_mills, orbits, first };
            first += states;
            block
        };
        let blocks = region.blocks().into_iter().map(block).collect();
        Index { men, region, blocks }
    }

    /// The region.
    pub fn region(&self) -> Region {
        self.region
    }

    /// How many numbers there are, gaps included.
    pub fn states(&self) -> u64 {
        self.blocks.last().map_or(0, |block| block.states().end)
    }

    /// The number of a position of this region.
    ///
    /// # Panics
    ///
    /// Where it is of another one.
    pub fn state(&self, position: &Position) -> u64 {
        let (own, other) = position.own_and_other();
        let block = self.blocks.iter().find(|block| block.own == own.count_ones());
        let block = block.filter(|_| position.region() == Some(self.region));
        let block = block.unwrap_or_else(|| panic!("{position} is not of {}", self.region));
        block.first + block.orbits.state([other, own])
    }

    /// The position of a number, of all its mirror images always the same; `None` for a gap.
    pub fn position(&self, state: u64) -> Option<Position> {
        let block = &self.blocks[self.block_of(state)];
        let number = state - block.first;
        let [other, own] = block.orbits.position(number);
        let is_position = block.orbits.is_position(number) && block.has(own);
        is_position.then(|| Position::in_region(self.men, self.region, (own, other)))
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

    /// Whether the side to move can have these stones.
    #[inline(always)]
    pub(crate) fn has(&self, own: u64) -> bool {
        self.own_mills.as_ref().is_none_or(|mills| mills.contains(&self.board.mills_of(own)))
    }
}
