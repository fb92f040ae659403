//! The share of a process: its engine, its states, and its memory.

use retrograde_files::Cursor;
use std::io::BufReader;

use retrograde::parts::Parted;
use retrograde::{SolveError, Solver, bit_parallel};
use retrograde_cluster::{BlockPartition, Plan, Repartitioned};

use crate::game::Game;
use crate::gather;
use crate::job::Job;

/// The share of a process.
pub(crate) struct Share {
    /// How the states are partitioned.
    pub(crate) block_partition: BlockPartition,
    /// The engine.
    pub(crate) engine: Engine,
    /// The memory of the engine before the first level.
    pub(crate) bytes: u64,
    /// The memory besides.
    pub(crate) beside: u64,
    /// Whether distances are kept.
    distances: bool,
}

/// The engine of a process.
pub(crate) enum Engine {
    Scalar(Plan),
    BitParallel(bit_parallel::Share),
}

impl Engine {
    /// Its name for people.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Engine::Scalar(_) => "scalar",
            Engine::BitParallel(_) => "bit-parallel",
        }
    }
}

impl Share {
    /// The share of a process in a new solve.
    pub(crate) fn of(job: &Job, process: usize, game: &dyn Game) -> Share {
        let usual = || BlockPartition::block(game.states(), job.told.processes);
        Share::with_blocks(job, process, game, job.told.block.unwrap_or_else(usual))
    }

    /// The share of a process, with blocks of `block` states for the scalar engine. All processes choose the same engine.
    pub(crate) fn with_blocks(job: &Job, process: usize, game: &dyn Game, block: u64) -> Share {
        let scalar = |process| Share::scalar(job, process, game, block);
        // Without words, it takes no time to find out.
        let (solver, none) = (Solver::new(), bit_parallel::Share::new(0, 0, 1, 1));
        let has_words = game.memory_needed_share(&solver, &none, (0, false)).is_some();
        if !job.told.bit_parallel || !has_words {
            return scalar(process);
        }
        let blocks = blocks_of(game, job.told.processes);
        let by_words = |process| Share::by_words(job, process, game, blocks);
        // Copies of words take memory, so the scalar engine may fit where the other does not.
        let needed = by_words(0).needed();
        let is_too_much = job.told.memory.is_some_and(|memory| needed > memory);
        match is_too_much && scalar(0).needed() <= needed {
            true => scalar(process),
            false => by_words(process),
        }
    }

    fn scalar(job: &Job, process: usize, game: &dyn Game, block: u64) -> Share {
        let distances = job.told.distances;
        let block_partition = BlockPartition::new(game.states(), job.told.processes, block);
        let plan = Plan::new(game.parted(), block_partition, distances).threads(job.told.threads);
        let (bytes, beside) = (plan.bytes(process, 0), Share::beside(job, process, game));
        Share { block_partition, engine: Engine::Scalar(plan), bytes, beside, distances }
    }

    fn by_words(
        job: &Job,
        process: usize,
        game: &dyn Game,
        (blocks, ghosts): (usize, u64),
    ) -> Share {
        let (processes, distances) = (job.told.processes, job.told.distances);
        let solver = Solver::new().distances(distances);
        let share = bit_parallel::Share::new(game.states(), process, processes, blocks);
        let needed = game.memory_needed_share(&solver, &share, (ghosts, job.told.disk.is_some()));
        let bytes = needed.unwrap_or_default();
        let block_partition = BlockPartition::of_words(game.states(), processes, &share);
        let (engine, beside) = (Engine::BitParallel(share), Share::beside(job, process, game));
        Share { block_partition, engine, bytes, beside, distances }
    }

    /// The memory besides the engine.
    fn beside(job: &Job, process: usize, game: &dyn Game) -> u64 {
        let first = if process == 0 { gather::first_bytes(job.told.processes, game) } else { 0 };
        gather::BYTES + first + game.bytes()
    }

    /// The memory of the process.
    pub(crate) fn needed(&self) -> u64 {
        self.bytes + self.beside
    }

