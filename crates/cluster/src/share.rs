//! The share of a rank: its engine, its states, and its memory.

use std::io::BufReader;

use retrograde::parts::Parted;
use retrograde::{SolveError, Solver, bit_parallel};
use retrograde_catalog::{self as catalog, Job};
use retrograde_files::Cursor;

use crate::block_partition::BlockPartition;
use crate::engine::{Bounds, Plan};
use crate::game::Game;
use crate::gather;
use crate::repartition::Repartitioned;

/// The share of a rank.
pub(crate) struct Share {
    /// How the states are partitioned.
    pub(crate) block_partition: BlockPartition,
    /// The engine.
    pub(crate) engine: Engine,
    /// Why this engine.
    pub(crate) reason: &'static str,
    /// The limits for data on its way.
    pub(crate) bounds: Bounds,
    /// The memory of the engine before the first level.
    pub(crate) bytes: u64,
    /// The memory besides.
    pub(crate) beside: u64,
    /// Whether distances are kept.
    distances: bool,
}

/// The engine of a rank.
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

    /// Its number in checkpoints.
    pub(crate) fn number(&self) -> u64 {
        match self {
            Engine::Scalar(_) => 0,
            Engine::BitParallel(_) => 1,
        }
    }
}

/// A rank, and how many there are.
type Place = (usize, usize);

impl Share {
    /// The share of a rank in a new solve. All ranks choose the same engine.
    pub(crate) fn of(job: &Job, place @ (_, ranks): Place, game: &dyn Game) -> Share {
        let block = job.block.unwrap_or_else(|| BlockPartition::block(game.states(), ranks));
        let scalar = |place, reason| Share::scalar(job, place, game, block, reason);
        match job.engine {
            Some(catalog::Engine::Scalar) => return scalar(place, "as asked"),
            None if !has_words(game) => return scalar(place, "the game has no words"),
            _ => {}
        }
        let copies @ (_, ghosts) = blocks_of(game, ranks);
        let by_words = |place, reason| Share::by_words(job, place, game, copies, reason);
        if job.engine.is_some() {
            return by_words(place, "as asked");
        }
        // Copies of words take memory. If most words had a copy in each rank, more ranks would not need less each.
        let words = game.states().div_ceil(64);
        let most = (words - words / ranks as u64) as f64;
        if ghosts as f64 > COPIES_MOST * most {
            return scalar(place, "its moves lead to the words of all ranks");
        }
        // The first rank takes most. The scalar engine may fit where the other does not.
        let first = (0, ranks);
        let needed = by_words(first, "").needed();
        let is_too_much = job.memory.is_some_and(|memory| needed > memory);
        match is_too_much && scalar(first, "").needed() <= needed {
            true => scalar(place, "copies of words do not fit in memory"),
            false => by_words(place, "its moves lead to near words"),
        }
    }

    /// The share of a rank that continues with an engine, and with blocks of `block` states for the scalar engine.
    pub(crate) fn like(
        job: &Job,
        place: Place,
        game: &dyn Game,
        (engine, block): (u64, u64),
    ) -> Result<Share, String> {
        let reason = "the checkpoint is of this engine";
        let other = |name: &str| {
            format!(
                "the checkpoint is of another engine; repeat the command with --engine {name}, or without --engine"
            )
        };
        match (engine, job.engine) {
            (0, Some(catalog::Engine::BitParallel)) => Err(other("scalar")),
            (0, _) => Ok(Share::scalar(job, place, game, block, reason)),
            (_, Some(catalog::Engine::Scalar)) => Err(other("bit-parallel")),
            _ if !has_words(game) => Err(other("scalar")),
            _ => Ok(Share::by_words(job, place, game, blocks_of(game, place.1), reason)),
        }
    }

    fn scalar(
        job: &Job,
        (rank, ranks): Place,
        game: &dyn Game,
        block: u64,
        reason: &'static str,
    ) -> Share {
        let (distances, bounds) =
            (job.distances, Bounds::within(job.memory, game.states() / ranks as u64));
        let block_partition = BlockPartition::new(game.states(), ranks, block);
        let plan = Plan::new(&*game.parted(), block_partition, distances);
        let plan = plan.threads(job.threads).bounds(bounds);
        let (bytes, beside) = (plan.bytes(rank, 0), Share::beside((rank, ranks), game));
        Share {
            block_partition,
            engine: Engine::Scalar(plan),
            reason,
            bounds,
            bytes,
            beside,
            distances,
        }
    }

