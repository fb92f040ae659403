//! Sets of states by word, packed: the states of one kind of event at one level.
//!
//! An entry takes three to six bytes in most games. An unpacked word and set would take sixteen:
//!
//! ```text
//! distance to the word before, seven bits a byte, the least first; the top bit of a byte says that more follow
//! which of the eight bytes of the set are not zero, as the bits of a byte; then these bytes
//! ```
//!
//! An index has every 64th entry, to find the entries of a range of words without reading all.

use std::ops::Range;

/// A word and a set of its states, which is not empty.
pub(super) type Entry = (u64, u64);

/// The index has one of this number of entries.
const STEP: usize = 64;

/// The entries. Once they are [sorted](Entries::sort), they are in order, and each word has one entry.
#[derive(Debug)]
pub(super) struct Entries {
    bytes: Vec<u8>,
    /// The word of the last entry in `bytes`. The next distance counts from it.
    word: u64,
    /// Whether a word came after a greater one.
    disordered: bool,
    /// The last entry, which may still grow. It is not in `bytes`.
    last: Option<Entry>,
    /// How many entries are in `bytes`.
    len: usize,
    /// For each [`STEP`]th entry: where it begins, and the word before it.
    index: Vec<(usize, u64)>,
}

impl Entries {
    pub(super) const fn new() -> Entries {
        Entries {
            bytes: Vec::new(),
            word: 0,
            disordered: false,
            last: None,
            len: 0,
            index: Vec::new(),
        }
    }

    /// Adds states of a word. If the word is that of the last entry, they join it.
    #[inline]
    pub(super) fn add(&mut self, (word, states): Entry) {
        match &mut self.last {
            Some((last, set)) if *last == word => *set |= states,
            _ if states == 0 => {}
            last => {
                if let Some(before) = last.replace((word, states)) {
                    self.disordered |= word < before.0;
                    self.push(before);
                }
            }
        }
    }

    fn push(&mut self, (word, set): Entry) {
        if self.len.is_multiple_of(STEP) {
            self.index.push((self.bytes.len(), self.word));
        }
        let mut distance = word.wrapping_sub(self.word);
        while distance >= 0x80 {
            self.bytes.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        self.bytes.push(distance as u8);
        let set = set.to_le_bytes();
        let present = (0..8).filter(|&at| set[at] != 0);
        self.bytes.push(present.clone().fold(0, |bits, at| bits | 1 << at));
        self.bytes.extend(present.map(|at| set[at]));
        self.word = word;
        self.len += 1;
    }

    /// Adds the entries of another list.
    pub(super) fn append(&mut self, other: Entries) {
        if self.is_empty() {
            *self = other;
        } else {
            other.iter().for_each(|entry| self.add(entry));
        }
    }

    /// Sorts the words, and joins the entries of the same word.
    pub(super) fn sort(&mut self) {
        if self.disordered {
            let mut entries: Vec<Entry> = self.iter().collect();
            entries.sort_unstable();
            *self = Entries::new();
            entries.into_iter().for_each(|entry| self.add(entry));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// How many bytes they take.
    pub(super) fn bytes(&self) -> u64 {
        (self.bytes.len() + size_of_val(&*self.index)) as u64
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        Walk { bytes: &self.bytes, word: 0 }.chain(self.last)
    }

    /// The entries of the words of a range. The list must be sorted.
    pub(super) fn of_words(&self, words: Range<u64>) -> impl Iterator<Item = Entry> + '_ {
        let before = self.index.partition_point(|&(_, word)| word < words.start);
        let (at, word) = before.checked_sub(1).map_or((0, 0), |before| self.index[before]);
        let entries = Walk { bytes: &self.bytes[at..], word }.chain(self.last);
        let inside = entries.skip_while(move |&(word, _)| word < words.start);
        inside.take_while(move |&(word, _)| word < words.end)
    }
}

impl Default for Entries {
    fn default() -> Entries {
        Entries::new()
    }
}

/// Reads packed entries one by one.
struct Walk<'a> {
    bytes: &'a [u8],
    word: u64,
}

impl Walk<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*byte)
    }
}

impl Iterator for Walk<'_> {
    type Item = Entry;

    #[inline]
    fn next(&mut self) -> Option<Entry> {
        let (mut distance, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            distance |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        self.word = self.word.wrapping_add(distance);
        let mut present = self.byte()?;
        let mut set = 0;
        while present != 0 {
            set |= u64::from(self.byte()?) << (8 * present.trailing_zeros());
            present &= present - 1;
        }
        Some((self.word, set))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use retrograde_testkit::Rng;

    use super::*;

    #[test]
    fn packed_entries_are_those_of_a_map() {
        let mut rng = Rng::new(5);
        for round in 0..300 {
            let (mut all, mut map) = ([Entries::new(), Entries::new()], BTreeMap::new());
            let far = 1 << rng.below(64);
            let mut word = 0;
            for _ in 0..rng.below(400) {
                let in_order = round % 2 == 0 || rng.below(9) > 0;
                word = if in_order { word + rng.below(3) } else { rng.below(far) };
                let set = rng.below(u64::MAX) & rng.below(u64::MAX) << rng.below(64);
                all[usize::from(word > 200)].add((word, set));
                *map.entry(word).or_insert(0) |= set;
            }
            map.retain(|_, set| *set != 0);
            let [mut entries, other] = all;
            entries.append(other);
            entries.sort();
            assert_eq!(entries.is_empty(), map.is_empty());
            assert!(entries.iter().eq(map.clone()));
            for _ in 0..20 {
                let start = rng.below(250);
                let range = start..start + rng.below(100);
                let expected = map.range(range.clone()).map(|(&word, &set)| (word, set));
                assert!(entries.of_words(range).eq(expected));
            }
        }
    }
}
