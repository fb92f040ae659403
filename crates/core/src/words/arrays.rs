//! The arrays of the engine, and the lists of a level.

use std::ops::{Deref, Range};

use super::blocks::Blocks;
use super::inbox::{Inbox, Marks};
use super::known::{self, Known};
use crate::memory::Pages;
use crate::rules::BitParallel;
use crate::solve::entries::Entries;

/// The bits of every state, and the marks from the level before. The arrays have places for all words of the game, but an
/// engine that settles some of them uses only the places of these, and of the words that its checks read.
pub(crate) struct Arrays {
    /// The words that the engine settles.
    pub(crate) blocks: Blocks,
    pub(crate) known: Pages<Known>,
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
    /// Arrays for an engine that settles some words. All bits are zero, which means that every state is won.
    pub(crate) fn new<G: BitParallel>(blocks: Blocks) -> Arrays {
        Arrays {
            known: Pages::zeroed(blocks.words),
            inbox: Inbox::new(blocks.words, G::CHECKS_WINS),
            blocks,
            barred: Vec::new(),
            terminal: Sparse::default(),
            found: Vec::new(),
        }
    }

    /// How many bytes these arrays take.
    pub(crate) fn bytes<G: BitParallel>(&self) -> u64 {
        let own = self.blocks.len() as u64;
        let barred = if self.barred.is_empty() { 0 } else { own * 8 };
        bytes_of::<G>(own) + barred + self.terminal.bytes()
    }

    /// How many words the game has.
    pub(crate) fn words(&self) -> usize {
        self.known.len()
    }

    /// How many bytes the lists of the level take.
    pub(crate) fn list_bytes(&self) -> u64 {
        self.found.iter().map(Found::bytes).sum()
    }

    /// The most bytes that the lists of a later level take, in `parts` parts.
    pub(crate) fn list_bytes_most(&self, parts: u64) -> u64 {
        let open = self.blocks.iter().flat_map(|words| &self.known[words]);
        list_bytes_most(parts, open.map(|known| known::open(*known).count_ones()))
    }
}

/// The states that settle in a part, as words and sets.
#[derive(Default)]
pub(crate) struct Found {
    /// Those that a level lists before it settles any. They are packed, and freed at the end of the level.
    pub(crate) wins: Entries,
    pub(crate) losses: Entries,
    /// Some that have settled, and are not recorded yet.
    pub(super) settled: Vec<(usize, u64)>,
}

impl Found {
    /// How many bytes the lists take.
    fn bytes(&self) -> u64 {
        self.wins.bytes() + self.losses.bytes()
    }
}

/// The most bytes that the lists of a level take in each of `parts` parts, besides its entries: the last parts of the index,
/// and the distances to the first words of wins, of losses, and of three kinds of events.
const LISTS_BYTES: u64 = 128;

/// The most bytes that the lists of a level take, without events, if its words have no more than `open` open states each.
pub(crate) fn list_bytes_most(parts: u64, open: impl Iterator<Item = u32>) -> u64 {
    let (mut words, mut quarters) = (0, 0);
    for open in open {
        // A word has an entry of its wins and an entry of its losses. An entry takes two bytes, a quarter of a byte in the
        // index, and the bytes of its set.
        quarters += u64::from(9 * open.min(2) + 4 * open.min(16));
        words += 1;
    }
    list_bytes(parts, words, quarters)
}

/// The same if all states of `words` words are open.
pub(crate) fn list_bytes_of_all(parts: u64, words: u64) -> u64 {
    list_bytes(parts, words, words.saturating_mul(9 * 2 + 4 * 16))
}

fn list_bytes(parts: u64, words: u64, quarters: u64) -> u64 {
    // If a distance to the word before takes more than one byte, it leaves 127 words out for each of them, in two lists.
    quarters.div_ceil(4) + words.div_ceil(63) + parts * LISTS_BYTES
}

/// A set of states, word by word. It has a place for every word, but pages of memory in which no word has states take no
/// memory. It is empty until the first states come.
#[derive(Default)]
pub(crate) struct Sparse {
    sets: Option<Pages<u64>>,
    /// How many pages have been written, and the last of them.
    pages: u64,
    last: Option<usize>,
}

/// The length of a page of memory.
const PAGE_BYTES: usize = 1 << 12;

impl Sparse {
    /// Adds states of a word, of `words` words. Words come in order.
    pub(crate) fn add(&mut self, (word, states): (usize, u64), words: usize) {
        if states == 0 {
            return;
        }
        let sets = self.sets.get_or_insert_with(|| {
            let mut sets = Pages::zeroed(words);
            sets.huge_only_for(std::iter::empty());
            sets
        });
        sets.as_mut()[word] |= states;
        let page = word / (PAGE_BYTES / size_of::<u64>());
        if self.last.replace(page) != Some(page) {
            self.pages += 1;
        }
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.pages * PAGE_BYTES as u64
    }
}

impl Deref for Sparse {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        self.sets.as_deref().unwrap_or_default()
    }
}
