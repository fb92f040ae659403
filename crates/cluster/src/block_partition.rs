//! Partitions states among processes, so that each has its share of every level.
//!
//! The states of a level often lie in a few runs of the numbering. A process with a long run would work while
//! others wait. So each process in turn gets a block of states. The states also get new numbers: the states
//! of one process are consecutive and keep their order.
//!
//! With short blocks, the processes share every level evenly. Long blocks keep neighbours together. On a
//! board of 60x60, two processes send each other 160 MB with blocks of 256 states, and 19 MB with blocks of
//! 266,240.

use std::ops::Range;

use retrograde::{Game, Predecessors, Prefetch, Status, Value};
use retrograde_table::Divisor;

/// How the states of a game are partitioned among processes.
///
/// A process has one or more parts. All parts have one length, and each begins at a multiple of a power of
/// two, so a shift gives the part of a new number. The numbers between the end of a part and the next
/// beginning are invalid, and no process has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPartition {
    states: u64,
    processes: Divisor,
    block: Divisor,
    /// The size of a block in the new numbering, in whole words.
    stride: Divisor,
    /// How many parts a process has.
    parts: Divisor,
    /// The number of states of a part.
    part_len: u64,
    /// The binary logarithm of the size of a part in the new numbering.
    shift: u32,
}

impl BlockPartition {
    /// The longest block.
    pub const BLOCK_MAX: u64 = 1 << 24;
    /// The least number of blocks of a process for each process there is, so that each has its share of every
    /// level. More blocks mean shorter runs for the busiest process (`examples/balance.rs`).
    const BLOCKS: u64 = 128;
    /// A few processes are even enough with fewer blocks, and then send less: this number times the square of
    /// the number of processes.
    const BLOCKS_OF_FEW: u64 = 4;
    /// The shortest block.
    const BLOCK_MIN: u64 = 256;
    /// The longest part, without one block.
    const PART_MAX: u64 = (1 << 31) - BlockPartition::BLOCK_MAX;

    /// The best length of blocks: the longest that leaves each process enough blocks. A block has whole
    /// words, because a split word would be asked for its moves twice. If possible it also has whole runs of
    /// `whole` states, which belong together.
    pub fn block(states: u64, processes: usize, whole: u64) -> u64 {
        let processes = processes as u64;
        let blocks =
            (BlockPartition::BLOCKS_OF_FEW * processes * processes).min(BlockPartition::BLOCKS);
        let most = states / processes / (processes * blocks);
        let most = most.clamp(BlockPartition::BLOCK_MIN, BlockPartition::BLOCK_MAX);
        let words = 64 >> whole.trailing_zeros().min(6);
        let both = whole.saturating_mul(words);
        if (1..=most).contains(&both) { most - most % both } else { most - most % 64 }
    }

    /// Partitions `states` states in blocks.
    ///
    /// # Panics
    ///
    /// If there are no processes, if blocks are empty, or if either number is too large.
    pub fn new(states: u64, processes: usize, block: u64) -> BlockPartition {
        BlockPartition::in_parts(states, processes, block, BlockPartition::PART_MAX)
    }

    /// The same in parts of at most `part_max` states, for tests.
    #[doc(hidden)]
    pub fn in_parts(states: u64, processes: usize, block: u64, part_max: u64) -> BlockPartition {
        let processes = processes as u64;
        assert!((1..=1 << 16).contains(&processes), "{processes} processes");
        assert!((1..=BlockPartition::BLOCK_MAX).contains(&block), "blocks of {block} states");
        let (stride, blocks) = (block.next_multiple_of(64), states.div_ceil(block));
        let parts = (blocks.div_ceil(processes) * stride).div_ceil(part_max).max(1);
        let part_len = blocks.div_ceil(processes * parts).max(1) * stride;
        let shift = part_len.next_power_of_two().trailing_zeros();
        let shares = processes * parts;
        let processes = Divisor::new(processes, blocks);
        let block = Divisor::new(block, states);
        let stride = Divisor::new(stride, 1 << shift);
        let parts = Divisor::new(parts, blocks.max(shares));
        BlockPartition { states, processes, block, stride, parts, part_len, shift }
    }

