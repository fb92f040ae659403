//! Chooses the partition of a game for a memory limit.

use retrograde::internal::Thresholds;
use retrograde::parts::Partition;

use crate::error::DiskError;

/// The most parts. The memory for lists of parts and of updates must stay small.
const PARTS_MAX: u64 = 1 << 12;
/// So many parts should fit in memory, or all of them: a pass leaves out parts that have nothing to do. With more parts, more
/// moves lead from part to part.
const SLOTS: usize = 16;
/// The memory that every solve takes: buffers of threads, and lists of parts.
const BASE: u64 = 12 << 20;

/// How a solve will work.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many parts there are.
    pub parts: usize,
    /// How many states each part has.
    pub part_states: u64,
    /// How many parts are in memory at a time.
    pub slots: usize,
    /// How many bytes all parts take before packing. A pass is one level. It reads and writes at most the parts that are not
    /// in memory.
    pub bytes: u64,
}

/// How much memory there is, and for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) memory: u64,
    pub(crate) threads: usize,
    /// The memory for the exits of all parts.
    pub(crate) exits: u64,
    /// For tests: this number of parts is in memory, without a memory limit.
    pub(crate) slots: Option<usize>,
}

/// Parts are larger if distances are longer. A plan assumes distances that need a second digit, as most large
/// games have. With a third digit, parts are larger again, and fewer are in memory.
const FAR: u32 = 1 << 12;

/// The longest frontier of a part that the engine keeps as a queue. It takes a small share of the memory of
/// the part.
pub(crate) fn queue_max(part_states: u64) -> usize {
    (part_states / 256).clamp(64, 1 << 13) as usize
}

/// The partition with the thresholds of this engine.
pub(crate) fn in_use(partition: Partition) -> Partition {
    let queue_max = queue_max(partition.part_states());
    partition.thresholds(Thresholds { queue_max, ..Thresholds::default() })
}

impl Budget {
    /// The memory for updates.
    pub(crate) fn updates(&self) -> usize {
        (self.memory / 8) as usize
    }

    /// How many parts fit in memory, when states settle at a level.
    pub(crate) fn slots(&self, partition: &Partition, level: u32) -> usize {
        if let Some(slots) = self.slots {
            return slots.max(1);
        }
        (self.for_parts() / self.part_bytes(partition, level)) as usize
    }

    /// The least number of parts in memory: each thread works on one, and one stays.
    fn slots_min(&self) -> usize {
        self.threads + 2
    }

    fn for_parts(&self) -> u64 {
        let threads = 2 * self.threads as u64 * (1 << 20);
        self.memory.saturating_sub(BASE + threads + self.updates() as u64)
    }

    /// The memory of one part, including its frontier and the page granularity of the system. Some parts have
    /// more exits than others.
    fn part_bytes(&self, partition: &Partition, level: u32) -> u64 {
        let bytes = partition.bytes(0, level);
        let queues = 16 * queue_max(partition.part_states()) as u64;
        let exits = 2 * (self.exits / partition.parts().max(1) as u64);
        bytes + bytes / 32 + queues + exits + (4 << 10)
    }

    /// The partition with the fewest parts that has one for each thread, and enough in memory.
    pub(crate) fn choose(&self, partition: Partition) -> Result<Partition, DiskError> {
        let finest = partition.parts_of(partition.all().div_ceil(PARTS_MAX));
        let slots = |partition: &Partition| self.slots(partition, FAR);
        if slots(&finest) < self.slots_min().min(finest.parts()) {
            let parts = self.slots_min() as u64 * self.part_bytes(&finest, FAR);
            let needed = (parts + BASE + 2 * self.threads as u64 * (1 << 20)) * 8 / 7;
            return Err(DiskError::Memory { needed, limit: self.memory });
        }
        let larger = |partition: &Partition| {
            Some(partition.parts_of(2 * partition.part_states()))
                .filter(|larger| larger.parts() < partition.parts())
        };
        let enough = |partition: &Partition| {
            let slots_min = SLOTS.max(self.slots_min()).min(partition.parts());
            partition.parts() >= self.threads && slots(partition) >= slots_min
        };
        let all = std::iter::successors(Some(finest), larger);
        Ok(in_use(all.take_while(enough).last().unwrap_or(finest)))
    }

    /// The description of a partition.
    pub(crate) fn plan(&self, partition: &Partition) -> Plan {
        Plan {
            parts: partition.parts(),
            part_states: partition.part_states(),
            slots: self.slots(partition, FAR).min(partition.parts()),
            bytes: (0..partition.parts()).map(|part| partition.bytes(part, 0)).sum(),
        }
    }
}
