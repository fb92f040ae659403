//! Converts a snapshot to another number of ranks, from the files of all old ranks.
//!
//! ```text
//! the header
//! the pending events of its own states
//! for each own part: cells, higher digits, won bits, from their place in the file of an old rank
//! ```
//!
//! The new parts may be shorter than the old ones, but not longer. It copies a piece at a time, and checks all input.
//! Its output has its own checksums.
//!
//! The bit-parallel engine takes its own shards from a list of shards. So for this engine, the output has the shards of
//! all old ranks, as they are.

use std::io::{self, Read, Seek, Write};

use retrograde::SolveError;
use retrograde::bit_parallel::Share;
use retrograde::internal::{ChecksummedReader, ChecksummedWriter};
use retrograde::parts::{Event, Kind, PendingEvents};

use crate::block_partition::BlockPartition;
use crate::engine::Plan;

/// A snapshot, as one rank of a plan reads it.
pub struct Repartitioned<R> {
    /// The snapshots of all old ranks.
    snapshots: Vec<ChecksummedReader<R>>,
    /// The remaining steps; the next one is last.
    steps: Vec<Step>,
    /// Adds checksums to the output.
    checksummed: ChecksummedWriter<Vec<u8>>,
    /// Output that was not read yet.
    made: io::Cursor<Vec<u8>>,
}

/// A step of the output.
enum Step {
    Bytes(Vec<u8>),
    /// Bytes from one of the snapshots.
    Copy {
        snapshot: usize,
        from: u64,
        len: u64,
    },
    /// The rest of one of the snapshots.
    CopyRest(usize),
    End,
}

/// How many bytes are copied at a time.
const PIECE: u64 = 1 << 16;

/// The places of the parts in an old snapshot.
struct Places {
    from: BlockPartition,
    /// For each snapshot, where its parts begin.
    parts: Vec<u64>,
    planes: u64,
}

impl Places {
    /// Adds the steps that copy a part of `to`.
    fn copy(&self, to: &BlockPartition, part: u64, steps: &mut Vec<Step>) {
        let (states, of) = (to.states_of(part), self.from.block_states());
        let (old, within) = (states.start / of, states.start % of);
        let (rank, before) = (self.from.rank_of(old), old / self.from.ranks() as u64);
        let array_bytes = |len: u64| len * (1 + self.planes) + 8 + len.div_ceil(64) * 8;
        // Only the last part of all may be shorter, so all parts before this one are full.
        let start = self.parts[rank] + before * array_bytes(of);
        let old_states = self.from.states_of(old);
        let (old_len, len) = (old_states.end - old_states.start, states.end - states.start);
        let mut copy = |from, mut len: u64| {
            let mut from = start + from;
            while len > 0 {
                let piece = len.min(PIECE);
                steps.push(Step::Copy { snapshot: rank, from, len: piece });
                (from, len) = (from + piece, len - piece);
            }
        };
        copy(within, len);
        // The number of planes comes between the cells and the planes.
        copy(old_len, 8);
        for plane in 0..self.planes {
            copy(old_len + 8 + plane * old_len + within, len);
        }
        copy(old_len + 8 + self.planes * old_len + within / 8, len.div_ceil(64) * 8);
    }
}

impl<R: Read + Seek> Repartitioned<R> {
    /// The input of `rank` in a new plan, from the snapshots of all ranks of the old plan.
    ///
    /// # Panics
    ///
    /// If the blocks of the new plan are longer, or it is for another number of states.
    pub fn new(
        plan: &Plan,
        rank: usize,
        from: BlockPartition,
        snapshots: Vec<R>,
    ) -> Result<Repartitioned<R>, SolveError> {
        let to = *plan.block_partition();
        assert!(to.block_states() <= from.block_states(), "{to:?} from {from:?}");
        assert_eq!(to.states(), from.states());
        let (begin, mut snapshots) = begin(plan.kind(), &to, rank, snapshots)?;
        let parts: Vec<_> = snapshots.iter().map(ChecksummedReader::position).collect();
        let mut planes = [0; 8];
        if let (Some(snapshot), Some(start)) = (snapshots.first_mut(), parts.first()) {
            let first = from.states_of(0);
            if !first.is_empty() {
                snapshot.seek_to(start + first.end - first.start)?;
                snapshot.read_exact(&mut planes)?;
            }
        }
        let planes = u64::from_le_bytes(planes);
        // A distance or a count has four digits at most.
        if planes > 4 {
            return Err(SolveError::Snapshot);
        }
        let places = Places { from, parts, planes };
        let mut steps = vec![Step::Bytes(begin)];
        to.own(rank).for_each(|part| places.copy(&to, part, &mut steps));
        Ok(Repartitioned::of(snapshots, steps))
    }

