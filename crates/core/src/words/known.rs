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
use crate::rules::{BitParallel, Outcome};

/// The unwon states of a word and the shut ones. They share a cache line, because they are read together.
pub(crate) type Known = [u64; 2];

/// The same while threads read each other's words. Only one thread writes each own word. Several may change a ghost.
pub(super) type SharedKnown = [AtomicU64; 2];

/// What the rules alone say.
#[inline(always)]
pub(super) fn seeded(won: u64, lost: u64, invalid: u64) -> Known {
    [!(won | invalid), lost | invalid]
}

pub(super) fn open([unwon, shut]: Known) -> u64 {
    unwon & !shut
}

pub(super) fn won([unwon, shut]: Known) -> u64 {
    !(unwon | shut)
}

pub(super) fn lost([unwon, shut]: Known) -> u64 {
    unwon & shut
}

pub(super) fn invalid([unwon, shut]: Known) -> u64 {
    !unwon & shut
}

/// Lets threads read and write the words together.
pub(super) fn share(known: &mut [Known]) -> &[SharedKnown] {
    <[SharedKnown]>::mut_from_bytes(known.as_mut_bytes())
        .unwrap_or_else(|_| unreachable!("numbers are as large and as aligned as atomic ones"))
}

#[inline(always)]
pub(super) fn load([unwon, shut]: &SharedKnown) -> Known {
    [unwon.load(Relaxed), shut.load(Relaxed)]
}

/// Settles open states of a word as wins or losses.
#[inline(always)]
pub(super) fn settle([unwon, shut]: &SharedKnown, states: u64, won: bool) {
    if won {
        unwon.store(unwon.load(Relaxed) & !states, Relaxed);
    } else {
        shut.store(shut.load(Relaxed) | states, Relaxed);
    }
}

/// Changes states of a word whose bits another thread may change at the same time.
pub(super) fn settle_shared([unwon, shut]: &SharedKnown, states: u64, outcome: Option<Outcome>) {
    if matches!(outcome, Some(Outcome::Win) | None) {
        unwon.fetch_and(!states, Relaxed);
    }
    if matches!(outcome, Some(Outcome::Loss) | None) {
        shut.fetch_or(states, Relaxed);
    }
}

/// What the checks of a level read.
pub(super) struct Checks<'a, G> {
    pub(super) game: &'a G,
    /// The bits of the words from `first` on. The game numbers the words that moves lead to from there on, too. All
    /// words beyond the last one are invalid.
    pub(super) known: &'a [SharedKnown],
    pub(super) first: usize,
    pub(super) terminal: &'a [u64],
    pub(super) wins: &'a [AtomicU64],
}

impl<G: BitParallel> Checks<'_, G> {
    /// The bits of a word of the part.
    #[inline(always)]
    pub(super) fn known_of(&self, word: usize) -> &SharedKnown {
        &self.known[word - self.first]
    }

    /// The open states of a word.
    #[inline(always)]
    pub(super) fn open(&self, word: usize) -> u64 {
        open(load(self.known_of(word)))
    }

    /// The states that win, out of some open states of a word.
    #[inline(always)]
    pub(super) fn wins(&self, word: usize, open: u64) -> u64 {
        if !G::CHECKS_WINS {
            return open & take(&self.wins[word]);
        }
        if open == 0 {
            return 0;
        }
        // Beyond the last word all states are invalid.
        let not_lost =
            |word: u64, _| self.known.get(word as usize).map_or(!0, |known| !lost(load(known)));
        open & !self.game.all_moves_into(word as u64, open, not_lost)
    }

    /// The states that lose, out of some open states of a word.
    #[inline(always)]
    pub(super) fn losses(&self, word: usize, open: u64) -> u64 {
        if open == 0 {
            return 0;
        }
        self.game.all_moves_into(word as u64, open, |word, keeps| self.loses_into(word, keeps))
    }

    /// Leaves the states that lose in sets of open states. If bit `i` of `words` is set, `sets[i]` holds states of word
    /// `first + i`.
    #[inline(always)]
    pub(super) fn losses_of_run(&self, first: usize, words: u64, sets: &mut Run) {
        let target = |word, keeps| self.loses_into(word, keeps);
        self.game.all_moves_into_run(first as u64, words, sets, target);
    }

    /// The states of a word that a move into does not help.
    #[inline(always)]
    fn loses_into(&self, word: u64, keeps_turn: bool) -> u64 {
        // Beyond the last word all states are invalid.
        let Some(known) = self.known.get(word as usize) else { return !0 };
        let [unwon, shut] = load(known);
        if keeps_turn { shut } else { !unwon }
    }
}
