//! Which mills a side can have, given the stones that were taken: the rest of all placements comes about in no play, and is left out.
//!
//! A mill is closed by a move that takes a stone. So the mills that stand have been closed by no more moves than the other side has lost
//! stones: there are so few points that each mill has one of them, where the stone stands that has closed it. And while stones are
//! placed, a mill stands until one of its stones is taken: so there are as many mills at least as the other has lost stones, but for
//! what was opened by each stone that their owner has lost. Moves keep to both.

use retrograde_boards::{Subsets, binomial};

use crate::board::Board;

/// What the mills of a side are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mills {
    /// So many moves can have closed them.
    moves: u32,
    /// So many there are at least.
    least: u32,
}

impl Mills {
    /// Those of a side that has taken so many stones, and has lost so many, while stones are placed or later.
    pub(crate) fn explained(board: &Board, taken: u32, lost: u32, places: bool) -> Mills {
        let opened = lost * board.closed_at_once();
        Mills { moves: taken, least: if places { taken.saturating_sub(opened) } else { 0 } }
    }

    /// Whether a side can have these stones.
    #[inline(always)]
    pub(crate) fn allow(self, board: &Board, stones: u64) -> bool {
        let closed = board.closed(stones);
        u32::from(board.closings(closed)) <= self.moves && closed.count_ones() >= self.least
    }

    /// How many sets of so many stones a side can have.
    pub(crate) fn sets(self, board: &Board, stones: u32) -> u64 {
        let all = board.tally()[stones as usize].iter();
        let allowed = all.filter(|(moves, mills, _)| *moves <= self.moves && *mills >= self.least);
        allowed.map(|(_, _, sets)| sets).sum()
    }

    /// Whether a side can have any so many stones.
    pub(crate) fn any(self, board: &Board, stones: u32) -> bool {
        self.sets(board, stones) == binomial(board.points(), stones)
    }
}

/// For each set of mills how few points there are, of which each mill has one.
pub(crate) fn closings(mills: &[u64]) -> Vec<u8> {
    let mut closings = vec![0u8; 1 << mills.len()];
    for set in 1..closings.len() {
        let lowest = mills[set.trailing_zeros() as usize];
        let without = |point: u32| {
            let through = (0..).zip(mills).filter(|(_, mill)| *mill >> point & 1 != 0);
            set & !through.fold(0, |all: usize, (at, _)| all | 1 << at)
        };
        let points = retrograde_boards::squares(lowest);
        closings[set] = 1 + points.map(|at| closings[without(at)]).min().unwrap_or(0);
    }
    closings
}

/// How many sets of stones have mills of each kind: how many moves can have closed them at least, how many there are, sets.
pub(crate) type Tally = Vec<(u32, u32, u64)>;

/// That of sets of 0, 1, .. stones, as many as a side can have.
pub(crate) fn tally(board: &Board, stones_max: u32) -> Vec<Tally> {
    let of_size = |size| {
        let mut tally = Tally::new();
        for set in Subsets::new(board.points(), size).iter() {
            let closed = board.closed(set);
            let kind = (u32::from(board.closings(closed)), closed.count_ones());
            match tally.iter_mut().find(|(moves, mills, _)| (*moves, *mills) == kind) {
                Some((.., sets)) => *sets += 1,
                None => tally.push((kind.0, kind.1, 1)),
            }
        }
        tally
    };
    (0..=stones_max).map(of_size).collect()
}
