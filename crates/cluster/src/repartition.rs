//! Converts a snapshot to another number of processes, from the files of all old processes.
//!
//! ```text
//! the header, with the number of states in the new numbering
//! the pending events of its own states
//! for each own part: cells, higher digits, won bits, block by block from the old places of the states
//! ```
//!
//! It holds one block at a time, and the pending events. It checks all input, and its output has its own
//! checksums.

use std::io::{self, Read, Seek, Write};
use std::ops::Range;

use retrograde::SolveError;
use retrograde::parts::{ChecksummedReader, ChecksummedWriter, Event, PendingEvents};

use crate::block_partition::BlockPartition;
use crate::engine::Plan;

/// A snapshot, as one process of a plan reads it.
pub struct Repartitioned<R> {
    from: BlockPartition,
    /// The snapshots of all old processes.
    snapshots: Vec<Opened<R>>,
    layout: Layout,
    /// The remaining steps; the next one is last.
    steps: Vec<Step>,
    /// Adds checksums to the output.
    checksummed: ChecksummedWriter<Vec<u8>>,
    /// Output that was not read yet.
    made: io::Cursor<Vec<u8>>,
}

/// A snapshot, and the places of its parts.
struct Opened<R> {
    snapshot: ChecksummedReader<R>,
    parts: u64,
}

impl<R: Read + Seek> Opened<R> {
    /// Reads bytes of its parts.
    fn read(&mut self, from: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.snapshot.seek_to(self.parts + from)?;
        self.snapshot.read_exact(bytes)
    }
}

/// The layout of the bytes of a part.
#[derive(Clone, Copy)]
struct Layout {
    part_len: u64,
    planes: u64,
}

/// A step of the output.
enum Step {
    Bytes(Vec<u8>),
    /// An array of the states of one block, with its size in the new numbering.
    Block(Array, u64, Range<u64>),
    End,
}

#[derive(Clone, Copy)]
enum Array {
    Cells,
    Plane(u64),
    Won,
}

impl Layout {
    /// How many bytes a part has, and where an array begins in it.
    fn part_bytes(self) -> u64 {
        self.begin(Array::Won) + self.part_len / 8
    }

    fn begin(self, array: Array) -> u64 {
        let planes = self.part_len + 8;
        match array {
            Array::Cells => 0,
            Array::Plane(plane) => planes + plane * self.part_len,
            Array::Won => planes + self.planes * self.part_len,
        }
    }
}

impl<R: Read + Seek> Repartitioned<R> {
    /// The input of `process` in a new plan, from the snapshots of all processes of the old plan.
    pub fn new(
        plan: &Plan,
        process: usize,
        from: BlockPartition,
        snapshots: Vec<R>,
    ) -> Result<Repartitioned<R>, SolveError> {
        let (kind, to) = (plan.kind(), *plan.block_partition());
        let (mut begin, mut pending, mut opened) =
            (Vec::new(), PendingEvents::default(), Vec::new());
        for snapshot in snapshots {
            let mut snapshot = ChecksummedReader::new(snapshot);
            begin =
                kind.renumbered(&mut snapshot, from.renumbered_states(), to.renumbered_states())?;
            let of_one = PendingEvents::read(from.renumbered_states(), &mut snapshot)?;
            take_own(of_one, &from, &to, process, &mut pending);
            let parts = snapshot.position();
            opened.push(Opened { snapshot, parts });
        }
        pending.sort();
        pending.write(&mut begin)?;
        let mut layout = Layout { part_len: from.part_len(), planes: 0 };
        if let Some(snapshot) = opened.first_mut() {
            let mut planes = [0; 8];
            snapshot.read(layout.begin(Array::Plane(0)) - 8, &mut planes)?;
            layout.planes = u64::from_le_bytes(planes);
        }
        // A distance or a count has four digits at most.
        if layout.planes > 4 {
            return Err(SolveError::Snapshot);
        }
        let mut steps = vec![Step::Bytes(begin)];
        for part in process * to.parts()..(process + 1) * to.parts() {
            let of =
                |array| to.blocks(part as u64).map(move |(len, run)| Step::Block(array, len, run));
            steps.extend(of(Array::Cells));
            steps.push(Step::Bytes(layout.planes.to_le_bytes().to_vec()));
            (0..layout.planes).for_each(|plane| steps.extend(of(Array::Plane(plane))));
            steps.extend(of(Array::Won));
        }
        steps.push(Step::End);
        steps.reverse();
        let (checksummed, made) = (ChecksummedWriter::new(Vec::new()), io::Cursor::default());
        Ok(Repartitioned { from, snapshots: opened, layout, steps, checksummed, made })
    }

    fn make(&mut self, step: Step) -> io::Result<()> {
        let (array, len, states) = match step {
            Step::Bytes(bytes) => return self.checksummed.write_all(&bytes),
            Step::End => return self.checksummed.finish(),
            Step::Block(array, len, states) => (array, len, states),
        };
        let Repartitioned { from, snapshots, layout, checksummed, .. } = self;
        // A number without a process is invalid, which is zero.
        let bytes = match array {
            Array::Cells | Array::Plane(_) => len,
            Array::Won => len / 8,
        };
        let mut made = vec![0; bytes as usize];
        for (holder, renumbered, run) in from.runs(states.clone()) {
            let snapshot = &mut snapshots[holder];
            let part = renumbered / from.part_states() - (holder * from.parts()) as u64;
            let within = renumbered % from.part_states();
            let begin = part * layout.part_bytes() + layout.begin(array);
            let (at, len) = (run.start - states.start, run.end - run.start);
            match array {
                Array::Won => copy_bits(snapshot, (begin, within), &mut made, at, len)?,
                Array::Cells | Array::Plane(_) => {
                    let place = at as usize..(at + len) as usize;
                    snapshot.read(begin + within, &mut made[place])?;
                }
            }
        }
        checksummed.write_all(&made)
    }
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

/// Adds the pending events of the states of a process.
fn take_own(
    mut of: PendingEvents,
    from: &BlockPartition,
    to: &BlockPartition,
    process: usize,
    own: &mut PendingEvents,
) {
    const EVENTS: [Event; 4] =
        [Event::TerminalLoss, Event::TerminalWin, Event::ExitLost, Event::ExitWon];
    while let Some(level) = of.next() {
        for event in EVENTS {
            for (word, set) in of.day(level).of(event) {
                let renumbered =
                    (0..64).filter(|bit| set >> bit & 1 != 0).map(|bit| word * 64 + bit);
                for renumbered in renumbered
                    .filter_map(|renumbered| from.state(renumbered))
                    .map(|state| to.renumbered(state))
                {
                    if (renumbered / to.part_states()) as usize / to.parts() == process {
                        own.add(level, renumbered, event);
                    }
                }
            }
        }
        of.remove(level);
    }
}

/// Copies bits, from one bit of an array that begins somewhere in a snapshot.
fn copy_bits(
    from: &mut Opened<impl Read + Seek>,
    (begin, bit): (u64, u64),
    to: &mut [u8],
    at: u64,
    len: u64,
) -> io::Result<()> {
    let mut bytes = vec![0; ((bit % 8 + len).div_ceil(8)) as usize];
    from.read(begin + bit / 8, &mut bytes)?;
    let has = |place: u64| bytes[(place / 8) as usize] >> (place % 8) & 1;
    (0..len).for_each(|i| to[((at + i) / 8) as usize] |= has(bit % 8 + i) << ((at + i) % 8));
    Ok(())
}
