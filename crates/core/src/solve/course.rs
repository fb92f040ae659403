//! The course of a solve: one loop over the levels, for all engines.
//!
//! ```text
//! seed: what the rules decide settles at level 0, or is added to the pending events
//! while something settled at the last level, or events are pending:
//!     level = level + 1; if nothing settled at the last level, the level of the next pending event
//!     settle what follows from the level before, and what the pending events of the level bring
//!     count what settled, charge memory, offer a snapshot
//! ```
//!
//! The loop counts each state once, at the level at which it settles. A state that never settles is a draw.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use super::error::{Progress, SolveError};
use super::histogram::{Histogram, Level, Tally};
use super::pending::PendingEvents;

/// What the loop needs from an engine. The engine holds the values of all states.
pub trait Engine {
    /// The kind of the engine. Its snapshots begin with this.
    fn kind(&self) -> Kind;

    /// How many states the numbering has.
    fn states(&self) -> u64;

    /// How many bytes the engine needs when states settle at `level`.
    fn bytes(&self, level: u32) -> u64;

    /// How many bytes are enough until states settle at `level`, which is a later one: an error names them.
    fn bytes_most(&self, level: u32, pending: &PendingEvents) -> u64 {
        let _ = pending;
        self.bytes(level)
    }

    /// Settles the states that the rules decide at level 0. Adds events of later levels to the pending events. Tells how
    /// many states are seeded.
    fn seed(
        &mut self,
        pending: &mut PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError>;

    /// Settles all states of `level`: those that follow from the last level, and those of the pending events.
    /// `level` is the next level. If nothing settled at the last level, it may be a later one.
    fn settle(
        &mut self,
        level: u32,
        pending: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError>;

    /// Whether the engine can write the state of the level that settled last.
    fn can_write(&self) -> bool {
        true
    }

    /// Writes the values of all states so far.
    fn write(&self, to: &mut dyn Write) -> io::Result<()>;

    /// A later solve will read the last output of [`write`](Engine::write), and no earlier one. If this is not certain, it
    /// may read either.
    fn published(&mut self, certain: bool) {
        let _ = certain;
    }

    /// Where events of levels after `level` are that the engine has taken out of the pending events, as rows of a snapshot.
    fn events_elsewhere(&self, level: u32) -> Vec<[u64; 4]> {
        let _ = level;
        Vec::new()
    }

    /// Takes the output of [`events_elsewhere`](Engine::events_elsewhere) from a snapshot, which has these pending events
    /// besides. Returns whether the engine has such events.
    fn find_events(&mut self, elsewhere: &[[u64; 4]], pending: &PendingEvents) -> bool {
        let _ = pending;
        elsewhere.is_empty()
    }

    /// Reads the output of [`write`](Engine::write), instead of a seed. The last settled level was `level`. Returns how
    /// many states settled at that level, if the engine can tell.
    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError>;

    /// Combines the sums of all processes that solve a game together. A process that solves alone returns its own sums.
    fn add_up(&mut self, own: Sums) -> Result<Sums, SolveError> {
        Ok(own)
    }
}

/// How the snapshots of an engine begin. If a snapshot begins in another way, the solver refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The engine, and the version of its data.
    pub engine: [u8; 8],
    /// The parameters of its array layout.
    pub layout: u64,
    /// Whether distances are kept.
    pub distances: bool,
}

impl Kind {
    /// The kind of the bit-parallel engine, with shards of some words.
    pub(crate) fn words(shard_words: usize, distances: bool) -> Kind {
        Kind { engine: *b"words  7", layout: shard_words as u64, distances }
    }
}

/// What the loop must know of all parts before it goes on to the next level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// How many states settled at the level. Processes add their numbers up.
    pub tally: Tally,
    /// The next level that has pending events. Processes take the least of their levels.
    pub next: Option<u32>,
}

/// Passes progress to the caller. The caller may stop the solve.
pub struct Watch<'w> {
    callback: &'w mut (dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'w),
    /// How far the solve had come before the level. Before the first, no state is seeded.
    before: Progress,
    /// How many states were done when the callback was last called.
    told: &'w mut u64,
}

impl Watch<'_> {
    /// Tells the callback how many states have settled at the level so far, or how many are seeded. Returns an error if
    /// the callback stops the solve.
    pub fn tell(&mut self, found: u64) -> Result<(), SolveError> {
        *self.told = self.before.done + found;
        match (self.callback)(&Progress { done: *self.told, ..self.before }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SolveError::Cancelled),
        }
    }
}

/// The result of [`run`](crate::Solver::run).
pub struct Solved<E> {
    /// The engine, which knows the value of every state.
    pub engine: E,
    /// How many states win and lose at each distance.
    pub histogram: Histogram,
    /// How many bytes the solve took at its peak.
    pub bytes: u64,
}

/// What the loop does besides solving.
pub(super) struct Options<'a> {
    pub(super) memory_max: u64,
    pub(super) progress: Box<OnProgress<'a>>,
    /// Begins the solve, in place of the seed.
    pub(super) begin: Option<Box<Hook<'a>>>,
    pub(super) at_level_end: Option<Box<Hook<'a>>>,
}

