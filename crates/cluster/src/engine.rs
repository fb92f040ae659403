//! The engine of one process: its parts, and the updates for other processes.
//!
//! ```text
//! for each level:
//!     begin it in all own parts
//!     until all processes have swept all their parts, in supersteps:
//!         until the superstep has enough updates:
//!             each thread: sweep own parts until its outboxes are full
//!             each thread: apply updates for own parts, those of other processes too
//!             send the updates for parts of other processes
//!         end the superstep: tell all whether own parts are swept, apply the remaining updates
//!     end it in all own parts
//! add up the settled states of all processes
//! ```
//!
//! The engine uses its game as a trait object. So the engine compiles once for all games.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use retrograde::bit_parallel::{LogError, LoggedSolution};
use retrograde::internal::Thresholds;
use retrograde::internal::threads;
use retrograde::parts::{
    Engine, Kind, Outboxes, Part, Parted, Partition, PendingEvents, Sums, Tally, UpdateSink, Watch,
};
use retrograde::{Code, Counts, Probe, Solution, SolveError, Value};

use crate::block_partition::BlockPartition;
use crate::level_sums::{LevelSums, Piggyback};
use crate::transport::{Supersteps, Transport, outside};

/// The name of the engine, and the version of its snapshots.
const KIND: [u8; 8] = *b"shard  3";

/// Limits for data that waits in a process, or is on its way to another.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many updates a process collects before it sends them.
    pub outbox_updates: usize,
    /// About how many bytes a message has.
    pub message_bytes: usize,
    /// About how many updates a process sends in a superstep.
    pub superstep_updates: usize,
    /// With fewer states or updates than this, one thread is done before several have started.
    pub parallel: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            outbox_updates: 1 << 15,
            message_bytes: 1 << 16,
            superstep_updates: 1 << 18,
            parallel: 1 << 12,
        }
    }
}

impl Bounds {
    /// All limits have their least value. A message has one update, and a superstep has one message.
    #[doc(hidden)]
    pub fn least() -> Bounds {
        Bounds { outbox_updates: 1, message_bytes: 1, superstep_updates: 1, parallel: 0 }
    }

    /// Estimates the bytes that one process needs for updates: in its outboxes, in unfinished messages, and in
    /// messages that arrive. Another process may be one superstep ahead. So messages of two supersteps may wait
    /// here. The estimate counts their updates twice.
    fn bytes(&self, processes: usize, threads: usize) -> u64 {
        let others = processes.saturating_sub(1) as u64;
        let outboxes = (threads * self.outbox_updates) as u64;
        let updates = outboxes + 4 * self.superstep_updates as u64;
        4 * updates + others * self.message_bytes as u64
    }
}

/// The engine of one process, with the parts of this process. It is not a shard of the bit-parallel engine.
pub struct Shard<'a, P, A = ()> {
    game: &'a dyn Parted,
    plan: Plan,
    supersteps: Supersteps<P>,
    sums: LevelSums<A>,
    /// The parts of this process: each is one of its blocks.
    parts: Vec<Part>,
    /// The updates of each thread, and in the last place those of other processes.
    updates: Vec<Outboxes>,
    /// How many states settled at the level before, in this process.
    frontier: u64,
    /// For each process, the unfinished message.
    messages: Vec<Vec<u8>>,
    /// How many bytes of updates this process has sent.
    sent_bytes: u64,
}

/// How a game is partitioned and solved. All processes must agree on it.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    block_partition: BlockPartition,
    partition: Partition,
    bounds: Bounds,
    threads: usize,
}

impl Plan {
    /// Divides a game into parts. Each block is a part.
    pub fn new(game: &dyn Parted, block_partition: BlockPartition, distances: bool) -> Plan {
        let partition = game.partition(block_partition.block_states(), distances);
        assert_eq!(partition.all(), block_partition.states(), "the partition of another game");
        Plan { block_partition, partition, bounds: Bounds::default(), threads: 1 }
    }

