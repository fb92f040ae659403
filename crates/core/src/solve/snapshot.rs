//! The state of a solve at the end of a level, as bytes, so that the solve can continue later.
//!
//! A snapshot leaves out what follows from the rest, such as the frontier. The caller decides where and when
//! to write it. The bytes are the same for any number of threads, and all have
//! [checksums](super::checksummed).

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use super::checksummed::{ChecksummedReader, ChecksummedWriter};
use super::course::{Course, Kind, Sums};
use super::error::SolveError;
use super::histogram::{Histogram, Tally};
use super::numbers::{read_array, read_exact, write_numbers};
use super::pending::{Event, PendingEvents};
use super::solver::Solver;

/// A callback for the end of a level.
type Keep<'a> = dyn FnMut(&Snapshot<'_>) -> ControlFlow<()> + Send + 'a;

/// The state of a solve at the end of a level.
///
/// Say what has become of a snapshot that you have written: [`published`](Snapshot::published) or
/// [`discarded`](Snapshot::discarded). A solve with a [window](crate::bit_parallel::WindowPlan) keeps the bits that a
/// snapshot names until another one has replaced it. If it knows nothing, it keeps the bits of both, and soon offers no more
/// snapshots.
pub struct Snapshot<'a> {
    level: u32,
    settled: u64,
    write: &'a dyn Fn(&mut dyn Write) -> io::Result<()>,
    fate: Cell<Fate>,
}

/// What has become of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// No later solve reads it.
    Discarded,
    /// It was written, at least in part.
    Unknown,
    /// Later solves read it, and no earlier one.
    Published,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(
        level: u32,
        settled: u64,
        write: &'a dyn Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Snapshot<'a> {
        Snapshot { level, settled, write, fate: Cell::new(Fate::Discarded) }
    }

    /// The last level that was settled.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// How many states have settled.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// It has replaced the snapshot before it for good: it survives a power cut.
    pub fn published(&self) {
        self.fate.set(Fate::Published);
    }

    /// It has not replaced the snapshot before it, and never will.
    pub fn discarded(&self) {
        self.fate.set(Fate::Discarded);
    }

    pub(super) fn fate(&self) -> Fate {
        self.fate.get()
    }

    /// Writes the bytes.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.fate.set(Fate::Unknown);
        let mut to = ChecksummedWriter::new(to);
        (self.write)(&mut to)?;
        to.finish()
    }
}

impl Kind {
    /// Reads the beginning of a snapshot, up to its pending events, and checks it. The bytes have no checksums.
    pub fn header(self, snapshot: &mut dyn Read, states: u64) -> Result<Vec<u8>, SolveError> {
        let mut bytes = Vec::new();
        Header::read(self, states, snapshot)?.write(self, states, &mut bytes)?;
        Ok(bytes)
    }
}

/// The progress of a solve, for any engine.
struct Header<'a> {
    /// The level that settled last.
    pub(super) level: u32,
    /// How many states have settled in all.
    pub(super) settled: u64,
    /// How many settled at the level.
    pub(super) tally: Tally,
    pub(super) histogram: Cow<'a, Histogram>,
}

impl Header<'_> {
    pub(super) fn write(&self, kind: Kind, states: u64, to: &mut dyn Write) -> io::Result<()> {
        let Tally { wins, losses } = self.tally;
        let (histogram, last) = self.histogram.parts();
        to.write_all(&kind.engine)?;
        write_numbers(to, [kind.layout, u64::from(kind.distances), states])?;
        write_numbers(to, [u64::from(self.level), self.settled, wins, losses])?;
        write_numbers(to, [u64::from(last), histogram.len() as u64])?;
        to.write_all(histogram)
    }

    /// Reads the output of [`write`](Header::write), if it is for this engine and this number of states.
    pub(super) fn read(
        kind: Kind,
        states: u64,
        from: &mut dyn Read,
    ) -> Result<Header<'static>, SolveError> {
        let mut engine = [0; 8];
        read_exact(from, &mut engine)?;
        let [layout, distances, states_told] = read_array(from)?;
        let told = (engine, layout, distances, states_told);
        if told != (kind.engine, kind.layout, u64::from(kind.distances), states) {
            return Err(SolveError::Snapshot);
        }
        let [level, settled, wins, losses, last, len] = read_array(from)?;
        let small = |number: u64| u32::try_from(number).map_err(|_| SolveError::Snapshot);
        // Takes no more memory than there are bytes.
        let mut bytes = Vec::new();
        from.take(len).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != len {
            return Err(SolveError::Snapshot);
        }
        let histogram = Histogram::from_parts(bytes, small(last)?).ok_or(SolveError::Snapshot)?;
        let found = wins.checked_add(losses).ok_or(SolveError::Snapshot)?;
        if found > settled || settled > states || last > level || level >= u64::from(u32::MAX) {
            return Err(SolveError::Snapshot);
        }
        let (tally, histogram) = (Tally { wins, losses }, Cow::Owned(histogram));
        Ok(Header { level: small(level)?, settled, tally, histogram })
    }
}

