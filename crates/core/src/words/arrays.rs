//! The arrays of the engine.

use std::ops::Range;

use super::distances::Distances;
use super::inbox::{Inbox, Marks};
use super::known::Known;
use super::level::Found;
use super::log::Store;
use super::share::{Borders, Share};
use super::sparse::Sparse;
use crate::memory::pages::Pages;
use crate::rules::BitParallel;

/// The bits of every state, and the marks from the level before. Several processes may solve a game together. Then the
/// arrays have places for all words, but a process uses only those of its own words and of its ghosts.
pub(crate) struct Arrays {
    /// The words that this process settles.
    pub(super) own: Share,
    /// The words that it shares with other processes.
    pub(super) borders: Borders,
    pub(crate) known: Pages<Known>,
    /// The distances, if they are kept.
    pub(crate) distances: Option<Distances>,
    /// States with an exit that is not yet known to lose. They cannot lose by their moves. Empty if there are none.
    pub(crate) barred: Vec<u64>,
    /// Terminal states that do not settle at level 0: the drawn ones, and those won or lost at a distance above 0. Empty
    /// if there are none. A win or a loss stays open until its level comes, and a draw stays open for good. No check asks
    /// for the moves of these states.
    pub(crate) terminal: Sparse,
    pub(crate) inbox: Inbox,
    /// For each part, the states that settle.
    pub(super) found: Vec<Found>,
}

/// The store that the distances are in, if they are in one.
pub(crate) fn store_of(distances: &Option<Distances>) -> Option<&Store> {
    distances.as_ref().and_then(|kept| kept.store.as_ref())
}

/// Stores the barred states of some words in an array with places for `all` words. If there are none, `sets` is empty.
pub(crate) fn put_barred(barred: &mut Vec<u64>, all: usize, words: Range<usize>, sets: &[u64]) {
    if sets.is_empty() {
        return;
    }
    if barred.is_empty() {
        // The system gives no memory to pages that are never touched.
        *barred = vec![0; all];
    }
    barred[words].copy_from_slice(sets);
}

/// How many bytes the arrays for `words` words take. Distances, exits, and terminal states that settle later are not
/// included.
pub(crate) fn bytes_of<G: BitParallel>(words: u64) -> u64 {
    let wins = if G::CHECKS_WINS { 0 } else { 8 * words };
    16 * words + wins + 2 * Marks::bytes(words)
}

impl Arrays {
    /// Arrays for `words` words, for a process that settles the words of `own`. All bits are zero, which means that
    /// every state is won.
    pub(crate) fn new<G: BitParallel>(
        words: usize,
        own: Share,
        distances: Option<Distances>,
    ) -> Arrays {
        let mut known = Pages::zeroed(words);
        let inbox = if own.len() < words {
            known.huge_only_for(own.blocks().filter(|_| own.fills_huge_pages()));
            Inbox::of_share(words, G::CHECKS_WINS, &own)
        } else {
            Inbox::new(words, G::CHECKS_WINS)
        };
        Arrays {
            own,
            borders: Borders::default(),
            known,
            distances,
            barred: Vec::new(),
            terminal: Sparse::default(),
            inbox,
            found: Vec::new(),
        }
    }

    /// How many bytes these arrays take, when states settle at `level`.
    pub(crate) fn bytes<G: BitParallel>(&self, level: u32) -> u64 {
        let own = self.own.len() as u64;
        let distances = self.distances.as_ref().map_or(0, |kept| kept.bytes(own, level));
        let barred = if self.barred.is_empty() { 0 } else { own * 8 };
        let special = barred + self.terminal.bytes();
        let shared = self.own.shared_bytes(self.borders.ghosts() as u64);
        bytes_of::<G>(own) + shared + distances + special
    }

    /// How many words the game has.
    pub(crate) fn words(&self) -> usize {
        self.known.len()
    }
}