    /// The number of threads of each process, by default one. They are those of rayon's current pool.
    #[must_use]
    pub fn threads(self, threads: usize) -> Plan {
        Plan { threads: threads.max(1), ..self }
    }

    /// For tests.
    #[doc(hidden)]
    #[must_use]
    pub fn thresholds(self, thresholds: Thresholds, bounds: Bounds) -> Plan {
        Plan { partition: self.partition.thresholds(thresholds), bounds, ..self }
    }

    /// How the states are partitioned.
    pub fn block_partition(&self) -> &BlockPartition {
        &self.block_partition
    }

    /// How the snapshots of the processes begin.
    pub(crate) fn kind(&self) -> Kind {
        self.partition.kind(KIND)
    }

    /// How many bytes a process takes, when states settle at `level`.
    pub fn bytes(&self, process: usize, level: u32) -> u64 {
        let Plan { block_partition, partition, bounds, threads } = self;
        let parts = block_partition.own(process).map(|part| partition.bytes(part as usize, level));
        // Each thread has a list of updates for each part of all processes, and so have the updates that arrive.
        let lists = (threads + 1) * partition.parts() * size_of::<Vec<u32>>();
        let updates = bounds.bytes(block_partition.processes(), *threads);
        parts.sum::<u64>() + lists as u64 + updates
    }
}

/// The values of the states of a process, in its parts.
#[derive(Clone, Copy)]
pub struct ShardValues<'s> {
    block_partition: BlockPartition,
    parts: &'s [Part],
}

/// The values of the states of one process. If it keeps distances on disk, it may fail to read them.
pub trait OwnValues: Sync {
    /// The value of a state of this process.
    fn value(&self, state: u64) -> Result<Option<Value>, LogError>;

    /// Writes the codes of the states from `first` on. All these states belong to one block of this process.
    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), LogError>;

    /// How many of these states have each value. They belong to one block of this process.
    fn count(&self, states: Range<u64>) -> Result<Counts, LogError>;
}

impl OwnValues for Solution {
    fn value(&self, state: u64) -> Result<Option<Value>, LogError> {
        Ok(self.value(state))
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), LogError> {
        let Ok(()) = Probe::fill_codes(self, first, codes);
        Ok(())
    }

    fn count(&self, states: Range<u64>) -> Result<Counts, LogError> {
        Ok(self.count(states))
    }
}

impl OwnValues for LoggedSolution {
    fn value(&self, state: u64) -> Result<Option<Value>, LogError> {
        self.probe(state)
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), LogError> {
        Probe::fill_codes(self, first, codes)
    }

    fn count(&self, states: Range<u64>) -> Result<Counts, LogError> {
        self.count(states)
    }
}

impl OwnValues for ShardValues<'_> {
    fn value(&self, state: u64) -> Result<Option<Value>, LogError> {
        Ok(self.part(state).value(state))
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), LogError> {
        self.part(first).fill_codes(first, codes);
        Ok(())
    }

    fn count(&self, states: Range<u64>) -> Result<Counts, LogError> {
        Ok(self.part(states.start).count(states))
    }
}

impl ShardValues<'_> {
    fn part(&self, state: u64) -> &Part {
        let block = state / self.block_partition.block_states();
        &self.parts[(block / self.block_partition.processes() as u64) as usize]
    }
}

