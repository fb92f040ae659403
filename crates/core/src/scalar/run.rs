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
use super::seed::{apply_events, seed_part};
use super::storage::Storage;
use super::sweep::{Left, Prefetcher, Search, UpdateSink, sweep_marks, sweep_queue};
use crate::rules::{Code, Game, Predecessors, Value};
use crate::solve::error::SolveError;
use crate::solve::histogram::Tally;
use crate::solve::pending::{Day, PendingEvents};
use crate::solve::solution::{Counts, Kept};
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
    swept: usize,
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

    /// Reuses the memory for other states, to be seeded or read.
    pub(crate) fn restart(&mut self, states: Range<u64>) {
        self.storage.restart(states);
        self.frontier.clear();
        self.found.clear();
        (self.level, self.swept) = (0, 0);
    }

    /// The states it holds.
    pub fn states(&self) -> Range<u64> {
        self.storage.start..self.storage.start + self.storage.cells.len() as u64
    }

    /// The position of one of its states.
    pub(crate) fn at(&self, state: u64) -> usize {
        assert!(self.states().contains(&state), "state {state} is none of {:?}", self.states());
        (state - self.storage.start) as usize
    }

    /// The current level, or the one that ended last.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Settles the states that the rules decide at level 0, and adds later events to `pending`. Returns how many
    /// states settled.
    pub fn seed(&mut self, game: &impl Game, pending: &mut PendingEvents) -> Tally {
        let degree_max = self.storage.scale.degree_max;
        for (mut part, _) in self.storage.parts(usize::MAX, 0) {
            seed_part(game, &mut part, degree_max, &mut self.found.marked, pending);
        }
        self.close(&Day::default())
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

    /// Sweeps the states that settled at the level before. It updates its own states immediately, and sends all
    /// other updates to `updates`. Returns whether the sweep is done. If not, `updates` is full: empty it and call
    /// again. One call may exceed the limit of `updates` by the moves of at most a thousand states.
    pub fn sweep<M: UpdateSink>(&mut self, game: &impl Predecessors, updates: &mut M) -> bool {
        self.sweep_words(game, usize::MAX, updates)
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

    /// Applies the updates that other parts sent at the current level: states of this part, and whether the move
    /// wins.
    ///
    /// # Panics
    ///
    /// If this part does not hold one of the states.
    pub fn update(&mut self, updates: impl IntoIterator<Item = (u64, bool)>) {
        let start = self.storage.start;
        let mut updates = updates.into_iter().peekable();
        if updates.peek().is_none() {
            return;
        }
        let (mut part, _) = self.storage.whole(self.level);
        for (state, wins) in updates {
            let inside = part.update(state.wrapping_sub(start) as usize, wins, &mut self.found);
            assert!(inside, "state {state} is updated in a part that does not hold it");
        }
    }

    /// As [`update`](Part::update), for the updates that [`Outboxes`](crate::parts::Outboxes) held for this part, there
    /// or elsewhere.
    ///
    /// # Panics
    ///
    /// If this part does not hold one of the states.
    pub fn deliver(&mut self, updates: impl IntoIterator<Item = u32>) {
        let start = self.states().start;
        let updates = updates.into_iter();
        self.update(updates.map(|update| (start + u64::from(update >> 1), update & 1 != 0)));
    }

    /// Ends the level, after the sweep is done and all updates are applied. Applies the pending events of the
    /// level. Returns how many states have settled.
    pub fn end(&mut self, pending: &PendingEvents) -> Tally {
        self.close(pending.day(self.level))
    }

    /// How many states have settled at the current level so far.
    pub fn found(&self) -> Tally {
        self.found.tally()
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

    /// The value of a state of this part, after all levels; `None` if the state is invalid.
    ///
    /// # Panics
    ///
    /// If this part does not hold the state.
    pub fn value(&self, state: u64) -> Option<Value> {
        self.storage.value(self.at(state))
    }

    /// The codes of the values from state `first` on.
    ///
    /// # Panics
    ///
    /// If this part does not hold these states.
    pub fn fill_codes(&self, first: u64, codes: &mut [Code]) {
        self.storage.fill_codes(self.at(first), codes);
    }

    /// How many states of this part have each value.
    pub fn counts(&self) -> Counts {
        self.count(self.states())
    }

    /// How many states of a range have each value.
    ///
    /// # Panics
    ///
    /// If this part does not hold these states.
    pub fn count(&self, states: Range<u64>) -> Counts {
        let start = self.states().start;
        self.storage.count((states.start - start) as usize..(states.end - start) as usize)
    }
}
