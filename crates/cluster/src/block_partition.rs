//! Partitions states among ranks, so that each has its share of every level.
//!
//! The states of a level often lie in a few runs of the numbering. A rank with a long run would work while
//! others wait. So each rank in turn gets a block of states.
//!
//! With short blocks, the ranks share every level evenly. Long blocks keep neighbours together, so ranks
//! send less.

use std::ops::Range;

use retrograde::bit_parallel::Share;

/// How the states of a game are partitioned among ranks: block `i` belongs to rank `i` modulo the number of
/// ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPartition {
    states: u64,
    ranks: usize,
    block: u64,
}

impl BlockPartition {
    /// The longest block.
    pub const BLOCK_MAX: u64 = 1 << 24;
    /// The shortest block, a word.
    const BLOCK_MIN: u64 = 64;
    /// The shortest block that [`block`](BlockPartition::block) chooses.
    const USUAL_MIN: u64 = 1 << 10;
    /// The least number of blocks of a rank for each rank there is, so that each has its share of every
    /// level. More blocks mean shorter runs for the busiest rank (`examples/simulate.rs`).
    const BLOCKS: u64 = 128;
    /// A few ranks are even enough with fewer blocks, and then send less: this number times the square of
    /// the number of ranks.
    const BLOCKS_OF_FEW: u64 = 2;

    /// About the most blocks in all. Each rank has a list for the updates of each block.
    const BLOCKS_MAX: u64 = 1 << 20;

    /// The best length of blocks: about the longest that leaves each rank enough blocks. It is a power of two, the
    /// nearest by ratio.
    pub fn block(states: u64, ranks: usize) -> u64 {
        let ranks = ranks as u64;
        let blocks = (BlockPartition::BLOCKS_OF_FEW * ranks * ranks).min(BlockPartition::BLOCKS);
        let most = (states / ranks / (ranks * blocks)).max(1);
        // The logarithm of the root of 2 is one half.
        let nearest = (most.saturating_mul(most).saturating_mul(2).ilog2()) / 2;
        let least = (states / BlockPartition::BLOCKS_MAX).next_power_of_two();
        let least = least.clamp(BlockPartition::USUAL_MIN, BlockPartition::BLOCK_MAX);
        (1u64 << nearest).clamp(least, BlockPartition::BLOCK_MAX)
    }

    /// Partitions `states` states in blocks of `block` states, rounded up to a power of two from 64 to
    /// [`BLOCK_MAX`](BlockPartition::BLOCK_MAX).
    ///
    /// # Panics
    ///
    /// If there are no ranks, or too many.
    pub fn new(states: u64, ranks: usize, block: u64) -> BlockPartition {
        assert!((1..=1 << 16).contains(&ranks), "{ranks} ranks");
        let block = block.clamp(BlockPartition::BLOCK_MIN, BlockPartition::BLOCK_MAX);
        BlockPartition { states, ranks, block: block.next_power_of_two() }
    }

    /// The partition of the bit-parallel engine, from the share of any rank.
    pub fn of_words(states: u64, ranks: usize, share: &Share) -> BlockPartition {
        BlockPartition { states, ranks, block: share.block_states() }
    }

    /// How many states there are.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// The length of blocks. The last one may be shorter.
    pub fn block_states(&self) -> u64 {
        self.block
    }

    /// The states of a block.
    pub fn states_of(&self, block: u64) -> Range<u64> {
        let first = self.states.min(block * self.block);
        first..self.states.min(first + self.block)
    }

    /// The rank of a block.
    pub fn rank_of(&self, block: u64) -> usize {
        (block % self.ranks as u64) as usize
    }

    /// The blocks of a rank.
    pub fn own(&self, rank: usize) -> impl Iterator<Item = u64> + use<> {
        (rank as u64..self.states.div_ceil(self.block)).step_by(self.ranks)
    }

    /// A range of states, split at the borders of blocks, in order. Each piece comes with its rank.
    pub fn runs(&self, states: Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> + use<> {
        let (all, mut next) = (*self, states.start);
        std::iter::from_fn(move || {
            let first = next;
            (first < states.end).then(|| {
                let block = first / all.block;
                next = states.end.min((block + 1) * all.block);
                (all.rank_of(block), first..next)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_belongs_to_one_process() {
        for (states, block) in [(0, 64), (1, 64), (64, 1), (1000, 64), (1000, 100), (5000, 4096)] {
            for ranks in 1..6 {
                let partition = BlockPartition::new(states, ranks, block);
                let mut holders = vec![None; states as usize];
                for rank in 0..ranks {
                    for block in partition.own(rank) {
                        assert_eq!(partition.rank_of(block), rank);
                        for state in partition.states_of(block) {
                            let before = holders[state as usize].replace(rank);
                            assert_eq!(before, None, "{partition:?}: state {state}");
                        }
                    }
                }
                let mut next = 0;
                for (rank, run) in partition.runs(0..states) {
                    assert_eq!(run.start, next);
                    assert!(run.clone().all(|state| holders[state as usize] == Some(rank)));
                    next = run.end;
                }
                assert_eq!(next, states, "{partition:?}");
                let middle = states / 3..states / 2;
                let runs = partition.runs(middle.clone()).flat_map(|(_, run)| run);
                assert!(runs.eq(middle));
            }
        }
    }

    #[test]
    fn blocks_are_as_long_as_an_even_share_allows() {
        for (states, ranks, block) in [
            (144_500_000, 2, 1 << 22),
            (200_000_000, 64, 1 << 10),
            (1 << 40, 2, BlockPartition::BLOCK_MAX),
            (1 << 33, 8, 1 << 20),
            (1 << 40, 1024, 1 << 20),
            (25_000_000, 2, 1 << 20),
            (1000, 3, 1 << 10),
            (0, 1, 1 << 10),
            (1 << 50, 1, BlockPartition::BLOCK_MAX),
        ] {
            assert_eq!(BlockPartition::block(states, ranks), block, "{states}, {ranks}");
        }
    }
}