    /// The same for the bit-parallel engine, for the share of a rank.
    pub fn of_words(
        share: &Share,
        distances: bool,
        (to, rank): (BlockPartition, usize),
        snapshots: Vec<R>,
    ) -> Result<Repartitioned<R>, SolveError> {
        let (mut begin, mut snapshots) = begin(share.kind(distances), &to, rank, snapshots)?;
        let mut shards = 0u64;
        for snapshot in &mut snapshots {
            let mut of_one = [0; 8];
            snapshot.read_exact(&mut of_one)?;
            shards = shards.saturating_add(u64::from_le_bytes(of_one));
        }
        begin.extend(shards.to_le_bytes());
        let mut steps = vec![Step::Bytes(begin)];
        steps.extend((0..snapshots.len()).map(Step::CopyRest));
        Ok(Repartitioned::of(snapshots, steps))
    }

    fn of(snapshots: Vec<ChecksummedReader<R>>, mut steps: Vec<Step>) -> Repartitioned<R> {
        steps.push(Step::End);
        steps.reverse();
        let (checksummed, made) = (ChecksummedWriter::new(Vec::new()), io::Cursor::default());
        Repartitioned { snapshots, steps, checksummed, made }
    }

    fn make(&mut self, step: Step) -> io::Result<()> {
        match step {
            Step::Bytes(bytes) => self.checksummed.write_all(&bytes),
            Step::End => self.checksummed.finish(),
            Step::Copy { snapshot, from, len } => {
                let snapshot = &mut self.snapshots[snapshot];
                let mut bytes = vec![0; len as usize];
                snapshot.seek_to(from)?;
                snapshot.read_exact(&mut bytes)?;
                self.checksummed.write_all(&bytes)
            }
            Step::CopyRest(snapshot) => {
                let mut bytes = Vec::new();
                self.snapshots[snapshot].by_ref().take(PIECE).read_to_end(&mut bytes)?;
                if !bytes.is_empty() {
                    self.steps.push(Step::CopyRest(snapshot));
                }
                self.checksummed.write_all(&bytes)
            }
        }
    }
}

/// The header, and the pending events of the states of a rank. The snapshots are then at what follows.
fn begin<R: Read>(
    kind: Kind,
    to: &BlockPartition,
    rank: usize,
    snapshots: Vec<R>,
) -> Result<(Vec<u8>, Vec<ChecksummedReader<R>>), SolveError> {
    let (mut begin, mut pending) = (Vec::new(), PendingEvents::default());
    let mut snapshots: Vec<_> = snapshots.into_iter().map(ChecksummedReader::new).collect();
    for snapshot in &mut snapshots {
        begin = kind.header(snapshot, to.states())?;
        let of_one = PendingEvents::read(to.states(), snapshot)?;
        take_own(of_one, to, rank, &mut pending);
    }
    pending.sort();
    pending.write(&mut begin)?;
    Ok((begin, snapshots))
}

impl<R: Read + Seek> Read for Repartitioned<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.made.read(to)?;
            if read > 0 || to.is_empty() {
                return Ok(read);
            }
            let Some(step) = self.steps.pop() else { return Ok(0) };
            self.make(step)?;
            self.made = io::Cursor::new(std::mem::take(self.checksummed.get_mut()));
        }
    }
}

/// Adds the pending events of the states of a rank.
fn take_own(mut of: PendingEvents, to: &BlockPartition, rank: usize, own: &mut PendingEvents) {
    const EVENTS: [Event; 4] =
        [Event::TerminalLoss, Event::TerminalWin, Event::ExitLost, Event::ExitWon];
    while let Some(level) = of.next() {
        for event in EVENTS {
            for (word, set) in of.day(level).of(event) {
                // A word lies in one block.
                if to.rank_of(word * 64 / to.block_states()) == rank {
                    let states = (0..64).filter(|bit| set >> bit & 1 != 0);
                    states.for_each(|bit| own.add(level, word * 64 + bit, event));
                }
            }
        }
        of.remove(level);
    }
}
