//! The values of a rectangle of states, from the ranks that have them.

use std::collections::BTreeMap;
use std::ops::Range;

use retrograde::{Code, Probe, Value};
use retrograde_table::Tile;

use crate::block_partition::BlockPartition;
use crate::engine::OwnValues;

/// States of a tile that one rank has, and that follow one another.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub(crate) first: u64,
    pub(crate) len: usize,
    /// The position of the first state in the tile.
    at: usize,
    pub(crate) rank: usize,
}

impl Share {
    /// All states of a tile, in order.
    pub(crate) fn all(block_partition: &BlockPartition, tile: &Tile) -> Vec<Share> {
        let runs = tile.runs().flat_map(|run| block_partition.runs(run));
        let mut at = 0;
        let share = |(rank, run): (usize, Range<u64>)| {
            let len = (run.end - run.start) as usize;
            at += len;
            Share { first: run.start, len, at: at - len, rank }
        };
        runs.map(share).collect()
    }
}

/// For each tile, the rank that packs it: the one with its first state, until this rank has an equal share.
pub(crate) fn packers(block_partition: &BlockPartition, tiles: &[Tile]) -> Vec<usize> {
    let ranks = block_partition.ranks();
    let most = tiles.len().div_ceil(ranks);
    let mut loads = vec![0; ranks];
    let first = |tile: &Tile| tile.runs().next().and_then(|run| block_partition.runs(run).next());
    let first = tiles.iter().map(|tile| first(tile).map_or(0, |(rank, _)| rank));
    let wanted = first.map(|rank| {
        loads[rank] += 1;
        (loads[rank] <= most).then_some(rank)
    });
    let wanted: Vec<Option<usize>> = wanted.collect();
    let mut free = (0..ranks).flat_map(|rank| (loads[rank]..most).map(move |_| rank));
    wanted.into_iter().map(|rank| rank.or_else(|| free.next()).unwrap_or_default()).collect()
}

/// The values of the states of a tile. Those of this rank stay in the shard.
pub(crate) struct TileValues<'s> {
    own: &'s dyn OwnValues,
    rank: usize,
    shares: Vec<Share>,
    /// How many states the game has.
    states: u64,
    distances: bool,
    /// For each state its code, if another rank has sent it. Empty until then.
    codes: Vec<Code>,
    /// The positions of codes for long distances, and these distances.
    far: BTreeMap<usize, u32>,
    /// How many states of other ranks have no value yet.
    pub(crate) missing: usize,
}

impl<'s> TileValues<'s> {
    pub(crate) fn new(
        own: &'s dyn OwnValues,
        rank: usize,
        shares: Vec<Share>,
        states: u64,
        distances: bool,
    ) -> TileValues<'s> {
        let others = shares.iter().filter(|share| share.rank != rank);
        let missing = others.map(|share| share.len).sum();
        let (codes, far) = (Vec::new(), BTreeMap::new());
        TileValues { own, rank, shares, states, distances, codes, far, missing }
    }

    /// Inserts the values that another rank has sent: a code for each of its states, and the distances that do not
    /// fit a code. `None` if there are too many or too few.
    pub(crate) fn insert(&mut self, rank: usize, mut values: &[u8]) -> Option<()> {
        let TileValues { shares, codes: all, far, missing, .. } = self;
        all.resize(shares.iter().map(|share| share.len).sum(), Code::INVALID);
        let shares = shares.iter().filter(|share| share.rank == rank);
        for Share { at, len, .. } in shares.clone() {
            let (codes, rest) = values.split_at_checked(2 * len)?;
            let codes =
                codes.as_chunks().0.iter().map(|code| Code::from_bits(u16::from_le_bytes(*code)));
            all[*at..at + len].iter_mut().zip(codes).for_each(|(place, code)| *place = code);
            (values, *missing) = (rest, missing.checked_sub(*len)?);
        }
        for Share { at, len, .. } in shares {
            let codes = (*at..).zip(&all[*at..at + len]);
            for (at, _) in codes.filter(|(_, code)| code.is_far()) {
                let (distance, rest) = values.split_first_chunk()?;
                far.insert(at, u32::from_le_bytes(*distance));
                values = rest;
            }
        }
        values.is_empty().then_some(())
    }

    /// The share of a state, and the position of the state in it.
    fn share(&self, state: u64) -> (&Share, usize) {
        let share = self.shares.partition_point(|share| share.first <= state) - 1;
        let share = &self.shares[share];
        (share, (state - share.first) as usize)
    }
}

