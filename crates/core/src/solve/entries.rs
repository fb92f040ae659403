//! Sets of states by word, packed: the states of one kind of event at one level, or those that a level settles.
//!
//! An entry takes three to six bytes in most games. An unpacked word and set would take sixteen:
//!
//! ```text
//! distance to the word before, seven bits a byte, the least first; the top bit of a byte says that more follow
//! which of the eight bytes of the set are not zero, as the bits of a byte; then these bytes
//! ```
//!
//! An index has about every 64th entry, to find the entries of a range of words without reading all.

use std::ops::Range;

/// A word and a set of its states, which is not empty.
pub(crate) type Entry = (u64, u64);

/// The index has about one of this number of entries.
pub(crate) const STEP: usize = 64;

/// The entries. Once they are [sorted](Entries::sort), they are in order, and each word has one entry.
#[derive(Debug)]
pub(crate) struct Entries {
    pub(crate) bytes: Vec<u8>,
    /// The word of the last entry in `bytes`. The next distance counts from it.
    word: u64,
    /// Whether a word came after a greater one.
    pub(crate) disordered: bool,
    /// The last entry, which may still grow. It is not in `bytes`.
    last: Option<Entry>,
    /// How many entries are in `bytes`.
    pub(crate) len: usize,
    /// For about each [`STEP`]th entry: where it begins, and the word before it.
    pub(crate) index: Vec<(usize, u64)>,
}

impl Entries {
    pub(crate) const fn new() -> Entries {
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
    pub(crate) fn add(&mut self, (word, states): Entry) {
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
        push_number(&mut self.bytes, word.wrapping_sub(self.word));
        let set = set.to_le_bytes();
        let present = (0..8).filter(|&at| set[at] != 0);
        self.bytes.push(present.clone().fold(0, |bits, at| bits | 1 << at));
        self.bytes.extend(present.map(|at| set[at]));
        self.word = word;
        self.len += 1;
    }

    /// Adds the entries of another list.
    pub(crate) fn append(&mut self, other: Entries) {
        if self.is_empty() {
            *self = other;
            return;
        }
        // Only the distance to the first word changes; the bytes of all others are copied.
        let mut walk = Unpacked { bytes: &other.bytes, word: 0 };
        let Some(first) = walk.next() else {
            other.last.into_iter().for_each(|entry| self.add(entry));
            return;
        };
        self.add(first);
        self.last.take().into_iter().for_each(|last| self.push(last));
        let (from, to) = (other.bytes.len() - walk.bytes.len(), self.bytes.len());
        self.index.push((to, self.word));
        let index = other.index.iter().filter(|&&(at, _)| at > from);
        self.index.extend(index.map(|&(at, word)| (at - from + to, word)));
        self.bytes.extend_from_slice(walk.bytes);
        (self.word, self.last) = (other.word, other.last);
        self.len += other.len - 1;
        self.disordered |= other.disordered;
    }

    /// Sorts the words, and joins the entries of the same word.
    pub(crate) fn sort(&mut self) {
        if self.disordered {
            let mut entries: Vec<Entry> = self.iter().collect();
            entries.sort_unstable();
            *self = Entries::new();
            entries.into_iter().for_each(|entry| self.add(entry));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// How many bytes of memory they take. It does not matter from how many lists they came.
    pub(crate) fn bytes(&self) -> u64 {
        (self.bytes.len() + self.len.div_ceil(STEP) * size_of::<(usize, u64)>()) as u64
    }

    /// The entries, in order once they are sorted.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        let word = self.index.first().map_or(0, |&(_, before)| before);
        Unpacked { bytes: &self.bytes, word }.chain(self.last)
    }

    /// The entries of the words of a range. The list must be sorted.
    pub(crate) fn of_words(&self, words: Range<u64>) -> impl Iterator<Item = Entry> + '_ {
        let before = self.index.partition_point(|&(_, word)| word < words.start);
        let (at, word) = self.index.get(before.saturating_sub(1)).copied().unwrap_or_default();
        inside(Unpacked { bytes: &self.bytes[at..], word }.chain(self.last), words)
    }
}

/// The entries of the words of a range, out of some that are in order.
fn inside(entries: impl Iterator<Item = Entry>, words: Range<u64>) -> impl Iterator<Item = Entry> {
    entries
        .skip_while(move |entry| entry.0 < words.start)
        .take_while(move |entry| entry.0 < words.end)
}

/// The entries of the words of a range, out of some that are packed.
pub(crate) fn unpack(bytes: &[u8], before: u64, words: Range<u64>) -> impl Iterator<Item = Entry> {
    inside(Unpacked { bytes, word: before }, words)
}

/// Appends a number: seven bits a byte, the least first. The top bit of a byte says that more follow.
#[inline]
pub(super) fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes the output of [`push_number`] from the front of some bytes. `None` if they end before the number does, or if it
/// has too many bytes.
#[inline]
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

impl Default for Entries {
    fn default() -> Entries {
        Entries::new()
    }
}

/// Reads packed entries one by one.
struct Unpacked<'a> {
    bytes: &'a [u8],
    word: u64,
}

impl Unpacked<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*byte)
    }
}

impl Iterator for Unpacked<'_> {
    type Item = Entry;

    #[inline]
    fn next(&mut self) -> Option<Entry> {
        self.word = self.word.wrapping_add(take_number(&mut self.bytes)?);
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