    /// How many states there are in the new numbering.
    pub fn renumbered_states(&self) -> u64 {
        (self.parts.by() * self.processes.by()) << self.shift
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.processes.by() as usize
    }

    /// The size of a part in the new numbering, a power of two.
    pub fn part_states(&self) -> u64 {
        1 << self.shift
    }

    /// How many of the states of a part are in use: the first ones.
    pub fn part_len(&self) -> u64 {
        self.part_len
    }

    /// The blocks of a part, including those beyond the last state: the size of each in the new numbering,
    /// and its states.
    pub(crate) fn blocks(&self, part: u64) -> impl Iterator<Item = (u64, Range<u64>)> + use<> {
        let BlockPartition { states, processes, block, stride, parts, part_len, .. } = *self;
        let (process, part) = parts.divide(part);
        (0..part_len / stride.by()).map(move |turn| {
            let first = ((turn * parts.by() + part) * processes.by() + process) * block.by();
            (stride.by(), first.min(states)..states.min(first + block.by()))
        })
    }

    /// How many parts a process has.
    pub fn parts(&self) -> usize {
        self.parts.by() as usize
    }

    /// The new number of a state.
    #[inline(always)]
    pub fn renumbered(&self, state: u64) -> u64 {
        let (block, within) = self.block.divide(state);
        let (turn, process) = self.processes.divide(block);
        let (turn, part) = self.parts.divide(turn);
        (process * self.parts.by() + part) << self.shift | (turn * self.stride.by() + within)
    }

    /// The state of a new number; `None` if the number is invalid.
    #[inline(always)]
    pub fn state(&self, renumbered: u64) -> Option<u64> {
        let state = self.state_or_beyond(renumbered)?;
        (state < self.states).then_some(state)
    }

    #[inline(always)]
    fn state_or_beyond(&self, renumbered: u64) -> Option<u64> {
        let (process, part) = self.parts.divide(renumbered >> self.shift);
        let (turn, within) = self.stride.divide(self.within_part(renumbered));
        let block = (turn * self.parts.by() + part) * self.processes.by() + process;
        (within < self.block.by()).then(|| block * self.block.by() + within)
    }

    #[inline(always)]
    fn within_part(&self, renumbered: u64) -> u64 {
        renumbered & ((1 << self.shift) - 1)
    }

    /// The blocks of a process: the first new number of each, and its states.
    pub fn own(&self, process: usize) -> impl Iterator<Item = (u64, Range<u64>)> + '_ {
        let first = process as u64 * self.block.by();
        let turn = (self.processes.by() * self.block.by()) as usize;
        (first..self.states)
            .step_by(turn)
            .map(|first| (self.renumbered(first), first..self.states.min(first + self.block.by())))
    }

    /// A range of states, split at the borders of blocks, in order. Each piece comes with its process and its
    /// first new number.
    pub fn runs(&self, states: Range<u64>) -> impl Iterator<Item = (usize, u64, Range<u64>)> + '_ {
        let mut next = states.start;
        std::iter::from_fn(move || {
            let first = next;
            if first >= states.end {
                return None;
            }
            let (block, _) = self.block.divide(first);
            next = states.end.min((block + 1) * self.block.by());
            let (_, process) = self.processes.divide(block);
            Some((process as usize, self.renumbered(first), first..next))
        })
    }
}

/// A partitioned game: the same game with other numbers.
pub struct Renumbered<'g, G> {
    game: &'g G,
    block_partition: BlockPartition,
    /// For each block, the difference between new and old numbers. It saves two multiplications a move.
    moved: Vec<u64>,
}