/// A callback for progress.
type OnProgress<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// What the loop calls at some point.
pub(super) type Hook<'a> = dyn FnMut(&mut Course<'_, '_>) -> Result<(), SolveError> + Send + 'a;

impl Options<'_> {
    /// An error if a solve exceeds the limit. The error also names what it may take later.
    pub(super) fn check_memory(&self, needed: u64, later: u64) -> Result<(), SolveError> {
        let limit = self.memory_max;
        if needed <= limit {
            return Ok(());
        }
        Err(SolveError::Memory { needed: needed.saturating_add(later), limit })
    }

    /// The loop itself. It compiles once for all games and all engines.
    pub(super) fn run(
        mut self,
        bytes: u64,
        engine: &mut dyn Engine,
    ) -> Result<(Histogram, u64), SolveError> {
        let (begin, mut at_level_end) = (self.begin.take(), self.at_level_end.take());
        let mut course = Course {
            engine,
            pending: PendingEvents::default(),
            level: 0,
            sums: Sums { tally: Tally::default(), next: None },
            settled: 0,
            told: 0,
            histogram: Histogram::default(),
            bytes,
            options: self,
        };
        match begin {
            Some(mut begin) => begin(&mut course)?,
            None => course.seed()?,
        }
        while let Some(level) = course.next() {
            course.settle(level)?;
            at_level_end.as_mut().map_or(Ok(()), |hook| hook(&mut course))?;
        }
        let Course { histogram, bytes, .. } = course;
        Ok((histogram, bytes))
    }
}

/// The state of the loop.
pub(super) struct Course<'a, 'e> {
    options: Options<'a>,
    pub(super) engine: &'e mut dyn Engine,
    /// The events that exits and far terminal states cause at later levels.
    pub(super) pending: PendingEvents,
    /// The level that settled last.
    pub(super) level: u32,
    /// The sums of that level, over all states.
    pub(super) sums: Sums,
    /// How many states have settled.
    pub(super) settled: u64,
    /// How many states had settled when progress was last reported.
    pub(super) told: u64,
    pub(super) histogram: Histogram,
    /// How many bytes the solve has taken at its peak so far.
    bytes: u64,
}

impl Course<'_, '_> {
    /// The level to settle next, if anything will still settle.
    fn next(&self) -> Option<u32> {
        if self.sums.tally.total() == 0 {
            return self.sums.next;
        }
        Some(self.level.checked_add(1).expect("distances end at 2^32 plies"))
    }

    fn seed(&mut self) -> Result<(), SolveError> {
        let before = Progress { level: None, done: 0, states: self.engine.states() };
        let callback = &mut *self.options.progress;
        let mut watch = Watch { callback, before, told: &mut 0 };
        let tally = self.engine.seed(&mut self.pending, &mut watch)?;
        self.pending.sort();
        self.charge()?;
        self.count(tally)
    }

    fn settle(&mut self, level: u32) -> Result<(), SolveError> {
        // Several levels of few states share one report of progress.
        const TELL_EVERY: u64 = 1 << 16;
        self.level = level;
        self.charge()?;
        let (done, states) = (self.settled, self.engine.states());
        let before = Progress { level: Some(level), done, states };
        let callback = &mut *self.options.progress;
        let mut watch = Watch { callback, before, told: &mut self.told };
        let tally = match self.engine.settle(level, &self.pending, &mut watch) {
            Ok(tally) => tally,
            Err(error) => return Err(self.with_enough(error)),
        };
        if before.done + tally.total() >= *watch.told + TELL_EVERY {
            watch.tell(tally.total())?;
        }
        self.pending.remove(level);
        self.count(tally)
    }

    /// Counts what has settled at the level.
    fn count(&mut self, tally: Tally) -> Result<(), SolveError> {
        self.sums = self.engine.add_up(Sums { tally, next: self.pending.next() })?;
        let Tally { wins, losses } = self.sums.tally;
        self.histogram.push(Level { distance: self.level, wins, losses });
        self.settled += wins + losses;
        Ok(())
    }

    /// Checks that the memory for the level stays below the limit.
    pub(super) fn charge(&mut self) -> Result<(), SolveError> {
        self.bytes =
            self.bytes.max(self.engine.bytes(self.level).saturating_add(self.pending.bytes()));
        self.options.check_memory(self.bytes, 0).map_err(|error| self.with_enough(error))
    }

    /// If a solve exceeds the limit, names a limit that is enough. Only distances that become four times as long, and
    /// longer messages of other processes, can exceed that one too.
    fn with_enough(&self, error: SolveError) -> SolveError {
        let SolveError::Memory { needed, limit } = error else { return error };
        let level = self.level.max(self.pending.last());
        // Each later level settles a state, or has events.
        let open = self.engine.states().saturating_sub(self.settled);
        let later = open.min(3 * u64::from(level)).try_into().unwrap_or(u32::MAX);
        let level = level.saturating_add(later);
        let enough = self.engine.bytes_most(level, &self.pending) + self.pending.bytes();
        SolveError::Memory { needed: needed.max(enough), limit }
    }
}
