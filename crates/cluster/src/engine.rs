//! The engine of one rank: its parts, and the updates for other ranks.
//!
//! ```text
//! for each level:
//!     begin it in all own parts
//!     until all ranks have swept all their parts, in supersteps:
//!         while the buffers of the superstep have room:
//!             each thread: sweep own parts until its outboxes are full
//!             each thread: apply updates for own parts
//!             add the updates for parts of other ranks to the buffers
//!         exchange the buffers, and whether own parts are swept; apply the received updates
//!     end it in all own parts
//! add up the settled states of all ranks
//! ```
//!
//! The engine uses its game as a trait object. So the engine compiles once for all games.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use retrograde::bit_parallel::{LogError, WordSolution};
use retrograde::internal::Thresholds;
use retrograde::internal::threads;
use retrograde::parts::{
    Engine, Kind, Outboxes, Part, Parted, Partition, PendingEvents, Sums, Tally, UpdateSink, Watch,
};
use retrograde::{Code, Counts, Probe, SolveError, Value};

use crate::block_partition::BlockPartition;
use crate::keep::Keeper;
use crate::level_sums::LevelSums;
use crate::transport::{Supersteps, outside};

/// The name of the engine, and the version of its snapshots.
const KIND: [u8; 8] = *b"shard  3";

/// Limits for data that waits in a rank, or is on its way to another.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// About how many bytes a rank sends in a superstep, and about how many it receives.
    pub superstep_bytes: usize,
    /// With fewer states or updates than this, one thread is done before several have started.
    pub parallel: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { superstep_bytes: 4 << 20, parallel: 1 << 12 }
    }
}

impl Bounds {
    /// The limits for a rank with `states` states, which may take so many bytes of memory. The buffers take a small part of
    /// it, and no more than about the states.
    pub fn within(memory: Option<u64>, states: u64) -> Bounds {
        /// With less, a level takes many supersteps.
        const LEAST: u64 = 1 << 16;
        let usual = Bounds::default();
        let most = memory.map_or(u64::MAX, |memory| memory / 64).min(states / 4).max(LEAST);
        Bounds { superstep_bytes: usual.superstep_bytes.min(most as usize), ..usual }
    }

    /// All limits have their least value. A superstep carries one update to each rank.
    #[doc(hidden)]
    pub fn least() -> Bounds {
        Bounds { superstep_bytes: 1, parallel: 0 }
    }

    /// How many updates a thread collects before it adds them to the buffers. All threads together collect at most as
    /// many as a buffer may have.
    fn outbox_updates(&self, ranks: usize, threads: usize) -> usize {
        (self.superstep_bytes / ranks / size_of::<u32>() / threads).clamp(1, 1 << 15)
    }

    /// How many bytes one rank needs for updates: in its outboxes, and in the buffers that it sends and receives. Outboxes
    /// may fill a buffer twice.
    fn bytes(&self, ranks: usize, threads: usize) -> u64 {
        let outboxes = threads * self.outbox_updates(ranks, threads) * size_of::<u32>();
        4 * self.superstep_bytes as u64 + (OUTBOX_MEMORY * outboxes) as u64
    }
}

/// How much more memory outboxes keep than the updates take that may wait. A box has room for up to twice the updates that it
/// has had at once.
const OUTBOX_MEMORY: usize = 4;

/// The engine of one rank, with the parts of this rank. It is not a shard of the bit-parallel engine.
pub struct Shard<'a> {
    game: &'a dyn Parted,
    plan: Plan,
    supersteps: Supersteps<'a>,
    sums: LevelSums,
    /// The parts of this rank: each is one of its blocks.
    parts: Vec<Part>,
    /// The updates of each thread.
    updates: Vec<Outboxes>,
    /// How many states settled at the level before, in this rank.
    frontier: u64,
}

/// How a game is partitioned and solved. All ranks must agree on it.
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

    /// The number of threads of each rank, by default one. They are those of rayon's current pool.
    #[must_use]
    pub fn threads(self, threads: usize) -> Plan {
        Plan { threads: threads.max(1), ..self }
    }

    /// The limits for data on its way.
    #[must_use]
    pub fn bounds(self, bounds: Bounds) -> Plan {
        Plan { bounds, ..self }
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

    /// How the snapshots of the ranks begin.
    pub(crate) fn kind(&self) -> Kind {
        self.partition.kind(KIND)
    }

    /// How many bytes a rank may send in a superstep.
    pub fn superstep_bytes(&self) -> usize {
        self.bounds.superstep_bytes
    }

    /// How many bytes a rank takes, when states settle at `level`.
    pub fn bytes(&self, rank: usize, level: u32) -> u64 {
        let Plan { block_partition, partition, bounds, threads } = self;
        let parts = block_partition.own(rank).map(|part| partition.bytes(part as usize, level));
        // Each thread has a list of updates for each part of all ranks.
        let lists = threads * partition.parts() * size_of::<Vec<u32>>();
        let updates = bounds.bytes(block_partition.ranks(), *threads);
        parts.sum::<u64>() + lists as u64 + updates
    }
}