impl<'g, G: Game> Renumbered<'g, G> {
    /// Renumbers a game.
    pub fn new(game: &'g G, block_partition: BlockPartition) -> Renumbered<'g, G> {
        assert_eq!(game.states(), block_partition.states, "the block_partition of another game");
        let blocks = (0..block_partition.states).step_by(block_partition.block.by() as usize);
        let moved =
            blocks.map(|first| block_partition.renumbered(first).wrapping_sub(first)).collect();
        Renumbered { game, block_partition, moved }
    }

    /// The new number of a state.
    #[inline(always)]
    fn renumbered(&self, state: u64) -> u64 {
        let (block, _) = self.block_partition.block.divide(state);
        match self.moved.get(block as usize) {
            Some(&moved) => state.wrapping_add(moved),
            // No state: the engine reports it.
            None => u64::MAX,
        }
    }

    /// The new number of a state of another block. A separate function, because few moves leave a block.
    #[inline(never)]
    fn far(&self, state: u64) -> u64 {
        self.renumbered(state)
    }

    /// The old number of a valid new number.
    #[inline(always)]
    fn state(&self, renumbered: u64) -> u64 {
        self.block_partition.state_or_beyond(renumbered).unwrap_or(renumbered)
    }
}

impl<G: Game> Game for Renumbered<'_, G> {
    fn states(&self) -> u64 {
        self.block_partition.renumbered_states()
    }

    fn status(&self, renumbered: u64) -> Status {
        self.block_partition
            .state(renumbered)
            .map_or(Status::Invalid, |state| self.game.status(state))
    }

    fn exits(&self, renumbered: u64, visit: impl FnMut(Value)) {
        self.game.exits(self.state(renumbered), visit);
    }

    fn successors(&self, renumbered: u64, mut visit: impl FnMut(u64)) {
        self.game.successors(self.state(renumbered), |to| visit(self.renumbered(to)));
    }

    fn degree(&self, renumbered: u64) -> u32 {
        self.block_partition.state(renumbered).map_or(0, |state| self.game.degree(state))
    }

    fn classify(&self, renumbered: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        let mut next = renumbered.start;
        while next < renumbered.end {
            let first = next;
            let part = self.block_partition.within_part(first);
            let (_, within) = self.block_partition.stride.divide(part);
            next = first - part + self.block_partition.part_states();
            next = next.min(first - within + self.block_partition.stride.by()).min(renumbered.end);
            let state = self.block_partition.state(first);
            let len = state.map_or(0, |state| {
                (next - first)
                    .min(self.block_partition.block.by() - within)
                    .min(self.block_partition.states - state)
            });
            if let Some(state) = state {
                self.game.classify(state..state + len, |at, status, degree, exits| {
                    visit(first + (at - state), status, degree, exits);
                });
            }
            (first + len..next).for_each(|hole| visit(hole, Status::Invalid, 0, &[]));
        }
    }

    fn degree_max(&self) -> Option<u32> {
        self.game.degree_max()
    }

    #[inline(always)]
    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.game.keeps_turn(self.state(from), self.state(to))
    }
}

/// The visitors are inlined by force. The compiler would not do it, because there are many call sites, and a
/// call for each move makes a solve half as fast.
impl<G: Predecessors> Predecessors for Renumbered<'_, G> {
    fn prefetch(&self) -> Prefetch {
        self.game.prefetch()
    }

    #[inline(always)]
    fn predecessors(&self, renumbered: u64, mut visit: impl FnMut(u64)) {
        self.game.predecessors(
            self.state(renumbered),
            #[inline(always)]
            |from| visit(self.renumbered(from)),
        );
    }

    /// A word of the new numbering is a word of the old one, or lies across two if blocks are not whole
    /// words. Most moves stay inside their block, so their difference is the same.
    #[inline(always)]
    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        let start = self.state(first);
        let by = self.block_partition.block.by();
        let (_, within) = self.block_partition.block.divide(start);
        let (block, block_renumbered) = (start - within, first - within);
        let (word, shift) = (start & !63, start & 63);
        let beyond = if shift > 0 { set >> (64 - shift) } else { 0 };
        for (word, set) in [(word, set << shift), (word + 64, beyond)] {
            if set != 0 {
                self.game.predecessors_of_each(
                    word,
                    set,
                    #[inline(always)]
                    |state, from| {
                        let near = from.wrapping_sub(block);
                        let from = if near < by { block_renumbered + near } else { self.far(from) };
                        visit(first + (state - start), from);
                    },
                );
            }
        }
    }
}
