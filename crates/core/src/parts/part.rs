//! What the owner of a part does with it. A plain solve in memory needs only what stands in `scalar/run.rs`.

use std::ops::Range;

use crate::rules::{Code, Game, Predecessors, Value};
use crate::scalar::{Part, UpdateSink, seed_part};
use crate::solve::histogram::Tally;
use crate::solve::pending::{Day, PendingEvents};
use crate::solve::solution::{Counts, Kept};

impl Part {
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

    /// Sweeps the states that settled at the level before. It updates its own states immediately, and sends all
    /// other updates to `updates`. Returns whether the sweep is done. If not, `updates` is full: empty it and call
    /// again. One call may exceed the limit of `updates` by the moves of at most a thousand states.
    pub fn sweep<M: UpdateSink>(&mut self, game: &impl Predecessors, updates: &mut M) -> bool {
        self.sweep_words(game, usize::MAX, updates)
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