impl<'a> Solver<'a> {
    /// Sets a callback for the end of each level. The callback gets a snapshot of the solve, and may write it. You can
    /// [resume](Solver::resume) from the snapshot later. If the callback returns `ControlFlow::Break`, the solver
    /// stops.
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use retrograde::adapters::Explicit;
    /// # use retrograde::Solver;
    /// # let game = Explicit::from_edges(3, [(0, 1), (1, 2)]);
    /// let mut kept = Vec::new();
    /// let stopped = Solver::new()
    ///     .at_level_end(|snapshot| {
    ///         snapshot.write(&mut kept).expect("there is room");
    ///         snapshot.published();
    ///         ControlFlow::Break(())
    ///     })
    ///     .solve(&game);
    /// assert!(stopped.is_err());
    ///
    /// let solver = Solver::new().resume(&kept[..]);
    /// assert_eq!(solver.solve(&game)?.value(0), Some(retrograde::Value::Loss(2)));
    /// # Ok::<(), retrograde::SolveError>(())
    /// ```
    #[must_use]
    pub fn at_level_end(
        mut self,
        keep: impl FnMut(&Snapshot<'_>) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        let mut keep: Box<Keep<'a>> = Box::new(keep);
        self.options.at_level_end = Some(Box::new(move |course| course.show_snapshot(&mut *keep)));
        self
    }

    /// Resumes from a [`Snapshot`] of the same game, engine and options, on any number of threads. The solution is the
    /// same.
    ///
    /// If bytes of the snapshot have changed, the solver returns [an error](SolveError::Damaged). It cannot notice that
    /// a snapshot belongs to another game with the same number of states. So store the name of the game with the
    /// snapshot.
    #[must_use]
    pub fn resume(mut self, mut from: impl Read + Send + 'a) -> Self {
        self.options.begin = Some(Box::new(move |course| course.resume(&mut from)));
        self
    }
}

impl Course<'_, '_> {
    /// Resumes from the snapshot of an earlier solve.
    fn resume(&mut self, from: &mut dyn Read) -> Result<(), SolveError> {
        let (from, states) = (&mut ChecksummedReader::new(from), self.engine.states());
        let Header { level, settled, tally, histogram } =
            Header::read(self.engine.kind(), states, from)?;
        let (pending, elsewhere) = PendingEvents::read_beside(states, from)?;
        self.pending = pending;
        let found = self.engine.find_events(&elsewhere, &self.pending);
        if !found || self.pending.next().is_some_and(|next| next <= level) {
            return Err(SolveError::Snapshot);
        }
        (self.level, self.settled, self.told) = (level, settled, settled);
        self.histogram = histogram.into_owned();
        self.charge()?;
        let found = self.engine.read(level, from)?;
        if !from.is_at_end()? {
            return Err(SolveError::Snapshot);
        }
        self.charge()?;
        let own = Sums { tally: found.unwrap_or_default(), next: self.pending.next() };
        let all = self.engine.add_up(own)?;
        if found.is_some() && all.tally != tally {
            return Err(SolveError::Snapshot);
        }
        self.sums = Sums { tally, ..all };
        Ok(())
    }

    /// Passes a snapshot of the solve to the caller.
    fn show_snapshot(&mut self, keep: &mut Keep<'_>) -> Result<(), SolveError> {
        let Course { engine, pending, level, sums, settled, histogram, .. } = self;
        if !engine.can_write() {
            return Ok(());
        }
        let histogram = Cow::Borrowed(&*histogram);
        let header = Header { level: *level, settled: *settled, tally: sums.tally, histogram };
        let write = |to: &mut dyn Write| {
            header.write(engine.kind(), engine.states(), to)?;
            pending.write_beside(&engine.events_elsewhere(header.level), to)?;
            engine.write(to)
        };
        let snapshot = Snapshot::new(*level, *settled, &write);
        let kept = keep(&snapshot);
        match snapshot.fate() {
            Fate::Discarded => {}
            Fate::Unknown => engine.published(false),
            Fate::Published => engine.published(true),
        }
        match kept {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SolveError::Cancelled),
        }
    }
}

impl PendingEvents {
    /// Writes the events of the levels to come.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.write_beside(&[], to)
    }

    /// The same, with rows that say where events are that have been taken out.
    pub(crate) fn write_beside(
        &self,
        elsewhere: &[[u64; 4]],
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let counts = [elsewhere.len(), self.entries().count()].map(|count| count as u64);
        write_numbers(to, [self.bytes(), counts[0], counts[1]])?;
        write_numbers(to, elsewhere.iter().copied().flatten())?;
        let rows = self.entries().flat_map(|(level, event, (word, states))| {
            [u64::from(level), event as u64, word, states]
        });
        write_numbers(to, rows)
    }

    /// Reads the output of [`write`](PendingEvents::write), for a game of `states` states.
    pub fn read(states: u64, from: &mut dyn Read) -> Result<PendingEvents, SolveError> {
        let (pending, elsewhere) = PendingEvents::read_beside(states, from)?;
        if elsewhere.is_empty() { Ok(pending) } else { Err(SolveError::Snapshot) }
    }

    /// Reads the output of [`write_beside`](PendingEvents::write_beside).
    pub(crate) fn read_beside(
        states: u64,
        from: &mut dyn Read,
    ) -> Result<(PendingEvents, Vec<[u64; 4]>), SolveError> {
        let [bytes, stored, left] = read_array(from)?;
        let mut pending = PendingEvents::default();
        let mut elsewhere = Vec::new();
        for _ in 0..stored {
            elsewhere.push(read_array(from)?);
        }
        for _ in 0..left {
            let [level, event, word, set] = read_array(from)?;
            let (level, event) = Event::named(level, event).ok_or(SolveError::Snapshot)?;
            let inside = states.saturating_sub(word.saturating_mul(64));
            if inside == 0 || inside < 64 && set >> inside != 0 {
                return Err(SolveError::Snapshot);
            }
            pending.add_states(level, event, (word, set));
        }
        pending.bytes = bytes.max(pending.counted_bytes());
        Ok((pending, elsewhere))
    }
}