    fn by_words(
        job: &Job,
        (rank, ranks): Place,
        game: &dyn Game,
        (blocks, ghosts): (usize, u64),
        reason: &'static str,
    ) -> Share {
        let (distances, bounds) =
            (job.distances, Bounds::within(job.memory, game.states() / ranks as u64));
        let solver = Solver::new().distances(distances);
        let share = bit_parallel::Share::new(game.states(), rank, ranks, blocks);
        let needed = game.memory_needed_share(&solver, &share, (ghosts, job.disk.is_some()));
        let bytes = needed.unwrap_or_default();
        let block_partition = BlockPartition::of_words(game.states(), ranks, &share);
        let engine = Engine::BitParallel(share);
        // What is sent, what arrives, and both as lists of words, which take 24 bytes in place of 14.
        let buffers = 4 * bounds.superstep_bytes as u64;
        let beside = Share::beside((rank, ranks), game) + buffers;
        Share { block_partition, engine, reason, bounds, bytes, beside, distances }
    }

    /// The memory besides the engine.
    fn beside(place: Place, game: &dyn Game) -> u64 {
        gather::bytes(place, game) + game.bytes()
    }

    /// The memory of the rank.
    pub(crate) fn needed(&self) -> u64 {
        self.bytes + self.beside
    }

    /// The state of this rank, from the checkpoints of another number of ranks, or of blocks of another length.
    pub(crate) fn repartitioned(
        &self,
        rank: usize,
        (ranks, block): (usize, u64),
        files: Vec<BufReader<Cursor>>,
    ) -> Result<Repartitioned<BufReader<Cursor>>, SolveError> {
        let Share { block_partition, distances, .. } = self;
        match &self.engine {
            Engine::Scalar(plan) => {
                let from = BlockPartition::new(block_partition.states(), ranks, block);
                Repartitioned::new(plan, rank, from, files)
            }
            Engine::BitParallel(share) => {
                Repartitioned::of_words(share, *distances, (*block_partition, rank), files)
            }
        }
    }
}

/// The most copies of words of other ranks, as a part of all these words, with which the bit-parallel engine is chosen.
const COPIES_MOST: f64 = 0.5;

/// Whether a game can be solved 64 states at a time.
fn has_words(game: &dyn Game) -> bool {
    // Without words, it takes no time to find out.
    let none = bit_parallel::Share::new(0, 0, 1, 1);
    game.memory_needed_share(&Solver::new(), &none, (0, false)).is_some()
}

/// How many blocks each rank has, and about how many words of others it reads.
///
/// Many blocks share each level more evenly. If the moves are short, each block reads the words at its borders, so more
/// blocks mean more copies.
fn blocks_of(game: &dyn Game, ranks: usize) -> (usize, u64) {
    /// The most blocks of a rank.
    const BLOCKS_MAX: usize = 16;
    /// How much more of the own words the copies may take than with one block.
    const MORE_COPIES: f64 = 0.125;
    let states = game.states();
    let readers = |blocks: usize| {
        let share = bit_parallel::Share::new(states, 0, ranks, blocks);
        let partition = BlockPartition::of_words(states, ranks, &share);
        Sampled::of(&*game.parted(), &partition).readers
    };
    let least = readers(1);
    let numbers = (1..=BLOCKS_MAX.ilog2()).rev().map(|power| (1 << power, readers(1 << power)));
    let mut few = numbers.filter(|(_, readers)| *readers <= least + MORE_COPIES);
    let (blocks, readers) = few.next().unwrap_or((1, least));
    (blocks, (readers * states.div_ceil(64) as f64 / ranks as f64) as u64)
}

/// Estimates from a sample of states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sampled {
    /// How many backward moves a state has on average, and how many of them lead to states of other ranks.
    pub(crate) moves: f64,
    pub(crate) away: f64,
    /// How many other ranks read a word, on average.
    pub(crate) readers: f64,
}

impl Sampled {
    /// Takes the sample.
    pub(crate) fn of(game: &dyn Parted, partition: &BlockPartition) -> Sampled {
        /// How many words to ask. Their moves are within a hundredth of those of all states for most games.
        const SAMPLE: u64 = 1 << 10;
        let (states, words) = (partition.states(), partition.states().div_ceil(64));
        let rank_of = |state: u64| partition.rank_of(state / partition.block_states());
        let (mut asked, mut moves, mut away, mut readers) = (0, 0, 0, 0);
        // All words of a small game. For others a prime that is no multiple of the length of rows or blocks.
        let stride = if words <= SAMPLE { 1 } else { 2_654_435_761 };
        for sample in 0..words.min(SAMPLE) {
            let word = sample * stride % words;
            let own = rank_of(word * 64);
            let mut read_by = Vec::new();
            for state in word * 64..states.min(word * 64 + 64) {
                asked += 1;
                game.backward_moves(state, &mut |from| {
                    let reader = rank_of(from);
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
