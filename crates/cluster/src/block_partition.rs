//! Partitions states among processes, so that each has its share of every level.
//!
//! The states of a level often lie in a few runs of the numbering. A process with a long run would work while
//! others wait. So each process in turn gets a block of states.
//!
//! With short blocks, the processes share every level evenly. Long blocks keep neighbours together, so processes
//! send less.

use std::ops::Range;

use retrograde::bit_parallel::Share;

/// How the states of a game are partitioned among processes: block `i` belongs to process `i` modulo the number of
/// processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPartition {
    states: u64,
    processes: usize,
    block: u64,
}

impl BlockPartition {
    /// The longest block.
    pub const BLOCK_MAX: u64 = 1 << 24;
    /// The shortest block, a word.
    const BLOCK_MIN: u64 = 64;
    /// The shortest block that [`block`](BlockPartition::block) chooses.
    const USUAL_MIN: u64 = 1 << 10;
    /// The least number of blocks of a process for each process there is, so that each has its share of every
    /// level. More blocks mean shorter runs for the busiest process (`examples/simulate.rs`).
    const BLOCKS: u64 = 128;
    /// A few processes are even enough with fewer blocks, and then send less: this number times the square of
    /// the number of processes.
    const BLOCKS_OF_FEW: u64 = 2;

    /// About the most blocks in all. Each process has a list for the updates of each block.
    const BLOCKS_MAX: u64 = 1 << 20;

    /// The best length of blocks: about the longest that leaves each process enough blocks. It is a power of two, the
    /// nearest by ratio.
    pub fn block(states: u64, processes: usize) -> u64 {
        let processes = processes as u64;
        let blocks =
            (BlockPartition::BLOCKS_OF_FEW * processes * processes).min(BlockPartition::BLOCKS);
        let most = (states / processes / (processes * blocks)).max(1);
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
    /// If there are no processes, or too many.
    pub fn new(states: u64, processes: usize, block: u64) -> BlockPartition {
        assert!((1..=1 << 16).contains(&processes), "{processes} processes");
        let block = block.clamp(BlockPartition::BLOCK_MIN, BlockPartition::BLOCK_MAX);
        BlockPartition { states, processes, block: block.next_power_of_two() }
    }

    /// The partition of the bit-parallel engine, from the share of any process.
    pub fn of_words(states: u64, processes: usize, share: &Share) -> BlockPartition {
        BlockPartition { states, processes, block: share.block_states() }
    }

    /// How many states there are.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.processes
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

    /// The process of a block.
    pub fn process_of(&self, block: u64) -> usize {
        (block % self.processes as u64) as usize
    }

    /// The blocks of a process.
    pub fn own(&self, process: usize) -> impl Iterator<Item = u64> + use<> {
        (process as u64..self.states.div_ceil(self.block)).step_by(self.processes)
    }

    /// A range of states, split at the borders of blocks, in order. Each piece comes with its process.
    pub fn runs(&self, states: Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> + use<> {
        let (all, mut next) = (*self, states.start);
        std::iter::from_fn(move || {
            let first = next;
            (first < states.end).then(|| {
                let block = first / all.block;
                next = states.end.min((block + 1) * all.block);
                (all.process_of(block), first..next)
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
            for processes in 1..6 {
                let partition = BlockPartition::new(states, processes, block);
                let mut holders = vec![None; states as usize];
                for process in 0..processes {
                    for block in partition.own(process) {
                        assert_eq!(partition.process_of(block), process);
                        for state in partition.states_of(block) {
                            let before = holders[state as usize].replace(process);
                            assert_eq!(before, None, "{partition:?}: state {state}");
                        }
                    }
                }
                let mut next = 0;
                for (process, run) in partition.runs(0..states) {
                    assert_eq!(run.start, next);
                    assert!(run.clone().all(|state| holders[state as usize] == Some(process)));
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
        for (states, processes, block) in [
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
            assert_eq!(BlockPartition::block(states, processes), block, "{states}, {processes}");
        }
    }
}
