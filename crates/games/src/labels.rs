//! The names of vertices. Each word of a file gets a number, in order of first appearance.

use std::hash::{BuildHasher, RandomState};

/// Names with their numbers. One string has the letters of all names, because there may be millions of names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    text: String,
    /// Where in `text` each name ends.
    ends: Vec<usize>,
    /// A hash table with linear probing: the numbers of the names. The length is a power of two, and at least
    /// half of the slots are free.
    slots: Vec<u32>,
    hasher: RandomState,
}

/// The most vertices on a circle that people can tell apart.
pub(crate) const VERTICES_MAX: u32 = 80;

/// The content of a free slot. No vertex has this number, because a text in memory names fewer vertices.
const FREE: u32 = u32::MAX;

impl Labels {
    /// The number of a name. A name gets a new number at its first appearance.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if self.slots.len() < 2 * (self.ends.len() + 1) {
            self.slots = vec![FREE; (2 * self.slots.len()).max(16)];
            for number in 0..self.count() {
                let slot = self.slot(self.name(number));
                self.slots[slot] = number;
            }
        }
        let slot = self.slot(name);
        if self.slots[slot] == FREE {
            self.slots[slot] = self.count();
            self.text.push_str(name);
            self.ends.push(self.text.len());
        }
        self.slots[slot]
    }

    /// The slot of a name, or the free slot where it would go. `slots` must not be empty.
    fn slot(&self, name: &str) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = self.hasher.hash_one(name) as usize & last;
        while self.slots[slot] != FREE && self.name(self.slots[slot]) != name {
            slot = (slot + 1) & last;
        }
        slot
    }

    /// The number of a name that has appeared.
    pub(crate) fn known(&self, name: &str) -> Option<u32> {
        let slot = (!self.slots.is_empty()).then(|| self.slot(name));
        slot.map(|slot| self.slots[slot]).filter(|number| *number != FREE)
    }

    /// How many names have appeared.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.ends.len()).expect("a text in memory names fewer than 2^32 vertices")
    }

    /// The name of a number.
    pub(crate) fn name(&self, number: u32) -> &str {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start..self.ends[number]]
    }

    /// The number of a name. The error says that no vertex has this name.
    pub(crate) fn find(&self, name: &str) -> Result<u32, String> {
        let missing = || format!("there is no vertex {name:?}: use a name from the file");
        self.known(name).ok_or_else(missing)
    }
}
