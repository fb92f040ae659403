//! The state of a solve at the end of a level, as bytes, so that the solve can continue later.
//!
//! A snapshot leaves out what follows from the rest, such as the frontier. The caller decides where and when
//! to write it. The bytes are the same for any number of threads, and all have
//! [checksums](super::checksummed).

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Read, Write};

use super::checksummed::ChecksummedWriter;
use super::course::Tally;
use super::histogram::Histogram;
use super::solver::SolveError;

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

    /// Reads the beginning of a snapshot, up to its pending events, and checks it. The bytes have no checksums.
    pub fn header(self, snapshot: &mut dyn Read, states: u64) -> Result<Vec<u8>, SolveError> {
        let mut bytes = Vec::new();
        Header::read(self, states, snapshot)?.write(self, states, &mut bytes)?;
        Ok(bytes)
    }
}

/// The progress of a solve, for any engine.
pub(super) struct Header<'a> {
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

/// How many bytes are written or read at a time.
const PIECE: usize = 1 << 16;

/// Writes numbers in little-endian order.
pub(crate) fn write_numbers(
    to: &mut dyn Write,
    numbers: impl IntoIterator<Item = u64>,
) -> io::Result<()> {
    let mut numbers = numbers.into_iter().peekable();
    let mut bytes = Vec::with_capacity(PIECE.min(8 * (numbers.size_hint().0 + 1)));
    while numbers.peek().is_some() {
        bytes.clear();
        numbers.by_ref().take(PIECE / 8).for_each(|number| bytes.extend(number.to_le_bytes()));
        to.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads as many numbers as fit.
pub(crate) fn read_numbers(from: &mut dyn Read, numbers: &mut [u64]) -> Result<(), SolveError> {
    let mut bytes = vec![0; PIECE.min(8 * numbers.len())];
    for numbers in numbers.chunks_mut(PIECE / 8) {
        let bytes = &mut bytes[..8 * numbers.len()];
        read_exact(from, bytes)?;
        for (bytes, number) in bytes.as_chunks::<8>().0.iter().zip(numbers) {
            *number = u64::from_le_bytes(*bytes);
        }
    }
    Ok(())
}

/// Reads `N` numbers.
pub(crate) fn read_array<const N: usize>(from: &mut dyn Read) -> Result<[u64; N], SolveError> {
    let mut numbers = [0; N];
    read_numbers(from, &mut numbers)?;
    Ok(numbers)
}

/// Reads as many bytes as fit. If bytes are missing, the snapshot is invalid. An error of the reader stays an
/// error of the reader.
pub(crate) fn read_exact(from: &mut dyn Read, mut bytes: &mut [u8]) -> Result<(), SolveError> {
    while !bytes.is_empty() {
        match from.read(bytes) {
            Ok(0) => return Err(SolveError::Snapshot),
            Ok(len) => bytes = &mut bytes[len..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
