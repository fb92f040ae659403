//! A run of states with its frontier: seeded once, then level after level begun, swept, visited and closed.
//!
//! ```text
//! seed                        what the rules decide settles at level 0
//! for each level:
//!     begin(level)            what settles from now on settles there
//!     sweep, visit            in any order: the frontier is propagated, and visits from elsewhere are made
//!     close                   what the agenda has for the level happens; what has settled is the frontier now
//! ```

use std::io::{self, Read, Write};
use std::ops::Range;

use super::cell::Scale;
use super::frontier::Frontier;
use super::prefetcher::{Prefetcher, Search};
use super::seed::{let_happen, seed_part};
use super::storage::Storage;
use super::sweep::{Left, Mail, sweep_marks, sweep_queue};
use crate::rules::{Game, Retrograde};
use crate::solve::agenda::{Agenda, Day};
use crate::solve::course::Tally;
use crate::solve::solver::SolveError;
use crate::solve::thresholds::Thresholds;

/// The states of a run, and how far it has come.
pub(crate) struct Run {
    pub(crate) storage: Storage,
    pub(crate) thresholds: Thresholds,
    /// The level under way, or the last one.
    pub(crate) level: u32,
    /// What settled at the level before and is being propagated.
    pub(crate) frontier: Frontier,
    /// How much of it has been: words of marks, or states of the queue; and what of those words has not.
    swept: usize,
    left: Left,
    /// What settles at the level.
    pub(crate) found: Frontier,
}

impl Run {
    pub(crate) fn new(states: Range<u64>, scale: Scale, thresholds: Thresholds) -> Run {
        let empty = || Frontier::new(thresholds.queue_max);
        let storage = Storage::new(states, scale);
        let (frontier, found, left) = (empty(), empty(), Left::nothing());
        Run { storage, thresholds, level: 0, frontier, swept: 0, left, found }
    }

    /// Makes it one of other states, to be seeded or read, in the same memory.
    pub(crate) fn restart(&mut self, states: Range<u64>) {
        self.storage.restart(states);
        self.frontier.clear();
        self.found.clear();
        (self.level, self.swept) = (0, 0);
    }

    pub(crate) fn states(&self) -> Range<u64> {
        self.storage.start..self.storage.start + self.storage.cells.len() as u64
    }

    /// The position of one of its states.
    pub(crate) fn at(&self, state: u64) -> usize {
        assert!(self.states().contains(&state), "state {state} is none of {:?}", self.states());
        (state - self.storage.start) as usize
    }

    /// Settles what the rules decide.
    pub(crate) fn seed(&mut self, game: &impl Game, degree_max: u32, agenda: &mut Agenda) -> Tally {
        for (mut part, _) in self.storage.parts(usize::MAX, 0) {
            seed_part(game, &mut part, degree_max, &mut self.found.marked, agenda);
        }
        self.close(&Day::default())
    }

    /// Begins a level: the next or, where nothing is left to be propagated, a later one.
    pub(crate) fn begin(&mut self, level: u32) {
        self.level = level;
        self.left = Left::nothing();
        self.storage.add_planes_for(level);
    }

    /// Propagates the frontier until all is done, the mail is full, or so many words of marks are done with. Says whether
    /// all is.
    #[inline(always)]
    pub(crate) fn sweep(
        &mut self,
        game: &impl Retrograde,
        words: usize,
        mail: &mut impl Mail,
    ) -> bool {
        let Run { storage, thresholds, level, frontier, swept, left, found } = self;
        if frontier.tally().total() == 0 {
            return true;
        }
        let (scale, retire) = (storage.scale, !storage.scale.distances);
        let (mut part, marks) = storage.whole(*level);
        if !frontier.is_marked() {
            let queue = &frontier.queue[*swept..];
            *swept += sweep_queue(game, &mut part, queue, retire, found, mail);
            return *swept == frontier.queue.len();
        }
        let search = (Search::new(scale, *level - 1), retire);
        let mut prefetcher = Prefetcher::new(marks, *swept, thresholds.batch_blocks);
        let found = &mut found.marked;
        sweep_marks(game, &mut part, &mut prefetcher, left, search, words, found, mail);
        *swept = prefetcher.words_done();
        prefetcher.is_done() && left.is_empty()
    }

    /// Makes visits that come from elsewhere: of states, by moves that win or lose.
    pub(crate) fn visit(&mut self, visits: impl IntoIterator<Item = (u64, bool)>) {
        let start = self.storage.start;
        let mut visits = visits.into_iter().peekable();
        if visits.peek().is_none() {
            return;
        }
        let (mut part, _) = self.storage.whole(self.level);
        for (state, wins) in visits {
            let inside = part.visit(state.wrapping_sub(start) as usize, wins, &mut self.found);
            assert!(inside, "state {state} is visited in a part that does not hold it");
        }
    }

    /// Ends the level: lets the day happen, and makes what has settled the frontier.
    pub(crate) fn close(&mut self, day: &Day) -> Tally {
        if !day.is_empty() {
            for (mut part, _) in self.storage.parts(usize::MAX, self.level) {
                let_happen(&mut part, day, &mut self.found);
            }
        }
        let tally = self.found.tally();
        self.found.close(&mut self.storage, self.level);
        std::mem::swap(&mut self.frontier, &mut self.found);
        self.found.clear();
        self.swept = 0;
        tally
    }

    /// Writes what is known of every state.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.storage.write(to)
    }

    /// Reads what [`write`](Run::write) wrote once `level` was closed: what settled there is found by its distance.
    pub(crate) fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        self.read_swept(level, from)?;
        self.close(&Day::default());
        Ok(())
    }

    /// Reads what [`write`](Run::write) wrote while `level` was under way and all of its frontier had been propagated: what
    /// has settled there so far is found by its distance.
    pub(crate) fn read_swept(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        self.level = level;
        self.storage.read(level, from)?;
        self.storage.note_settled(level, &mut self.found.marked);
        Ok(())
    }
}
