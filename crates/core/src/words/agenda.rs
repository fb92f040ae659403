//! What later levels bring of themselves: finals whose distance is not 0, and what exits come to.
//!
//! A game may have as many exits as moves, so each costs next to nothing: those of one word that do the same
//! at one level are one entry, and entries come in the order of words, so nothing is ever sorted.

use std::collections::BTreeMap;

use crate::solve::exits::{HAPPENINGS, Happening};
use crate::solve::snapshot::{Sink, Source};
use crate::solve::solver::SolveError;

/// Levels up to here are looked up by number.
const NEAR: u32 = 1 << 10;

/// What is to happen, by level.
#[derive(Default)]
pub(super) struct Agenda {
    near: Vec<Day>,
    far: BTreeMap<u32, Day>,
    entries: u64,
}

/// What is to happen at one level.
#[derive(Default)]
pub(super) struct Day {
    /// By [`Happening`]: words in order, and states of theirs.
    entries: [Vec<(u64, u64)>; 4],
}

impl Agenda {
    /// What an entry takes.
    pub(super) const ENTRY_BYTES: u64 = size_of::<(u64, u64)>() as u64;

    /// Puts a state down for a level. States come word by word.
    pub(super) fn add(&mut self, level: u32, state: u64, happening: Happening) {
        self.add_states(level, happening, state / 64, 1 << (state % 64));
    }

    fn add_states(&mut self, level: u32, happening: Happening, word: u64, mask: u64) {
        let day = if level < NEAR {
            let at = level as usize;
            if at >= self.near.len() {
                self.near.resize_with(at + 1, Day::default);
            }
            &mut self.near[at]
        } else {
            self.far.entry(level).or_default()
        };
        let entries = &mut day.entries[happening as usize];
        match entries.last_mut() {
            Some((last, states)) if *last == word => *states |= mask,
            _ => {
                entries.push((word, mask));
                self.entries += 1;
            }
        }
    }

    /// The first level at which something is to happen.
    pub(super) fn next(&self) -> Option<u32> {
        let near = self.near.iter().position(|day| !day.is_empty()).map(|level| level as u32);
        near.or_else(|| self.far.first_key_value().map(|(&level, _)| level))
    }

    /// Takes out what happens at a level.
    pub(super) fn take(&mut self, level: u32) -> Day {
        let near = self.near.get_mut(level as usize).map(std::mem::take);
        near.or_else(|| self.far.remove(&level)).unwrap_or_default()
    }

    /// Writes what is still to happen.
    pub(super) fn write(&self, sink: &mut Sink<'_>) {
        let days =
            || (0..).zip(&self.near).chain(self.far.iter().map(|(&level, day)| (level, day)));
        let left = days().flat_map(|(_, day)| &day.entries).map(Vec::len).sum::<usize>();
        sink.numbers([self.entries, left as u64]);
        for (level, day) in days() {
            for (happening, entries) in HAPPENINGS.into_iter().zip(&day.entries) {
                for &(word, states) in entries {
                    sink.numbers([u64::from(level), happening as u64, word, states]);
                }
            }
        }
    }

    /// Reads what [`write`](Agenda::write) wrote, for so many words.
    pub(super) fn read(&mut self, words: usize, source: &mut Source<'_>) -> Result<(), SolveError> {
        let entries = source.number()?;
        for _ in 0..source.number()? {
            let mut row = [0; 4];
            source.numbers(row.iter_mut())?;
            let [level, happening, word, states] = row;
            let level = u32::try_from(level).map_err(|_| SolveError::Snapshot)?;
            let happening = HAPPENINGS.get(happening as usize).ok_or(SolveError::Snapshot)?;
            if word >= words as u64 {
                return Err(SolveError::Snapshot);
            }
            self.add_states(level, *happening, word, states);
        }
        self.entries = entries;
        Ok(())
    }

    /// How many bytes the entries take.
    pub(super) fn bytes(&self) -> u64 {
        self.entries * Agenda::ENTRY_BYTES
    }
}

impl Day {
    /// The words to which something happens, in order, and their states.
    pub(super) fn of(&self, happening: Happening) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.entries[happening as usize].iter().map(|&(word, states)| (word as usize, states))
    }

    fn is_empty(&self) -> bool {
        self.entries.iter().all(Vec::is_empty)
    }
}
