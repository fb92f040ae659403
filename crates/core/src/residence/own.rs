//! A game for one of several processes: the engine marks only the words that this process settles. The other processes mark
//! their own words. Without this, each process would touch the memory of all words.

use std::ops::Range;

use super::share::Share;
use crate::forward;
use crate::memory::{Bits, zeros};
use crate::rules::{BitParallel, Game, Predecessors, Singles, WordStatus};

/// The game.
pub(super) struct OwnWords<'a, G> {
    game: &'a G,
    /// A bit for each 64 words, which this process settles all or not at all.
    runs: Bits,
}

impl<'a, G: BitParallel> OwnWords<'a, G> {
    pub(super) fn new(game: &'a G, share: &Share) -> OwnWords<'a, G> {
        let mut runs = zeros(game.states().div_ceil(64 * 64) as usize);
        for run in share.blocks().iter().flat_map(|words| words.step_by(64)).map(|word| word / 64) {
            runs[run / 64] |= 1 << (run % 64);
        }
        OwnWords { game, runs }
    }

    /// Whether this process settles the words of a run, if there are such words.
    #[inline(always)]
    fn owns_run(&self, run: u64) -> bool {
        self.runs.get((run / 64) as usize).is_none_or(|bits| bits >> (run % 64) & 1 != 0)
    }

    /// The own words out of some: bit `n` is word `first + n`, which wraps below 0.
    #[inline(always)]
    fn own_of(&self, first: u64, words: u64) -> u64 {
        let (run, shift) = ((first as i64 >> 6) as u64, first % 64);
        let later = !0 << 1 << (63 - shift);
        let keep = |run, words| if self.owns_run(run) { words } else { 0 };
        words & (keep(run, !later) | keep(run.wrapping_add(1), later))
    }
}

impl<G: Game> Game for OwnWords<'_, G> {
    forward!(Game for own => own.game);
}

impl<G: Predecessors> Predecessors for OwnWords<'_, G> {
    forward!(Predecessors for own => own.game);
}

impl<G: BitParallel> BitParallel for OwnWords<'_, G> {
    const PASSES_TURN: bool = G::PASSES_TURN;
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
            |first, words| visit(first, self.own_of(first, words)),
        );
    }

    #[inline(always)]
    fn predecessors_of_run(
        &self,
        first: u64,
        words: u64,
        sets: &[u64; 64],
        mut visit: impl FnMut(u64, u64, bool),
    ) {
        self.game.predecessors_of_run(
            first,
            words,
            sets,
            #[inline(always)]
            |word, states, keeps_turn| {
                if self.owns_run(word / 64) {
                    visit(word, states, keeps_turn);
                }
            },
        );
    }

    #[inline(always)]
    fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        self.game.all_moves_into(word, set, target)
    }

    #[inline(always)]
    fn all_moves_into_run(
        &self,
        first: u64,
        words: u64,
        sets: &mut [u64; 64],
        target: impl Fn(u64, bool) -> u64,
    ) {
        self.game.all_moves_into_run(first, words, sets, target);
    }
}
