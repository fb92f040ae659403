//! The regions of morris, and the moves between them.

use std::fmt;

use crate::board::Men;
use crate::mills::Mills;

/// A region: how many stones each side has, and in the placing phase how many have been placed. Its text is
/// the name of its table. `9-8` has all stones placed; `p17-8-9` is after 17 placements, with the side to
/// move first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// How many stones have been placed, in the placing phase.
    placed: Option<u32>,
    /// The stones of the side to move. If all stones are placed, the stones of the side that has more.
    own: u32,
    /// The stones of the other side.
    other: u32,
}

/// The targets of the two kinds of moves, for one side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways {
    /// After a move that closes no mill.
    pub(crate) quiet: Region,
    /// After a move that closes a mill and takes a stone, unless it wins.
    pub(crate) taking: Option<Region>,
    /// Whether such a move wins, because the other side has two stones left.
    pub(crate) wins: bool,
}

impl Region {
    /// The region with all stones placed. One side has `a` stones, the other has `b`, in either order.
    pub fn moving(a: u32, b: u32) -> Region {
        Region { placed: None, own: a.max(b), other: a.min(b) }
    }

    /// The region after `placed` stones are placed in all. The side to move has `own` stones on the board,
    /// and the other side has `other`. Once all stones are placed, it is the region of moves.
    pub fn after(men: Men, placed: u32, own: u32, other: u32) -> Region {
        match placed < 2 * men.number() {
            true => Region { placed: Some(placed), own, other },
            false => Region::moving(own, other),
        }
    }

    /// The empty board.
    pub fn start(men: Men) -> Region {
        Region::after(men, 0, 0, 0)
    }

    /// The region with a name.
    pub fn named(men: Men, name: &str) -> Result<Region, RegionNameError> {
        let error = || RegionNameError { men, name: name.to_owned() };
        let number = |text: &str| match text.parse::<u32>() {
            Ok(number) if number.to_string() == text => Ok(number),
            _ => Err(error()),
        };
        let parts: Vec<&str> = name.split('-').collect();
        let region = match parts[..] {
            [most, least] => Region { placed: None, own: number(most)?, other: number(least)? },
            [placed, own, other] => {
                let placed = placed.strip_prefix('p').ok_or_else(error)?;
                Region { placed: Some(number(placed)?), own: number(own)?, other: number(other)? }
            }
            _ => return Err(error()),
        };
        if region.exists(men) { Ok(region) } else { Err(error()) }
    }

    /// How many stones have been placed, in the placing phase.
    pub fn placed(&self) -> Option<u32> {
        self.placed
    }

    /// Stones of the side to move and of the other, in each block of the numbering.
    pub fn blocks(&self) -> Vec<(u32, u32)> {
        let Region { placed, own, other } = *self;
        match placed.is_some() || own == other {
            true => vec![(own, other)],
            false => vec![(own, other), (other, own)],
        }
    }

    /// The regions that moves lead to, each once, without this one.
    pub fn needs(&self, men: Men) -> Vec<Region> {
        let mut needs = Vec::new();
        for (own, other) in self.blocks() {
            let ways = self.ways(men, own, other);
            for need in [Some(ways.quiet), ways.taking].into_iter().flatten() {
                if need != *self && !needs.contains(&need) && !need.is_empty(men) {
                    needs.push(need);
                }
            }
        }
        needs
    }

    /// The targets of moves, if the side to move has `own` stones and the other side has `other`.
    pub(crate) fn ways(&self, men: Men, own: u32, other: u32) -> Ways {
        match self.placed {
            None => {
                let taking = (other > 3).then(|| Region::moving(own, other - 1));
                Ways { quiet: *self, taking, wins: taking.is_none() }
            }
            Some(placed) => {
                let taking =
                    other.checked_sub(1).filter(|left| left + in_hand(men, placed + 1) >= 3);
                let after = |other| Region::after(men, placed + 1, other, own + 1);
                Ways { quiet: after(other), taking: taking.map(after), wins: taking.is_none() }
            }
        }
    }

    /// The possible mills of the side to move and of the other, in a block.
    pub(crate) fn mills(&self, men: Men, own: u32, other: u32) -> [Mills; 2] {
        let placed = self.placed.unwrap_or(2 * men.number());
        // White places first. So the side to move has placed as many stones as the other side, or one less.
        let (own_lost, other_lost) = (placed / 2 - own, placed.div_ceil(2) - other);
        let (board, places) = (men.board(), self.placed.is_some());
        [
            Mills::explained(board, other_lost, own_lost, places),
            Mills::explained(board, own_lost, other_lost, places),
        ]
    }

    /// Whether the region has no position, because no placement has the required mills.
    fn is_empty(&self, men: Men) -> bool {
        self.blocks().into_iter().all(|(own, other)| {
            let mills = self.mills(men, own, other).into_iter().zip([own, other]);
            self.placed.is_some()
                && mills.into_iter().any(|(mills, stones)| mills.sets(men.board(), stones) == 0)
        })
    }

    fn exists(&self, men: Men) -> bool {
        let Region { placed, own, other } = *self;
        match placed {
            None => own >= other && own <= men.number() && other >= 3,
            Some(placed) => {
                let hand = in_hand(men, placed.min(2 * men.number()));
                let others_hand = men.number().saturating_sub(placed.div_ceil(2));
                placed < 2 * men.number()
                    && own <= placed / 2
                    && other <= placed.div_ceil(2)
                    && own + hand >= 3
                    && other + others_hand >= 3
                    && !self.is_empty(men)
            }
        }
    }
}

/// How many stones the side to move has in hand, after `placed` stones are placed.
pub(crate) fn in_hand(men: Men, placed: u32) -> u32 {
    men.number() - placed / 2
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(placed) = self.placed {
            write!(f, "p{placed}-")?;
        }
        write!(f, "{}-{}", self.own, self.other)
    }
}

/// The error for a name that is not a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionNameError {
    men: Men,
    name: String,
}

impl fmt::Display for RegionNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RegionNameError { men, name } = self;
        let men = men.number();
        write!(
            f,
            "`{name}` is no region: write the stones of both sides once all are placed, the larger number first, \
             like {men}-3; or the stones placed, then those on the board of the side to move and of the other, \
             like p3-1-2"
        )
    }
}

impl std::error::Error for RegionNameError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_known_by_its_name() {
        for (men, name) in [(Men::Nine, "9-8"), (Men::Nine, "p17-8-9"), (Men::Three, "p0-0-0")] {
            assert_eq!(Region::named(men, name).unwrap().to_string(), name);
        }
        for name in [
            "", "8-9", "9-2", "10-9", "p18-9-9", "p17-9-9", "p17-8-10", "9-08", "p4-3-1", "q3-1-2",
            "9-8-7-6",
        ] {
            let error = Region::named(Men::Nine, name).unwrap_err().to_string();
            assert!(error.contains(&format!("`{name}`")), "{error}");
        }
    }

    #[test]
    fn every_region_is_reached_from_the_start_and_has_a_name() {
        for men in Men::ALL {
            let mut found = vec![Region::start(men)];
            let mut next = 0;
            while let Some(region) = found.get(next).copied() {
                assert_eq!(Region::named(men, &region.to_string()), Ok(region), "{men:?}");
                for need in region.needs(men) {
                    if !found.contains(&need) {
                        found.push(need);
                    }
                }
                next += 1;
            }
            let moving = found.iter().filter(|region| region.placed.is_none()).count() as u32;
            let most = men.number() - 2;
            assert_eq!(moving, most * (most + 1) / 2, "{men:?}");
        }
    }
}