/// The values of the states of a rank, in its parts.
#[derive(Clone, Copy)]
pub struct ShardValues<'s> {
    block_partition: BlockPartition,
    parts: &'s [Part],
}

/// The values of the states of one rank. If it keeps distances on disk, it may fail to read them.
pub trait OwnValues: Sync {
    /// The value of a state of this rank.
    fn value(&self, state: u64) -> Result<Option<Value>, LogError>;

    /// Writes the codes of the states from `first` on. All these states belong to one block of this rank.
    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), LogError>;

    /// How many of these states have each value. They belong to one block of this rank.
    fn count(&self, states: Range<u64>) -> Result<Counts, LogError>;
}

/// All states of a game, as one rank knows them: those of other ranks look invalid.
pub(crate) struct RankValues<'v> {
    pub(crate) own: &'v dyn OwnValues,
    pub(crate) rank: usize,
    pub(crate) block_partition: BlockPartition,
    pub(crate) distances: bool,
}

impl Probe for RankValues<'_> {
    type Error = LogError;

    fn states(&self) -> u64 {
        self.block_partition.states()
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, LogError> {
        let partition = &self.block_partition;
        match partition.rank_of(state / partition.block_states()) == self.rank {
            true => self.own.value(state),
            false => Ok(None),
        }
    }

    fn fill_codes(&self, first: u64, mut codes: &mut [Code]) -> Result<(), LogError> {
        for (rank, run) in self.block_partition.runs(first..first + codes.len() as u64) {
            let (now, rest) = codes.split_at_mut((run.end - run.start) as usize);
            match rank == self.rank {
                true => self.own.fill_codes(run.start, now)?,
                false => now.fill(Code::INVALID),
            }
            codes = rest;
        }
        Ok(())
    }
}

impl OwnValues for WordSolution {
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
        &self.parts[(block / self.block_partition.ranks() as u64) as usize]
    }
}

impl<'a> Shard<'a> {
    /// The engine of this rank.
    pub fn new(
        game: &'a dyn Parted,
        plan: &Plan,
        supersteps: Supersteps<'a>,
        keeper: Option<Keeper>,
    ) -> Shard<'a> {
        let Plan { block_partition, partition, bounds, threads } = plan;
        let own = block_partition.own(supersteps.rank());
        let outbox_updates = bounds.outbox_updates(supersteps.ranks(), *threads);
        Shard {
            game,
            plan: *plan,
            sums: LevelSums::new(keeper),
            parts: own.map(|part| partition.part(part as usize)).collect(),
            updates: (0..*threads).map(|_| partition.outboxes(outbox_updates)).collect(),
            frontier: 0,
            supersteps,
        }
    }

    /// The values of the states of this rank. After the solve, the caller can use the supersteps to exchange them.
    pub fn values(&mut self) -> (ShardValues<'_>, &mut Supersteps<'a>) {
        let Shard { plan, parts, supersteps, .. } = self;
        (ShardValues { block_partition: plan.block_partition, parts }, supersteps)
    }

    /// How many bytes of updates this rank has sent.
    pub fn sent_bytes(&self) -> u64 {
        self.supersteps.sent_bytes()
    }

    /// Estimates the share of the time in which a rank works, on average over all ranks. It ignores the
    /// time for messages. It is 1 if the ranks share each level evenly.
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
        match &mut updates[..] {
            [outboxes, ..] if *frontier < plan.bounds.parallel as u64 => sweep(0, outboxes),
            [outboxes] => sweep(0, outboxes),
            outboxes => threads::each_of(outboxes, sweep),
        }
    }

    /// Applies all updates that wait for parts of this rank, and adds all others to the buffers of the superstep.
    fn hand_out(&mut self) {
        let Shard { parts, updates, supersteps, plan, .. } = self;
        let (own, ranks) = (supersteps.rank(), supersteps.ranks());
        let deliver = |number: usize, part: &mut Part| {
            // Every rank numbers its own parts from 0.
            let part_of_all = own + number * ranks;
            let updates = updates.iter().map(|outboxes| outboxes.of(part_of_all));
            let updates = updates.filter(|updates| !updates.is_empty());
            updates.for_each(|updates| part.deliver(updates.iter().copied()));
        };
        let waiting: usize = updates.iter().map(Outboxes::len).sum();
        if plan.threads > 1 && waiting >= plan.bounds.parallel {
            threads::each_of(parts, deliver);
        } else if waiting > 0 {
            parts.iter_mut().enumerate().for_each(|(number, part)| deliver(number, part));
        }
        let updates_max = OUTBOX_MEMORY * plan.bounds.outbox_updates(ranks, plan.threads);
        for outboxes in updates {
            outboxes.drain(|to, updates| {
                if to % ranks != own {
                    write_updates(supersteps.buffer(to % ranks), to / ranks, updates);
                }
            });
            outboxes.trim(updates_max);
        }
    }

    /// Ends the superstep, and applies the updates of other ranks. Says whether all own parts are swept, and returns
    /// whether those of all ranks are.
    fn end_superstep(&mut self, done: bool) -> Result<bool, SolveError> {
        let Shard { parts, supersteps, plan, .. } = self;
        let several = plan.threads > 1;
        let mut torn = false;
        let said = supersteps.end(&[u8::from(done)], |buffer: &[u8]| {
            let is_parallel = several && buffer.len() / size_of::<u32>() >= plan.bounds.parallel;
            torn |= deliver_received(parts, buffer, is_parallel).is_none();
        })?;
        if torn {
            return Err(outside("a buffer of updates makes no sense".to_owned()));
        }
        Ok(said.iter().all(|said| said.first() == Some(&1)))
    }
}

