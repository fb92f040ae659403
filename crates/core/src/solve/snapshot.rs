//! The state of a solve at the end of a level, as bytes, so that it can go on another day.
//!
//! Nothing is kept that follows from the rest: what has settled says what is to be propagated. Where the bytes go,
//! and when, is for the caller to say; they are the same for any number of threads.

use std::borrow::Cow;

use super::histogram::Histogram;
use super::solver::SolveError;
use crate::rules::Game;

/// The state of a solve at the end of a level.
pub struct Snapshot<'a> {
    level: u32,
    settled: u64,
    write: &'a dyn Fn(&mut Sink<'_>),
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(course: &Course<'_>, write: &'a dyn Fn(&mut Sink<'_>)) -> Snapshot<'a> {
        Snapshot { level: course.level, settled: course.settled, write }
    }

    /// The distance at which states settled last.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// How many states have settled.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// Hands out the bytes, a piece at a time.
    pub fn write(&self, to: &mut dyn FnMut(&[u8])) {
        let mut sink = Sink { to, buffer: Vec::with_capacity(PIECE) };
        (self.write)(&mut sink);
        sink.number(END);
        sink.flush();
    }
}

/// How far a solve has come, whatever the engine.
pub(crate) struct Course<'a> {
    /// The distance at which the frontier settled.
    pub(crate) level: u32,
    pub(crate) settled: u64,
    pub(crate) histogram: Cow<'a, Histogram>,
}

/// What the bytes begin with, so that nothing else is taken for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// Names the engine and the version of what it keeps.
    pub(crate) engine: [u8; 8],
    /// What the layout of its arrays depends on.
    pub(crate) layout: u64,
    pub(crate) distances: bool,
}

impl Course<'_> {
    pub(crate) fn write(&self, kind: Kind, states: u64, sink: &mut Sink<'_>) {
        sink.bytes(&kind.engine);
        sink.numbers([kind.layout, u64::from(kind.distances), states]);
        sink.numbers([u64::from(self.level), self.settled]);
        let (bytes, last) = self.histogram.parts();
        sink.numbers([u64::from(last), bytes.len() as u64]);
        sink.bytes(bytes);
    }

    /// Reads what [`write`](Course::write) wrote, if it was for this game and engine.
    pub(crate) fn read(
        kind: Kind,
        game: &impl Game,
        source: &mut Source<'_>,
    ) -> Result<Course<'static>, SolveError> {
        let mut engine = [0; 8];
        source.bytes(&mut engine)?;
        let expected = [kind.layout, u64::from(kind.distances), game.states()];
        let found = [source.number()?, source.number()?, source.number()?];
        if (engine, found) != (kind.engine, expected) {
            return Err(SolveError::Snapshot);
        }
        let small = |number: u64| u32::try_from(number).map_err(|_| SolveError::Snapshot);
        let level = small(source.number()?)?;
        let settled = source.number()?;
        let last = small(source.number()?)?;
        let histogram = Histogram::from_parts(source.many_bytes()?, last);
        Ok(Course { level, settled, histogram: Cow::Owned(histogram) })
    }
}

const PIECE: usize = 1 << 16;
/// What the bytes end with.
const END: u64 = u64::from_le_bytes(*b"snap end");

/// Where the bytes of a snapshot go.
pub(crate) struct Sink<'a> {
    to: &'a mut dyn FnMut(&[u8]),
    buffer: Vec<u8>,
}

impl Sink<'_> {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if self.buffer.len() + bytes.len() > PIECE {
            self.flush();
        }
        if bytes.len() > PIECE {
            (self.to)(bytes);
        } else {
            self.buffer.extend_from_slice(bytes);
        }
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = u64>) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    fn flush(&mut self) {
        if !self.buffer.is_empty() {
            (self.to)(&self.buffer);
            self.buffer.clear();
        }
    }
}

/// Where the bytes of a snapshot come from.
pub(crate) struct Source<'a> {
    from: &'a mut dyn FnMut(&mut [u8]) -> bool,
    buffer: Vec<u8>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(from: &'a mut dyn FnMut(&mut [u8]) -> bool) -> Source<'a> {
        Source { from, buffer: Vec::new() }
    }

    pub(crate) fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), SolveError> {
        if (self.from)(bytes) { Ok(()) } else { Err(SolveError::Snapshot) }
    }

    pub(crate) fn number(&mut self) -> Result<u64, SolveError> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads as many numbers as there is room for.
    pub(crate) fn numbers<'n>(
        &mut self,
        numbers: impl ExactSizeIterator<Item = &'n mut u64>,
    ) -> Result<(), SolveError> {
        let mut numbers = numbers;
        while numbers.len() > 0 {
            let count = numbers.len().min(PIECE / 8);
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.resize(count * 8, 0);
            self.bytes(&mut buffer)?;
            for (bytes, number) in buffer.as_chunks::<8>().0.iter().zip(numbers.by_ref()) {
                *number = u64::from_le_bytes(*bytes);
            }
            self.buffer = buffer;
        }
        Ok(())
    }

    /// Reads a count of bytes and so many of them, never taking more memory than there are.
    fn many_bytes(&mut self) -> Result<Vec<u8>, SolveError> {
        let len = usize::try_from(self.number()?).map_err(|_| SolveError::Snapshot)?;
        let mut bytes = Vec::new();
        while bytes.len() < len {
            let from = bytes.len();
            bytes.resize(len.min(from + PIECE), 0);
            self.bytes(&mut bytes[from..])?;
        }
        Ok(bytes)
    }

    /// Makes sure that the snapshot ends here.
    pub(crate) fn end(mut self) -> Result<(), SolveError> {
        if self.number()? == END { Ok(()) } else { Err(SolveError::Snapshot) }
    }
}
