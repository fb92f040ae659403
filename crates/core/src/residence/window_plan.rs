//! How far the moves of a game lead, and what a window for them takes.

use super::stored::Stored;
use crate::rules::{BitParallel, ByWords};
use crate::solve::solver::Solver;
use crate::words::arrays::list_bytes_of_all;
use crate::words::blocks::Blocks;
use crate::words::engine::parts_most;
use crate::words::inbox::Marks;
use crate::words::known::Known;

/// The most levels of a pass.
const LEVELS_MAX: usize = 1 << 12;

/// How a solve with a window works: see [`ByWords::plan_window`](crate::bit_parallel::ByWords::plan_window).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WindowPlan {
    /// How many bytes of memory it takes at least.
    pub memory_least: u64,
    /// How many bytes of memory it takes with the memory limit of this solver. If the limit is too low, this is
    /// `memory_least`.
    pub memory: u64,
    /// By how many levels a pass advances all states. A pass reads all bits, and writes those that have changed.
    pub levels_a_pass: u32,
    /// How many bytes the bits of all states take. The store has room for twice that number.
    pub bytes: u64,
    /// A move leads at most this number of shards before or after its own shard.
    pub(super) reach: usize,
    pub(super) limit: u64,
    /// How many bytes are enough without a window.
    pub(super) whole: u64,
}

impl WindowPlan {
    /// The plan for the memory limit of a solver. `None` if the game cannot be solved with a window, or if the window
    /// would not be smaller than the game.
    pub(super) fn new<G: BitParallel>(game: &G, solver: &Solver<'_>) -> Option<WindowPlan> {
        let (words, shard_words) = (game.states().div_ceil(64), solver.thresholds.shard_words);
        let (shards_all, limit) = (words.div_ceil(shard_words as u64), solver.choices().memory_max);
        let reach = reach_of(game)?.div_ceil(shard_words as u64) as usize;
        let shard = bytes_of(shard_words);
        let logs = Stored::bytes_beside(words, shard_words);
        let beside = 2 * Marks::bytes(words) + if solver.distances { logs } else { 0 };
        let (least, lists) = (shards_min(reach) as u64, lists(reach, shard_words));
        let left = limit.saturating_sub(beside + lists);
        let shards = (left / shard).clamp(least, shards_all.max(least));
        let own = Blocks::whole(words as usize, shard_words);
        let parts = parts_most(&own, solver.threads_used(), solver.thresholds);
        (lists + least * shard < shards_all * shard).then(|| WindowPlan {
            memory_least: beside + lists + least * shard,
            memory: beside + lists + shards * shard,
            levels_a_pass: levels(shards as usize, shards_all as usize, reach).unwrap_or(1) as u32,
            bytes: shards_all * shard,
            reach,
            limit,
            whole: ByWords(game).memory_needed_in(solver) + list_bytes_of_all(parts, words),
        })
    }

    /// How many shards the window has space for, if a move leads at most `reach` shards before or after its own.
    pub(super) fn shards(&self, reach: usize, shard_words: usize) -> usize {
        let shard = bytes_of(shard_words);
        let least = lists(self.reach, shard_words) + shards_min(self.reach) as u64 * shard;
        let beside = self.memory_least - least + lists(reach, shard_words);
        (self.memory.saturating_sub(beside) / shard) as usize
    }
}

/// The bytes of a shard.
fn bytes_of(shard_words: usize) -> u64 {
    (shard_words * size_of::<Known>()) as u64
}

/// The most bytes of lists. A level that may bring both wins and losses lists the states of a shard until it has checked
/// the shards nearby.
fn lists(reach: usize, shard_words: usize) -> u64 {
    let shards = reach as u64 + 1;
    list_bytes_of_all(shards, shards * shard_words as u64)
}

/// How many levels a pass takes. `None` if the window is too small.
pub(super) fn levels(shards: usize, shards_all: usize, reach: usize) -> Option<usize> {
    if shards >= shards_all {
        return Some(LEVELS_MAX);
    }
    // The window moves to the start of its memory once a quarter of the memory is free.
    let lag = (shards - shards.div_ceil(4)).checked_sub(2 * reach + 3)?;
    Some((lag / (reach + 1) + 1).min(LEVELS_MAX))
}

/// The least number of shards in a window: one shard and those near it, one on its way to the store and one on its way
/// from there, and a third more, because the window slides along its memory.
fn shards_min(reach: usize) -> usize {
    (2 * reach + 3) * 4 / 3 + 1
}

/// The greatest distance, in words, between the two ends of a move: measured on a sample of words, plus a margin. `None`
/// if the solver does not check the words of the game for wins.
fn reach_of<G: BitParallel>(game: &G) -> Option<u64> {
    const SAMPLE: u64 = 1 << 12;
    if !G::CHECKS_WINS {
        return None;
    }
    let words = game.states().div_ceil(64);
    let mut reach = 0;
    for word in (0..words).step_by(words.div_ceil(SAMPLE).max(1) as usize) {
        let mut sets = [0; 64];
        game.classify_words(word..word + 1, |_, status, _| {
            sets[word as usize % 64] = !status.invalid;
        });
        game.words_before(word & !63, 1 << (word % 64), &sets, |first, found| {
            if found != 0 {
                let bits = [found.trailing_zeros(), 63 - found.leading_zeros()];
                let to = bits.map(|bit| first.wrapping_add(u64::from(bit)));
                let inside = to.into_iter().filter(|&to| to < words);
                reach = inside.map(|to| to.abs_diff(word)).fold(reach, u64::max);
            }
        });
    }
    Some(reach + reach / 8 + 128)
}
