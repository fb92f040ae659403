//! Sets of states of which few words have any.

use std::ops::Deref;

use crate::memory::pages::Pages;

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
