//! A part: a run of states with its frontier.
//!
//! ```text
//! seed               settle at level 0 what the rules decide
//! for each level:
//!     begin(level)   states settle at this level from now on
//!     sweep, update  in any order: send the updates of the frontier, and apply the updates of other parts
//!     end            apply the pending events of the level; what has settled is the next frontier
//! ```

use std::io::{self, Read, Write};
use std::ops::Range;

use super::cell::Scale;
use super::frontier::Frontier;
use super::seed::apply_events;
use super::storage::Storage;
use super::sweep::{Left, Prefetcher, Search, UpdateSink, sweep_marks, sweep_queue};
use crate::rules::Predecessors;
use crate::solve::error::SolveError;
use crate::solve::histogram::Tally;
use crate::solve::pending::Day;
use crate::solve::solver::Thresholds;

/// A run of states with their values so far, and the frontier.
pub struct Part {
    pub(crate) storage: Storage,
    pub(crate) thresholds: Thresholds,
    /// The current level, or the last one.
    pub(crate) level: u32,
    /// The states that settled at the level before, and that the current level sweeps.
    pub(crate) frontier: Frontier,
    /// How much of the frontier the sweep has done: words of marks, or states of the queue. `left` holds the
    /// blocks of these words that are not finished.
    pub(crate) swept: usize,
    left: Left,
    /// The states that settle at the current level.
    pub(crate) found: Frontier,
}

/// A part has a queue of one state for so many states, but of at least `QUEUE_MIN`.
const MARKED_STATES: u64 = 1 << 12;
const QUEUE_MIN: u64 = 64;

impl Part {
    pub(crate) fn new(states: Range<u64>, scale: Scale, thresholds: Thresholds) -> Part {
        // A small part needs no long queue: to search all its marks takes as long as to sweep a few states.
        let few = ((states.end - states.start) / MARKED_STATES).max(QUEUE_MIN) as usize;
        let empty = || Frontier::new(thresholds.queue_max.min(few));
        let storage = Storage::new(states, scale);
        let (frontier, found, left) = (empty(), empty(), Left::nothing());
        Part { storage, thresholds, level: 0, frontier, swept: 0, left, found }
    }

    /// Begins a level: the next one, or a later one if no state of any part settled at the last.
    ///
    /// # Panics
    ///
    /// If this skips a level although the part has a frontier to sweep.
    pub fn begin(&mut self, level: u32) {
        let is_done = self.frontier.tally().total() == 0;
        let follows = level == self.level + 1 || level > self.level && is_done;
        assert!(follows, "level {level} does not follow level {}", self.level);
        self.level = level;
        self.left = Left::nothing();
        self.storage.add_planes_for(level);
    }

    /// Sweeps the frontier until it is done, `updates` is full, or the limit for words of marks is reached.
    /// Returns whether the sweep is done.
    #[inline(always)]
    pub(crate) fn sweep_words(
        &mut self,
        game: &impl Predecessors,
        words: usize,
        updates: &mut impl UpdateSink,
    ) -> bool {
        let Part { storage, thresholds, level, frontier, swept, left, found } = self;
        if frontier.tally().total() == 0 {
            return true;
        }
        let (scale, retire) = (storage.scale, !storage.scale.distances);
        let (mut part, marks) = storage.whole(*level);
        if !frontier.is_marked() {
            let queue = &frontier.queue[*swept..];
            *swept += sweep_queue(game, &mut part, queue, retire, found, updates);
            return *swept == frontier.queue.len();
        }
        let search = (Search::new(scale, *level - 1), retire);
        let mut prefetcher = Prefetcher::new(marks, *swept, thresholds.batch_blocks);
        let found = &mut found.marked;
        sweep_marks(game, &mut part, &mut prefetcher, left, search, words, found, updates);
        *swept = prefetcher.words_done();
        prefetcher.is_done() && left.is_empty()
    }

    /// Ends the level: applies the events of the day, and makes the settled states the frontier.
    pub(crate) fn close(&mut self, day: &Day) -> Tally {
        if !day.is_empty() {
            for (mut part, _) in self.storage.parts(usize::MAX, self.level) {
                apply_events(&mut part, day, &mut self.found);
            }
        }
        let tally = self.found.tally();
        self.storage.close(&mut self.found, self.level);
        std::mem::swap(&mut self.frontier, &mut self.found);
        self.found.clear();
        self.swept = 0;
        tally
    }

    /// Writes the values and counts of all states. Call it at the end of a level, or within a level after the
    /// sweep.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.storage.write(to)
    }

    /// Reads the output of [`write`](Part::write) at the end of `level`. It finds the frontier by its distance, and
    /// returns how many states it has.
    pub fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Tally, SolveError> {
        self.read_swept(level, from)?;
        Ok(self.close(&Day::default()))
    }

    /// Reads the output of [`write`](Part::write) within `level`, after the sweep. Then come updates and the end.
    pub fn read_swept(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        self.level = level;
        self.storage.read(level, from)?;
        self.storage.note_settled(level, &mut self.found.marked);
        Ok(())
    }
}
