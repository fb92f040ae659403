//! The mills that a side can have after some captures. Other placements never occur and have no number.
//!
//! A move that closes a mill takes a stone. So the number of moves that closed the present mills is at most
//! the number of stones that the other side has lost. Each such move put a stone on a point of the mills that
//! it closed. So there is a set of at most as many points that has a point of every mill. In the placing
//! phase, a mill stays until the opponent takes one of its stones. So there are at least as many mills as the
//! other side has lost stones, minus the mills that captures have opened. Moves keep both rules.

use retrograde_boards::{Subsets, binomial};

use crate::board::Board;

/// Limits for the mills of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mills {
    /// At most this many moves can have closed them.
    moves: u32,
    /// At least this many mills.
    least: u32,
}

impl Mills {
    /// The limits for a side that has taken `taken` stones and lost `lost`, in the placing phase or later.
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

    /// How many sets of `stones` stones a side can have.
    pub(crate) fn sets(self, board: &Board, stones: u32) -> u64 {
        let all = board.tally()[stones as usize].iter();
        let allowed = all.filter(|(moves, mills, _)| *moves <= self.moves && *mills >= self.least);
        allowed.map(|(_, _, sets)| sets).sum()
    }

    /// Whether all sets of `stones` stones are possible.
    pub(crate) fn any(self, board: &Board, stones: u32) -> bool {
        self.sets(board, stones) == binomial(board.points(), stones)
    }
}

/// For each set of mills, the least number of points that meet all of them.
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

/// The numbers of sets by their mills: the least number of moves that can have closed them, the number of
/// mills, the number of sets.
pub(crate) type Tally = Vec<(u32, u32, u64)>;

/// The tallies of sets of 0, 1, .. stones, up to the most that a side can have.
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
