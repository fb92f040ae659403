//! What only a store and a window do with the lists of a solve: they take full blocks out, and lists that they keep never
//! move.

use crate::solve::entries::{Entries, STEP};
use crate::solve::pending::{EVENTS, Event, PendingEvents};
use crate::words::arrays::Found;

/// Some entries, packed.
pub(super) struct Packed {
    /// The word before the first.
    pub(super) before: u64,
    pub(super) bytes: Vec<u8>,
}

impl Entries {
    /// No entries, with space for those of this number of words, so that they never move.
    fn with_room(words: usize) -> Entries {
        // A distance, the bytes that are not zero, and a set; the first distance may be long.
        let (bytes, index) = (words * (2 + 8) + 8, words.div_ceil(STEP));
        let mut entries = Entries::new();
        entries.bytes.reserve_exact(bytes);
        entries.index.reserve_exact(index);
        entries
    }

    /// Takes the first entries out, as long as they fill `room` bytes. Takes none of entries out of order.
    fn take_full(&mut self, room: usize) -> Vec<Packed> {
        let (mut taken, mut from) = (Vec::new(), 0);
        while !self.disordered && self.bytes.len() - from > room {
            let first = self.index.partition_point(|&(at, _)| at < from);
            let after = self.index.partition_point(|&(at, _)| at <= from + room);
            let (end, before) = (self.index[after - 1].0, self.index[first].1);
            taken.push(Packed { before, bytes: self.bytes[from..end].to_vec() });
            from = end;
        }
        if from > 0 {
            self.bytes = self.bytes.split_off(from);
            self.index.retain(|&(at, _)| at >= from);
            self.index.iter_mut().for_each(|(at, _)| *at -= from);
            self.index.shrink_to_fit();
            self.len = self.index.len() * STEP;
        }
        taken
    }
}

impl PendingEvents {
    /// Takes events out, as long as they fill `room` bytes: not the last few of each level. `take` gets the level, the
    /// event and the entries. They must all be of words that come after the words before.
    pub(super) fn take_full<E>(
        &mut self,
        room: usize,
        mut take: impl FnMut(u32, Event, Packed) -> Result<(), E>,
    ) -> Result<(), E> {
        for (level, day) in self.days.levels_mut() {
            for (event, entries) in EVENTS.into_iter().zip(&mut day.entries) {
                entries
                    .take_full(room)
                    .into_iter()
                    .try_for_each(|packed| take(level, event, packed))?;
            }
        }
        Ok(())
    }
}

impl Found {
    /// No states, with space for all that a level can list of this number of words.
    pub(super) fn with_room(words: usize) -> Found {
        let mut found = Found::default();
        [found.wins, found.losses] = [0; 2].map(|_| Entries::with_room(words));
        found
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use retrograde_testkit::Rng;

    use super::*;
    use crate::solve::entries::{Entry, unpack};

    /// Entries that are taken out, and those that stay, are all entries in order.
    #[test]
    fn entries_that_are_taken_out_are_unpacked_in_order() {
        const ROOM: usize = 2_000;
        let mut rng = Rng::new(6);
        for round in 0..20 {
            let (mut entries, mut taken, mut expected, mut word) =
                (Entries::new(), Vec::new(), Vec::new(), 0);
            for _ in 0..200 {
                let mut part = Entries::new();
                for _ in 0..rng.below(200) {
                    word += rng.below(1 << (1 + round)) + u64::from(rng.below(9) > 0);
                    let set = 1 + rng.below(u64::MAX - 1);
                    part.add((word, set));
                    match expected.last_mut() {
                        Some((last, states)) if *last == word => *states |= set,
                        _ => expected.push((word, set)),
                    }
                }
                entries.append(part);
                taken.extend(entries.take_full(ROOM));
                assert!(entries.bytes() < 5 * ROOM as u64 / 4);
            }
            assert!(taken.len() > 2 && taken.iter().all(|packed| packed.bytes.len() <= ROOM));
            // Some more, out of order.
            let mut part = Entries::new();
            for word in [word + 3, word + 1, word + 2] {
                part.add((word, word | 1));
            }
            entries.append(part);
            assert!(entries.take_full(0).is_empty());
            expected.extend((word + 1..=word + 3).map(|word| (word, word | 1)));
            entries.sort();
            let found = |words: Range<u64>| -> Vec<Entry> {
                let packed =
                    taken.iter().flat_map(|each| unpack(&each.bytes, each.before, words.clone()));
                packed.chain(entries.of_words(words.clone())).collect()
            };
            assert!(found(0..u64::MAX) == expected, "round {round}");
            for _ in 0..200 {
                let mut ends = [0; 2].map(|_| rng.below(word + 9));
                ends.sort();
                let words = ends[0]..ends[1];
                let inside = expected.iter().filter(|(word, _)| words.contains(word));
                assert!(found(words.clone()).iter().eq(inside), "round {round}: {words:?}");
            }
        }
    }
}
