//! What the engine knows of the states of a word, two bits each, and the checks that read it.
//!
//! | state | unwon | shut |
//! |---|---|---|
//! | open | 1 | 0 |
//! | won | 0 | 0 |
//! | lost | 1 | 1 |
//! | invalid | 0 | 1 |
//!
//! A win clears the first bit and a loss sets the second. So a check for losses reads only bits that wins
//! change. For open and lost states, a check for wins reads only bits that losses change.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::{FromBytes, IntoBytes};

use super::inbox::{Run, take};
use crate::rules::BitParallel;

/// The unwon states of a word and the shut ones. They share a cache line, because they are read together.
pub(crate) type Known = [u64; 2];

/// The same while threads read each other's words. Only one thread writes each word.
pub(crate) type SharedKnown = [AtomicU64; 2];

/// What the rules alone say.
#[inline(always)]
pub(crate) fn seeded(won: u64, lost: u64, invalid: u64) -> Known {
    [!(won | invalid), lost | invalid]
}

pub(crate) fn open([unwon, shut]: Known) -> u64 {
    unwon & !shut
}

pub(crate) fn won([unwon, shut]: Known) -> u64 {
    !(unwon | shut)
}

pub(crate) fn lost([unwon, shut]: Known) -> u64 {
    unwon & shut
}

pub(crate) fn invalid([unwon, shut]: Known) -> u64 {
    !unwon & shut
}

/// Lets threads read and write the words together.
pub(crate) fn share(known: &mut [Known]) -> &[SharedKnown] {
    <[SharedKnown]>::mut_from_bytes(known.as_mut_bytes())
        .unwrap_or_else(|_| unreachable!("numbers are as large and as aligned as atomic ones"))
}

#[inline(always)]
pub(crate) fn load([unwon, shut]: &SharedKnown) -> Known {
    [unwon.load(Relaxed), shut.load(Relaxed)]
}

/// Settles open states of a word as wins or losses.
#[inline(always)]
pub(crate) fn settle([unwon, shut]: &SharedKnown, states: u64, won: bool) {
    if won {
        unwon.store(unwon.load(Relaxed) & !states, Relaxed);
    } else {
        shut.store(shut.load(Relaxed) | states, Relaxed);
    }
}

/// The bits of words, by the numbers of the words.
pub(crate) trait WordBits: Copy + Sync {
    /// The bits of a word of the part.
    fn own(&self, word: usize) -> &SharedKnown;

    /// The bits of a word that a move leads to. `None` beyond the last word.
    fn target(&self, word: u64) -> Option<&SharedKnown>;
}

impl WordBits for &[SharedKnown] {
    #[inline(always)]
    fn own(&self, word: usize) -> &SharedKnown {
        &self[word]
    }

    #[inline(always)]
    fn target(&self, word: u64) -> Option<&SharedKnown> {
        self.get(word as usize)
    }
}

/// What the checks of a level read.
pub(crate) struct Checks<'a, G, W> {
    pub(crate) game: &'a G,
    /// The bits of all words. All words beyond the last one are invalid.
    pub(crate) known: W,
    pub(crate) terminal: &'a [u64],
    pub(crate) wins: &'a [AtomicU64],
    pub(crate) stops: Option<&'a Stops<'a>>,
}

/// Asks the caller whether to stop.
pub(crate) type Stops<'a> = dyn Fn() -> bool + Sync + 'a;

impl<G: BitParallel, W: WordBits> Checks<'_, G, W> {
    /// The bits of a word of the part.
    #[inline(always)]
    pub(crate) fn known_of(&self, word: usize) -> &SharedKnown {
        self.known.own(word)
    }

    /// The open states of a word.
    #[inline(always)]
    pub(crate) fn open(&self, word: usize) -> u64 {
        open(load(self.known_of(word)))
    }

    /// The states that win, out of some open states of a word.
    #[inline(always)]
    pub(crate) fn wins(&self, word: usize, open: u64) -> u64 {
        if !G::CHECKS_WINS {
            return open & take(&self.wins[word]);
        }
        if open == 0 {
            return 0;
        }
        // Beyond the last word all states are invalid.
        let not_lost = |word, _| self.known.target(word).map_or(!0, |known| !lost(load(known)));
        open & !self.game.all_moves_into(word as u64, open, not_lost)
    }

    /// The states that lose, out of some open states of a word.
    #[inline(always)]
    pub(crate) fn losses(&self, word: usize, open: u64) -> u64 {
        if open == 0 {
            return 0;
        }
        self.game.all_moves_into(word as u64, open, |word, keeps| self.loses_into(word, keeps))
    }

    /// Leaves the states that lose in sets of open states. If bit `i` of `words` is set, `sets[i]` holds states of word
    /// `first + i`.
    #[inline(always)]
    pub(crate) fn losses_of_run(&self, first: usize, words: u64, sets: &mut Run) {
        let target = |word, keeps| self.loses_into(word, keeps);
        self.game.all_moves_into_run(first as u64, words, sets, target);
    }

    /// The states of a word that a move into does not help.
    #[inline(always)]
    fn loses_into(&self, word: u64, keeps_turn: bool) -> u64 {
        // Beyond the last word all states are invalid.
        let Some(known) = self.known.target(word) else { return !0 };
        let [unwon, shut] = load(known);
        if keeps_turn { shut } else { !unwon }
    }
}