impl<'a, P: Transport, A: Piggyback> Shard<'a, P, A> {
    /// The engine of this process.
    pub fn new(
        game: &'a dyn Parted,
        plan: &Plan,
        supersteps: Supersteps<P>,
        piggyback: A,
    ) -> Shard<'a, P, A> {
        let Plan { block_partition, partition, bounds, threads } = plan;
        let own = block_partition.own(supersteps.index());
        Shard {
            game,
            plan: *plan,
            sums: LevelSums::new(piggyback),
            parts: own.map(|part| partition.part(part as usize)).collect(),
            updates: (0..=*threads).map(|_| partition.outboxes(bounds.outbox_updates)).collect(),
            frontier: 0,
            messages: vec![Vec::new(); supersteps.processes()],
            supersteps,
            sent_bytes: 0,
        }
    }

    /// The values of the states of this process. After the solve, the caller can use the supersteps to exchange them.
    pub fn values(&mut self) -> (ShardValues<'_>, &mut Supersteps<P>) {
        let Shard { plan, parts, supersteps, .. } = self;
        (ShardValues { block_partition: plan.block_partition, parts }, supersteps)
    }

    /// How many bytes of updates this process has sent.
    pub fn sent_bytes(&self) -> u64 {
        self.sent_bytes
    }

    /// Estimates the share of the time in which a process works, on average over all processes. It ignores the
    /// time for messages. It is 1 if the processes share each level evenly.
    pub fn evenness(&self) -> f64 {
        self.sums.evenness()
    }

    /// Sweeps parts until all are done, or the outboxes of all threads are full. `done` says which parts are done.
    fn sweep(&mut self, done: &mut [bool]) {
        let Shard { game, parts, updates, frontier, plan, .. } = self;
        let left = Mutex::new(parts.iter_mut().zip(done).filter(|(_, done)| !**done));
        let sweep = |_, outboxes: &mut Outboxes| {
            let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
            while !outboxes.is_full() {
                let Some((part, done)) = next() else { return };
                *done = game.sweep(part, outboxes);
            }
        };
        let (_, outboxes) = updates.split_last_mut().expect("one for other processes");
        match outboxes {
            [outboxes, ..] if *frontier < plan.bounds.parallel as u64 => sweep(0, outboxes),
            [outboxes] => sweep(0, outboxes),
            outboxes => threads::each_of(outboxes, sweep),
        }
    }

    /// Applies all updates that wait for parts of this process, and writes all others into messages. Sends each full
    /// message. Returns how many updates it has written into messages.
    fn hand_out(&mut self) -> usize {
        let Shard { parts, updates, messages, supersteps, plan, .. } = self;
        let (own, processes, mut away) = (supersteps.index(), supersteps.processes(), 0);
        let deliver = |number: usize, part: &mut Part| {
            // Every process numbers its own parts from 0.
            let part_of_all = own + number * processes;
            let updates = updates.iter().map(|outboxes| outboxes.of(part_of_all));
            updates.filter(|updates| !updates.is_empty()).for_each(|updates| part.deliver(updates));
        };
        let waiting: usize = updates.iter().map(Outboxes::len).sum();
        if plan.threads > 1 && waiting >= plan.bounds.parallel {
            threads::each_of(parts, deliver);
        } else if waiting > 0 {
            parts.iter_mut().enumerate().for_each(|(number, part)| deliver(number, part));
        }
        for outboxes in updates {
            outboxes.drain(|to, updates| {
                let (process, part) = (to % processes, to / processes);
                if process == own {
                    return;
                }
                let message = &mut messages[process];
                write_updates(message, part, updates);
                away += updates.len();
                if message.len() >= plan.bounds.message_bytes {
                    self.sent_bytes += message.len() as u64;
                    supersteps.send(process, std::mem::take(message));
                }
            });
            outboxes.trim();
        }
        away
    }

    /// Reads the updates of other processes in this superstep. Without `said`, it takes the updates that
    /// have arrived. With `said`, it sends the last message, waits for all updates, and ends the superstep.
    /// Then it returns, for each process, whether its last message says that its parts are swept.
    fn read_updates(&mut self, said: Option<&[u8]>) -> Result<Vec<bool>, SolveError> {
        let Shard { parts, updates, supersteps, .. } = self;
        let (own, processes, parts) = (supersteps.index(), supersteps.processes(), parts.len());
        let inbox = updates.last_mut().expect("one for other processes");
        let mut torn = false;
        let mut take = |message: &[u8]| {
            let mut place = |part| (part < parts).then_some(own + part * processes);
            torn |= read_message(inbox, message, &mut place).is_none();
        };
        let said = match said {
            None => supersteps.poll(&mut take).map(|()| Vec::new())?,
            Some(said) => supersteps.end(said, &mut take)?,
        };
        if torn {
            return Err(outside("a message of updates makes no sense".to_owned()));
        }
        Ok(said.iter().map(|said| said.first() == Some(&1)).collect())
    }

    fn send_messages(&mut self) {
        for (process, message) in self.messages.iter_mut().enumerate() {
            if !message.is_empty() {
                self.sent_bytes += message.len() as u64;
                self.supersteps.send(process, std::mem::take(message));
            }
        }
    }
}