/// Answers for the states of the tile only.
impl Probe for TileValues<'_> {
    type Error = String;

    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, String> {
        let (share, within) = self.share(state);
        if share.rank == self.rank {
            return self.own.value(state).map_err(|error| error.to_string());
        }
        let at = share.at + within;
        Ok(self.codes[at].value_with(|| self.far[&at]))
    }

    fn fill_codes(&self, mut first: u64, mut codes: &mut [Code]) -> Result<(), String> {
        while !codes.is_empty() {
            let (share, within) = self.share(first);
            let (now, rest) = codes.split_at_mut(codes.len().min(share.len - within));
            match share.rank == self.rank {
                true => self.own.fill_codes(first, now).map_err(|error| error.to_string())?,
                false => {
                    let at = share.at + within;
                    now.copy_from_slice(&self.codes[at..at + now.len()]);
                }
            }
            (first, codes) = (first + now.len() as u64, rest);
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::{Plan, Shard, Supersteps, Transport};
    use retrograde::SolveError;
    use retrograde::adapters::Explicit;

    use super::*;

    /// The tiles of a game of 40 rows of 100 states, for two sides, in blocks of 8 rows and 30 columns.
    pub(crate) fn tiles() -> Vec<Tile> {
        let numbers = |block| [0, 4000, 100, 2, u64::MAX, 8, 30, block].map(u64::to_le_bytes);
        let tile =
            |block| Tile::from_bytes(numbers(block).as_flattened().try_into().unwrap(), 4000);
        (0..).map_while(tile).collect()
    }

    #[test]
    fn each_process_packs_an_equal_share_and_most_tiles_stay_where_their_first_state_is() {
        let tiles = tiles();
        assert_eq!(tiles.len(), 24);
        for ranks in 1..=7 {
            let block_partition = BlockPartition::new(4000, ranks, 256);
            let packers = packers(&block_partition, &tiles);
            let most = tiles.len().div_ceil(ranks);
            let owner =
                |tile: &Tile| block_partition.runs(tile.runs().next().unwrap()).next().unwrap().0;
            for rank in 0..ranks {
                let packed = packers.iter().filter(|packer| **packer == rank).count();
                assert!(packed <= most, "{ranks} ranks: {rank} packs {packed}");
                let owned = tiles.iter().filter(|tile| owner(tile) == rank).count();
                let kept = tiles.iter().zip(&packers);
                let kept = kept.filter(|(tile, packer)| owner(tile) == rank && **packer == rank);
                assert_eq!(kept.count(), owned.min(most));
            }
        }
    }

    /// The second of three ranks, without a network.
    struct Alone;

    impl Transport for Alone {
        fn rank(&self) -> usize {
            1
        }

        fn ranks(&self) -> usize {
            3
        }

        fn begin(&mut self, _: Vec<Vec<u8>>) -> Result<(), SolveError> {
            Ok(())
        }

        fn finish(&mut self) -> Result<Vec<Vec<u8>>, SolveError> {
            Ok(vec![Vec::new(); 3])
        }
    }

    #[test]
    fn a_tile_gets_its_values_from_all_processes_and_refuses_others() {
        // Some distances do not fit a code.
        let distance = |state: u64| if state % 7 == 5 { 1 << 20 } else { state as u32 };
        let value = |state: u64| Some(Value::Win(distance(state)));
        let block_partition = BlockPartition::new(4000, 3, 64);
        // Nothing is seeded, so each state of this rank is invalid.
        let game = Explicit::from_edges(4000, []);
        let plan = Plan::new(&game, block_partition, true);
        let mut alone = Alone;
        let mut shard = Shard::new(&game, &plan, Supersteps::new(&mut alone, 1), None);
        let own = &shard.values().0;
        for tile in tiles() {
            let shares = Share::all(&block_partition, &tile);
            let new = || TileValues::new(own, 1, shares.clone(), 4000, true);
            let message = |rank| {
                let shares = shares.iter().filter(|share| share.rank == rank);
                let states = shares.flat_map(|share| share.first..share.first + share.len as u64);
                let states: Vec<u64> = states.collect();
                let codes = states.iter().map(|&state| Code::of(value(state)));
                let far = states.iter().filter(|&&state| Code::of(value(state)).is_far());
                let far: Vec<u8> = far.flat_map(|&state| distance(state).to_le_bytes()).collect();
                let codes: Vec<u8> = codes.flat_map(|code| code.bits().to_le_bytes()).collect();
                [codes, far].concat()
            };
            let mut values = new();
            for rank in [2, 0] {
                let message = message(rank);
                for strange in
                    [&message[..message.len().saturating_sub(2)], &[&message[..], &[1]].concat()]
                {
                    if strange != message {
                        assert_eq!(new().insert(rank, strange), None);
                    }
                }
                assert_eq!(values.insert(rank, &message), Some(()));
            }
            assert_eq!(values.missing, 0);
            for run in tile.runs() {
                let expected = |state| match block_partition.runs(state..state + 1).next() {
                    Some((1, _)) => None,
                    _ => value(state),
                };
                for state in run.clone() {
                    assert_eq!(values.probe(state), Ok(expected(state)));
                }
                let mut codes = vec![Code::INVALID; (run.end - run.start) as usize];
                values.fill_codes(run.start, &mut codes).unwrap();
                assert!(codes.into_iter().eq(run.map(|state| Code::of(expected(state)))));
            }
            let again = message(0);
            assert!(again.is_empty() || values.insert(0, &again).is_none(), "a message came twice");
        }
    }
}
