//! A part of a game, whose owner is the only one to write it.

use std::io::{self, Read, Write};
use std::ops::Range;

use crate::rules::{Game, Retrograde, Value};
use crate::scalar::{Mail, Run};
use crate::solve::agenda::Agenda;
use crate::solve::course::Tally;
use crate::solve::solution::{Counts, Kept};
use crate::solve::solver::SolveError;

/// A run of states, what is known of each, and what of it has still to be propagated.
pub struct Part {
    run: Run,
    degree_max: u32,
}

impl Part {
    pub(super) fn new(run: Run, degree_max: u32) -> Part {
        Part { run, degree_max }
    }

    pub(super) fn restart(&mut self, states: Range<u64>) {
        self.run.restart(states);
    }

    /// The states it holds.
    pub fn states(&self) -> Range<u64> {
        self.run.states()
    }

    /// The level under way, or that ended last.
    pub fn level(&self) -> u32 {
        self.run.level
    }

    /// Settles at level 0 what the rules decide, and puts on the agenda what comes later. Says what has settled.
    pub fn seed(&mut self, game: &impl Game, agenda: &mut Agenda) -> Tally {
        let degree_max = self.degree_max;
        self.run.seed(game, degree_max, agenda)
    }

    /// Begins a level: the one after the last or, where nothing settled there in any part, a later one.
    ///
    /// # Panics
    ///
    /// If a level is left out though there is something to be propagated.
    pub fn begin(&mut self, level: u32) {
        let Part { run, .. } = self;
        let is_done = run.frontier.tally().total() == 0;
        let follows = level == run.level + 1 || level > run.level && is_done;
        assert!(follows, "level {level} does not follow level {}", run.level);
        run.begin(level);
    }

    /// Propagates what settled at the level before: its own states are visited at once, visits to others posted. Says
    /// whether all is done; if not, the mail is full, and this is to be called again once it has been taken away. What is
    /// posted in one go may exceed what fills the mail by the moves of a thousand states.
    pub fn sweep<M: Mail>(&mut self, game: &impl Retrograde, mail: &mut M) -> bool {
        self.run.sweep(game, usize::MAX, mail)
    }

    /// Makes visits that others have posted at the level under way: of its states, by moves that win or lose.
    ///
    /// # Panics
    ///
    /// If it does not hold such a state.
    pub fn visit(&mut self, visits: impl IntoIterator<Item = (u64, bool)>) {
        self.run.visit(visits);
    }

    /// As [`visit`](Part::visit), for what [`Outboxes`](super::Outboxes) held for this part.
    ///
    /// # Panics
    ///
    /// If it does not hold such a state.
    pub fn deliver(&mut self, visits: &[u32]) {
        let start = self.states().start;
        self.visit(visits.iter().map(|&visit| (start + u64::from(visit >> 1), visit & 1 != 0)));
    }

    /// Ends the level, once all is propagated and all visits are made: lets happen what the agenda has for its states,
    /// and says what has settled.
    pub fn end(&mut self, agenda: &Agenda) -> Tally {
        self.run.close(agenda.day(self.run.level))
    }

    /// What has settled so far at the level under way.
    pub fn found(&self) -> Tally {
        self.run.found.tally()
    }

    /// Writes what is known of every state, at the end of a level, or within one once all is swept.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.run.write(to)
    }

    /// Reads what [`write`](Part::write) wrote at the end of `level`.
    pub fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        self.run.read(level, from)
    }

    /// Reads what [`write`](Part::write) wrote within `level`, once all was swept: visits may be made, and then it ends.
    pub fn read_swept(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        self.run.read_swept(level, from)
    }

    /// The value of one of its states, once all levels have ended; `None` where it is void.
    ///
    /// # Panics
    ///
    /// If it does not hold the state.
    pub fn value(&self, state: u64) -> Option<Value> {
        self.run.storage.value(self.run.at(state))
    }

    /// The values of some of its states.
    ///
    /// # Panics
    ///
    /// If it does not hold them.
    pub fn fill(&self, first: u64, values: &mut [Option<Value>]) {
        self.run.storage.fill(self.run.at(first), values);
    }

    /// How many of its states have each value.
    pub fn counts(&self) -> Counts {
        self.count(self.states())
    }

    /// How many of some of its states have each value.
    ///
    /// # Panics
    ///
    /// If it does not hold them.
    pub fn count(&self, states: Range<u64>) -> Counts {
        let start = self.states().start;
        self.run.storage.count((states.start - start) as usize..(states.end - start) as usize)
    }
}
