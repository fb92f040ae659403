//! Where a solve keeps what it makes, besides the bits of its words: distances, and events of later levels.
//!
//! The engine asks a [`Residence`] for a [`Record`] of each part of the words, and for the [`Events`] of a level. In the
//! plain case both are in memory ([`Memory`](super::distances::Memory)). The folder `residence` has the others: a store
//! beside memory, and other processes.

use std::io::{self, Read, Write};
use std::ops::Range;

use super::arrays::Arrays;
use crate::rules::Outcome;
use crate::solve::course::Sums;
use crate::solve::error::SolveError;
use crate::solve::pending::{Day, Event, PendingEvents};

/// Where a solve keeps distances and events.
pub(crate) trait Residence {
    /// Whether it keeps distances.
    fn has_distances(&self) -> bool;

    /// How many bytes of memory it takes when states settle at `level`.
    fn bytes(&self, level: u32) -> u64;

    /// How many bytes more are enough for later levels, besides those of longer distances.
    fn bytes_more(&self) -> u64 {
        0
    }

    /// A record for each of some parts, in order.
    fn records(&mut self, parts: &[Range<usize>]) -> Vec<Box<dyn Record + '_>>;

    /// Takes events of later levels out of memory, if it has another place for them. They are those of words that come after
    /// all words before.
    fn take_events(&mut self, pending: &mut PendingEvents) -> io::Result<()> {
        let _ = pending;
        Ok(())
    }

    /// The events of a level: those of `day`, and those that it has taken.
    fn events<'a>(&'a self, level: u32, day: &'a Day) -> Box<dyn Events + 'a> {
        let _ = level;
        Box::new(day)
    }

    /// The most bytes of the events that it has taken of a level, in memory.
    fn taken_bytes(&self, level: u32) -> u64 {
        let _ = level;
        0
    }

    /// As [`Engine::events_elsewhere`](crate::parts::Engine::events_elsewhere).
    fn taken(&self, level: u32) -> Vec<[u64; 4]> {
        let _ = level;
        Vec::new()
    }

    /// As [`Engine::find_events`](crate::parts::Engine::find_events).
    fn find_taken(&mut self, rows: &[[u64; 4]], pending: &PendingEvents) -> bool {
        let _ = pending;
        rows.is_empty()
    }

    /// All words are seeded, or read from a snapshot.
    fn begin(&mut self, arrays: &mut Arrays) -> Result<(), SolveError> {
        let _ = arrays;
        Ok(())
    }

    /// The level has ended. Returns the sums of all processes, and how many words others have changed.
    fn add_up(&mut self, arrays: &mut Arrays, own: Sums) -> Result<(Sums, u64), SolveError> {
        let _ = arrays;
        Ok((own, 0))
    }

    /// Waits until all that a snapshot names survives a power cut.
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// Writes the distances of a shard, if it keeps them.
    fn write_shard(&self, shard: usize, to: &mut dyn Write) -> io::Result<()>;

    /// Reads the output of [`write_shard`](Residence::write_shard). The shard has `words` words, and the last settled level
    /// was `level`. It keeps the distances if `is_own`.
    fn read_shard(
        &mut self,
        shard: (usize, usize, bool),
        level: u32,
        from: &mut dyn Read,
    ) -> Result<(), SolveError>;
}

/// Records what settles in a part.
pub(crate) trait Record: Send {
    /// Whether it needs the states that settle.
    fn is_needed(&self) -> bool;

    /// Records states that settle at a level, all won or all lost: words of the part, each with a set of its states.
    fn note(&mut self, level: u32, outcome: Outcome, settled: &[(usize, u64)]) -> io::Result<()>;
}

/// The events of a level.
pub(crate) trait Events: Sync {
    /// Visits the words of a range with an event, in order, and sets of their states.
    fn each(
        &self,
        event: Event,
        words: Range<u64>,
        visit: &mut dyn FnMut(usize, u64),
    ) -> Result<(), SolveError>;
}

impl Events for &Day {
    fn each(
        &self,
        event: Event,
        words: Range<u64>,
        visit: &mut dyn FnMut(usize, u64),
    ) -> Result<(), SolveError> {
        self.of_words(event, words).for_each(|(word, states)| visit(word as usize, states));
        Ok(())
    }
}
