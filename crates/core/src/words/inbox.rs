//! What a level passes to the next: masks of states that win, and marks of words to check.

use std::sync::atomic::AtomicU64;

use super::marks::{Marks, add_bits};
use crate::memory::bits::Ones;
use crate::memory::pages::Pages;
use crate::rules::BitParallel;

/// The sets of 64 neighbouring words.
pub(super) type Run = [u64; 64];

/// What a level received from the level before.
pub(super) struct Inbox {
    /// States with a winning move, including some that have settled or never will. Empty if the solver
    /// [checks words for wins](BitParallel::CHECKS_WINS).
    wins: Pages<AtomicU64>,
    /// The words with such states.
    pub(super) may_win: Marks,
    /// The words with a state that has one more move known to lose.
    pub(super) may_lose: Marks,
}

/// What all threads together pass to the next level.
#[derive(Clone, Copy)]
pub(super) struct Outbox<'a> {
    pub(super) wins: &'a [AtomicU64],
    pub(super) may_win: &'a Marks,
    pub(super) may_lose: &'a Marks,
}

impl Inbox {
    pub(super) fn new(words: usize, checks_wins: bool) -> Inbox {
        let wins = Pages::zeroed(if checks_wins { 0 } else { words });
        Inbox { wins, may_win: Marks::new(words), may_lose: Marks::new(words) }
    }

    pub(super) fn share(&mut self) -> Outbox<'_> {
        let Inbox { wins, may_win, may_lose } = self;
        Outbox { wins: wins.as_mut(), may_win, may_lose }
    }
}

impl Outbox<'_> {
    /// Passes on what follows from the settled states in `sets`. The words are those of a run whose bits are
    /// in `words`.
    #[inline(always)]
    pub(super) fn tell<const SHARED: bool, G: BitParallel>(
        &self,
        game: &G,
        first: usize,
        words: u64,
        sets: &Run,
        won: bool,
    ) {
        if G::CHECKS_WINS {
            let marks = if won { self.may_lose } else { self.may_win };
            game.words_before(
                first as u64,
                words,
                sets,
                #[inline(always)]
                |first, words| marks.add_run::<SHARED>(first, words),
            );
            return;
        }
        for bit in Ones(words) {
            // A move wins that leaves the opponent lost, or keeps the turn and leaves the side to move won.
            game.predecessors_of_set(
                first as u64 + bit,
                sets[bit as usize],
                #[inline(always)]
                |word, states, keeps_turn| {
                    if keeps_turn == won {
                        add_bits::<SHARED>(&self.wins[word as usize], states);
                        self.may_win.add::<SHARED>(word as usize);
                    } else {
                        self.may_lose.add::<SHARED>(word as usize);
                    }
                },
            );
        }
    }

    /// The same for one word.
    #[inline(always)]
    pub(super) fn tell_word<const SHARED: bool, G: BitParallel>(
        &self,
        game: &G,
        word: usize,
        set: u64,
        won: bool,
    ) {
        let mut sets = [0; 64];
        sets[word % 64] = set;
        self.tell::<SHARED, G>(game, word & !63, 1 << (word % 64), &sets, won);
    }

    /// Marks a word for a check for losses.
    #[inline(always)]
    pub(super) fn may_lose<const SHARED: bool>(&self, word: usize) {
        self.may_lose.add::<SHARED>(word);
    }
}
