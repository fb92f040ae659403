//! Chooses the partition of a game for a memory limit, and computes how many levels a pass takes. This
//! depends on the neighbours of each part, so the plan simulates a pass.

use retrograde::internal::Thresholds;
use retrograde::parts::{Parted, Partition};

use crate::error::DiskError;
use crate::links::{Links, Ranked};
use crate::schedule::rehearse;

/// The most parts, and the most links between them. The memory for links, completed levels and files must
/// stay small.
const PARTS_MAX: u64 = 1 << 12;
const LINKS_MAX: usize = 1 << 18;
/// For how many states of a part the plan asks for the backward moves.
const SAMPLE: u64 = 256;
/// The memory that every solve takes: buffers of threads, and lists of parts.
const BASE: u64 = 12 << 20;
/// The most levels of a pass. A killed solve loses at most this number of levels.
pub(crate) const LEVELS_MAX: u32 = 1 << 12;

/// How a solve will work.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many parts there are.
    pub parts: usize,
    /// How many states each part has.
    pub part_states: u64,
    /// How many parts are in memory at a time.
    pub slots: usize,
    /// How many neighbours a part has on average.
    pub neighbours: f64,
    /// By how many levels a pass advances all parts.
    pub levels_a_pass: u32,
    /// How many bytes all parts take before packing. A pass reads at most this number of bytes, and writes at
    /// most this number.
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

/// Refuses a game whose moves lead to states without predecessors: it would seem to have no neighbours, and a plan would promise too
/// much. A sample of moves is enough to notice that the backward moves are missing.
fn refuse_without_predecessors(game: &dyn Parted, states: u64) -> Result<(), DiskError> {
    for state in (0..states).step_by(states.div_ceil(SAMPLE).max(1) as usize) {
        let mut to = None;
        game.moves(state, &mut |successor| to = Some(successor));
        let Some(to) = to else { continue };
        let mut known = false;
        game.backward_moves(to, &mut |_| known = true);
        if !known {
            return Err(DiskError::NoPredecessors { state, to });
        }
    }
    Ok(())
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

    /// The least number of parts in memory: one is read, one is written, and each thread works on one.
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

    /// How many levels a pass may take with `slots` parts in memory, and the order of parts that allows this.
    /// Some of the slots are for parts that threads read in advance, or still write.
    pub(crate) fn levels(&self, links: &Links, slots: usize) -> (u32, Ranked) {
        let ahead = (slots / 8).max(2).min(slots.saturating_sub(2));
        let room = if links.parts() <= slots { slots } else { slots - ahead };
        let orders = [links.as_numbered(), links.by_layers()];
        let rehearsed = orders.map(|order| (rehearse(&order, room.max(1), LEVELS_MAX), order));
        let [numbered, layers] = rehearsed;
        if layers.0 > numbered.0 { layers } else { numbered }
    }

    /// How many parts a pass has in memory, and how many levels it takes, from a level on. Parts become
    /// larger when distances gain a digit. A pass stops before that, or has fewer parts in memory from its
    /// beginning.
    pub(crate) fn reach(
        &self,
        partition: &Partition,
        links: &Links,
        completed: u32,
    ) -> (usize, u32, Ranked) {
        let slots_to = |levels: u32| self.slots(partition, completed.saturating_add(levels)).max(1);
        let slots = slots_to(1);
        let (levels, order) = self.levels(links, slots);
        if slots_to(levels) == slots {
            return (slots, levels, order);
        }
        let (mut before, mut after) = (1, levels);
        while after - before > 1 {
            let middle = before + (after - before) / 2;
            if slots_to(middle) == slots { before = middle } else { after = middle }
        }
        let fewer = slots_to(levels);
        let (beyond, its_order) = self.levels(links, fewer);
        match beyond.min(levels) {
            beyond if beyond > before => (fewer, beyond, its_order),
            _ => (slots, before, order),
        }
    }

    /// The partition with the fewest parts that allows three quarters of the most levels of a pass, with
    /// short distances and with longer ones. The reason is that each step of a part has a cost.
    pub(crate) fn choose(
        &self,
        game: &dyn Parted,
        distances: bool,
    ) -> Result<(Partition, Links), DiskError> {
        refuse_without_predecessors(game, game.partition(64, distances).all())?;
        let states_max = 1 << 31;
        let mut partition = game.partition(64, distances);
        partition = partition.parts_of(partition.all().div_ceil(PARTS_MAX));
        let finest = loop {
            match Links::sampled(game, &partition, SAMPLE, LINKS_MAX) {
                Some(links) => break links,
                None => partition = partition.parts_of(4 * partition.part_states()),
            }
        };
        let (mut most, mut best) = ([0; 2], None);
        loop {
            let slots = [0, FAR].map(|level| self.slots(&partition, level));
            if slots[1] < self.slots_min() && slots[1] < partition.parts() {
                break;
            }
            let by = finest.parts().div_ceil(partition.parts().max(1)).next_power_of_two();
            let links = finest.merged(by);
            let levels = slots.map(|slots| u64::from(self.levels(&links, slots).0));
            most = [most[0].max(levels[0]), most[1].max(levels[1])];
            if (0..2).all(|at| levels[at] * 4 >= most[at] * 3) {
                best = Some((partition, links));
            }
            if partition.parts() <= 1 || partition.part_states() >= states_max {
                break;
            }
            partition = partition.parts_of(2 * partition.part_states());
        }
        match best {
            Some((partition, links)) => Ok((in_use(partition), links)),
            None => {
                let parts = self.slots_min() as u64 * self.part_bytes(&partition, FAR);
                let needed = (parts + BASE + 2 * self.threads as u64 * (1 << 20)) * 8 / 7;
                Err(DiskError::Memory { needed, limit: self.memory })
            }
        }
    }

    /// The description of a partition.
    pub(crate) fn plan(&self, partition: &Partition, links: &Links) -> Plan {
        let slots = self.slots(partition, FAR).min(partition.parts());
        let neighbours: usize = (0..links.parts()).map(|part| links.of(part).len()).sum();
        Plan {
            parts: partition.parts(),
            part_states: partition.part_states(),
            slots,
            neighbours: neighbours as f64 / links.parts().max(1) as f64,
            levels_a_pass: self.levels(links, slots).0,
            bytes: (0..partition.parts()).map(|part| partition.bytes(part, 0)).sum(),
        }
    }
}
