//! A game for the steps of one shard: it notices moves to words that are not near the shard.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::forward;
use crate::rules::{BitParallel, Game, Predecessors, Singles, WordStatus};

/// The game.
pub(super) struct Nearby<'a, G> {
    game: &'a G,
    /// How many words the game has.
    words: u64,
    /// The words that checks may read.
    readable: Range<u64>,
    /// The words that may be marked. The first number wraps if it is below 0.
    first: u64,
    /// A run of 64 words may begin at most this number of words after `first`.
    span: u64,
    /// Set when a step needs another word.
    missed: &'a AtomicBool,
}

impl<'a, G: BitParallel> Nearby<'a, G> {
    /// The game for the steps of a shard. It may mark words up to `reach` words before and after the shard. `reach` is at
    /// least 64.
    pub(super) fn new(
        game: &'a G,
        shard: Range<usize>,
        readable: Range<usize>,
        reach: usize,
        missed: &'a AtomicBool,
    ) -> Nearby<'a, G> {
        Nearby {
            game,
            words: game.states().div_ceil(64),
            readable: readable.start as u64..readable.end as u64,
            first: (shard.start as u64).wrapping_sub(reach as u64),
            span: (shard.len() + 2 * reach - 64) as u64,
            missed,
        }
    }

    #[cold]
    fn miss(&self) {
        self.missed.store(true, Relaxed);
    }
}

impl<G: Game> Game for Nearby<'_, G> {
    forward!(Game for nearby => nearby.game);
}

impl<G: Predecessors> Predecessors for Nearby<'_, G> {
    forward!(Predecessors for nearby => nearby.game);
}

impl<G: BitParallel> BitParallel for Nearby<'_, G> {
    const CHECKS_WINS: bool = G::CHECKS_WINS;

    #[inline(always)]
    fn classify_words(&self, words: Range<u64>, visit: impl FnMut(u64, WordStatus, Singles<'_>)) {
        self.game.classify_words(words, visit);
    }

    #[inline(always)]
    fn predecessors_of_set(&self, word: u64, set: u64, visit: impl FnMut(u64, u64, bool)) {
        self.game.predecessors_of_set(word, set, visit);
    }

    #[inline(always)]
    fn words_before(
        &self,
        first: u64,
        words: u64,
        sets: &[u64; 64],
        mut visit: impl FnMut(u64, u64),
    ) {
        self.game.words_before(
            first,
            words,
            sets,
            #[inline(always)]
            |first, words| {
                if words != 0 && first.wrapping_sub(self.first) > self.span {
                    self.miss();
                }
                visit(first, words);
            },
        );
    }

    #[inline(always)]
    fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        self.game.all_moves_into(
            word,
            set,
            #[inline(always)]
            |to, keeps_turn| {
                if !self.readable.contains(&to) && to < self.words {
                    self.miss();
                }
                target(to, keeps_turn)
            },
        )
    }
}
