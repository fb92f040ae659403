//! The checks of a level: which open states of a word settle.

use std::sync::atomic::AtomicU64;

use super::known::{self, SharedKnown};
use super::marks::take;
use crate::rules::BitParallel;

/// What the checks of a level read.
pub(super) struct Checks<'a, G> {
    pub(super) game: &'a G,
    pub(super) known: &'a [SharedKnown],
    pub(super) barred: &'a [u64],
    pub(super) terminal: &'a [u64],
    pub(super) wins: &'a [AtomicU64],
}

impl<G: BitParallel> Checks<'_, G> {
    /// The open states of a word.
    #[inline(always)]
    pub(super) fn open(&self, word: usize) -> u64 {
        known::open(known::load(&self.known[word]))
    }

    /// Which of some open states of a word win.
    #[inline(always)]
    pub(super) fn wins(&self, word: usize, open: u64) -> u64 {
        if !G::CHECKS_WINS {
            return open & take(&self.wins[word]);
        }
        if open == 0 {
            return 0;
        }
        // Beyond the last word all states are invalid.
        let not_lost = |word: u64, _| {
            self.known.get(word as usize).map_or(!0, |known| !known::lost(known::load(known)))
        };
        open & !self.game.all_moves_into(word as u64, open, not_lost)
    }

    /// Which of some open states of a word lose.
    #[inline(always)]
    pub(super) fn losses(&self, word: usize, open: u64) -> u64 {
        self.game.all_moves_into(word as u64, open, |word, keeps_turn| {
            let Some(known) = self.known.get(word as usize) else { return !0 };
            let [unwon, shut] = known::load(known);
            if keeps_turn { shut } else { !unwon }
        })
    }
}