/// Writes updates for a part of another process: the part, the number of updates, the updates.
fn write_updates(message: &mut Vec<u8>, part: usize, updates: &[u32]) {
    message.reserve(8 + 4 * updates.len());
    message.extend((part as u32).to_le_bytes());
    message.extend((updates.len() as u32).to_le_bytes());
    let start = message.len();
    message.resize(start + 4 * updates.len(), 0);
    let (places, _) = message[start..].as_chunks_mut::<4>();
    places.iter_mut().zip(updates).for_each(|(place, update)| *place = update.to_le_bytes());
}

/// Reads the updates of a message. `place` gives the number of a part of this process. Returns `None` if the message
/// makes no sense.
fn read_message(
    inbox: &mut Outboxes,
    mut message: &[u8],
    place: &mut dyn FnMut(usize) -> Option<usize>,
) -> Option<()> {
    while !message.is_empty() {
        let (part, rest) = message.split_first_chunk()?;
        let (len, rest) = rest.split_first_chunk()?;
        let len = 4 * u32::from_le_bytes(*len) as usize;
        let (updates, rest) = rest.split_at_checked(len)?;
        let updates = updates.as_chunks::<4>().0.iter().map(|update| u32::from_le_bytes(*update));
        inbox.extend(place(u32::from_le_bytes(*part) as usize)?, updates);
        message = rest;
    }
    Some(())
}

impl<P: Transport, A: Piggyback> Engine for Shard<'_, P, A> {
    fn kind(&self) -> Kind {
        self.plan.kind()
    }

    fn states(&self) -> u64 {
        self.plan.partition.all()
    }

    fn bytes(&self, level: u32) -> u64 {
        self.plan.bytes(self.supersteps.index(), level)
    }

    fn seed(
        &mut self,
        pending: &mut PendingEvents,
        _: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        let tally: Tally = self.parts.iter_mut().map(|part| self.game.seed(part, pending)).sum();
        self.frontier = tally.total();
        Ok(tally)
    }

    fn settle(
        &mut self,
        level: u32,
        pending: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        self.parts.iter_mut().for_each(|part| part.begin(level));
        let mut done = vec![false; self.parts.len()];
        loop {
            let mut away = 0;
            while away < self.plan.bounds.superstep_updates && done.contains(&false) {
                self.sweep(&mut done);
                self.read_updates(None)?;
                away += self.hand_out();
            }
            self.send_messages();
            watch.tell(0)?;
            let all_done = self.read_updates(Some(&[u8::from(!done.contains(&false))]))?;
            self.hand_out();
            if all_done.into_iter().all(|done| done) {
                break;
            }
        }
        let ended = self.parts.iter_mut().map(|part| part.end(pending));
        let tally: Tally = ended.sum();
        self.frontier = tally.total();
        Ok(tally)
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.parts.iter().try_for_each(|part| part.write(to))
    }

    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        // The next level may sweep any number of states.
        self.frontier = u64::MAX;
        self.parts.iter_mut().map(|part| part.read(level, from)).sum::<Result<_, _>>().map(Some)
    }

    fn add_up(&mut self, own: Sums) -> Result<Sums, SolveError> {
        self.sums.add_up(&mut self.supersteps, own, |_| {})
    }
}