/// Writes updates for a part of another rank: the part, the number of updates, the updates.
fn write_updates(buffer: &mut Vec<u8>, part: usize, updates: &[u32]) {
    buffer.reserve(8 + 4 * updates.len());
    buffer.extend((part as u32).to_le_bytes());
    buffer.extend((updates.len() as u32).to_le_bytes());
    let start = buffer.len();
    buffer.resize(start + 4 * updates.len(), 0);
    let (places, _) = buffer[start..].as_chunks_mut::<4>();
    places.iter_mut().zip(updates).for_each(|(place, update)| *place = update.to_le_bytes());
}

/// Updates for one part: its number in this rank, and the updates.
type Run<'b> = (usize, &'b [[u8; 4]]);

/// Applies the updates of a buffer to the parts of this rank. Returns `None` if the buffer makes no sense.
fn deliver_received(parts: &mut [Part], mut buffer: &[u8], is_parallel: bool) -> Option<()> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    while !buffer.is_empty() {
        let (part, rest) = buffer.split_first_chunk()?;
        let (len, rest) = rest.split_first_chunk()?;
        let updates;
        (updates, buffer) = rest.split_at_checked(4 * u32::from_le_bytes(*len) as usize)?;
        runs.push((u32::from_le_bytes(*part) as usize, updates.as_chunks::<4>().0));
    }
    runs.sort_by_key(|(part, _)| *part);
    let (mut work, mut rest, mut before) = (Vec::new(), parts, 0);
    for runs in runs.chunk_by(|(a, _), (b, _)| a == b) {
        let number = runs[0].0;
        let (part, after) = rest.split_at_mut_checked(number - before)?.1.split_first_mut()?;
        work.push((part, runs));
        (rest, before) = (after, number + 1);
    }
    let deliver = |_, (part, runs): &mut (&mut Part, &[Run<'_>])| {
        let updates = runs.iter().flat_map(|(_, updates)| *updates);
        part.deliver(updates.map(|update| u32::from_le_bytes(*update)));
    };
    match is_parallel {
        true => threads::each_of(&mut work, deliver),
        false => work.iter_mut().for_each(|work| deliver(0, work)),
    }
    Some(())
}

impl Engine for Shard<'_> {
    fn kind(&self) -> Kind {
        self.plan.kind()
    }

    fn states(&self) -> u64 {
        self.plan.partition.all()
    }

    fn bytes(&self, level: u32) -> u64 {
        self.plan.bytes(self.supersteps.rank(), level)
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
            while self.supersteps.has_room_for_all() && done.contains(&false) {
                self.sweep(&mut done);
                self.hand_out();
                watch.tell(0)?;
            }
            if self.end_superstep(!done.contains(&false))? {
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
        self.sums.add_up(&mut self.supersteps, own)
    }
}