    /// The state of this process, from the checkpoints of another number of processes, or of blocks of another length.
    pub(crate) fn repartitioned(
        &self,
        process: usize,
        (processes, block): (usize, u64),
        files: Vec<BufReader<Cursor>>,
    ) -> Result<Repartitioned<BufReader<Cursor>>, SolveError> {
        let Share { block_partition, distances, .. } = self;
        match &self.engine {
            Engine::Scalar(plan) => {
                let from = BlockPartition::new(block_partition.states(), processes, block);
                Repartitioned::new(plan, process, from, files)
            }
            Engine::BitParallel(share) => {
                Repartitioned::of_words(share, *distances, (*block_partition, process), files)
            }
        }
    }
}

/// How many blocks each process has, and about how many words of others it reads.
///
/// Many blocks share each level more evenly. If the moves are short, each block reads the words at its borders, so more
/// blocks mean more copies.
fn blocks_of(game: &dyn Game, processes: usize) -> (usize, u64) {
    /// The most blocks of a process.
    const BLOCKS_MAX: usize = 16;
    /// How much more of the own words the copies may take than with one block.
    const MORE_COPIES: f64 = 0.125;
    let states = game.states();
    let readers = |blocks: usize| {
        let share = bit_parallel::Share::new(states, 0, processes, blocks);
        let partition = BlockPartition::of_words(states, processes, &share);
        Sampled::of(game.parted(), &partition).readers
    };
    let least = readers(1);
    let numbers = (1..=BLOCKS_MAX.ilog2()).rev().map(|power| (1 << power, readers(1 << power)));
    let mut few = numbers.filter(|(_, readers)| *readers <= least + MORE_COPIES);
    let (blocks, readers) = few.next().unwrap_or((1, least));
    (blocks, (readers * states.div_ceil(64) as f64 / processes as f64) as u64)
}

/// Estimates from a sample of states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sampled {
    /// How many backward moves a state has on average, and how many of them lead to states of other processes.
    pub(crate) moves: f64,
    pub(crate) away: f64,
    /// How many other processes read a word, on average.
    pub(crate) readers: f64,
}

impl Sampled {
    /// Takes the sample.
    pub(crate) fn of(game: &dyn Parted, partition: &BlockPartition) -> Sampled {
        /// How many words to ask. Their moves are within a hundredth of those of all states for most games.
        const SAMPLE: u64 = 1 << 10;
        let (states, words) = (partition.states(), partition.states().div_ceil(64));
        let process_of = |state: u64| partition.process_of(state / partition.block_states());
        let (mut asked, mut moves, mut away, mut readers) = (0, 0, 0, 0);
        // All words of a small game. For others a prime that is no multiple of the length of rows or blocks.
        let stride = if words <= SAMPLE { 1 } else { 2_654_435_761 };
        for sample in 0..words.min(SAMPLE) {
            let word = sample * stride % words;
            let own = process_of(word * 64);
            let mut read_by = Vec::new();
            for state in word * 64..states.min(word * 64 + 64) {
                asked += 1;
                game.backward_moves(state, &mut |from| {
                    let reader = process_of(from);
                    moves += 1;
                    away += u64::from(reader != own);
                    if reader != own && !read_by.contains(&reader) {
                        read_by.push(reader);
                    }
                });
            }
            readers += read_by.len() as u64;
        }
        let average = |count: u64, of: u64| count as f64 / f64::max(of as f64, 1.0);
        let sampled = words.min(SAMPLE);
        Sampled {
            moves: average(moves, asked),
            away: average(away, asked),
            readers: average(readers, sampled),
        }
    }
}

#[cfg(test)]
mod tests {
    use retrograde::adapters::Explicit;

    use super::*;

    #[test]
    fn a_sample_of_all_states_counts_all_moves() {
        // Each state but the last has a move to the next one. With blocks of 64, every 64th leaves its block.
        let edges = (0..1023).map(|state| (state, state + 1));
        let game = Explicit::from_edges(1024, edges);
        let sampled = Sampled::of(&game, &BlockPartition::new(1024, 2, 64));
        let (moves, away, readers) = (1023.0 / 1024.0, 15.0 / 1024.0, 15.0 / 16.0);
        assert_eq!(sampled, Sampled { moves, away, readers });
        let sampled = Sampled::of(&game, &BlockPartition::new(1024, 1, 64));
        assert_eq!(sampled, Sampled { moves, ..Sampled::default() });
        let none = Explicit::from_edges(0, []);
        let sampled = Sampled::of(&none, &BlockPartition::new(0, 2, 64));
        assert_eq!(sampled, Sampled::default());
    }
}
