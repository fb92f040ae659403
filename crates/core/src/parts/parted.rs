//! A game as a trait object, for parts.

use super::{Outboxes, Part, Partition, PendingEvents, Tally};
use crate::rules::{Predecessors, Status};

/// A game as a trait object. Code that uses it compiles once for all games. A dynamic call does a whole
/// sweep, and all calls within the sweep are static.
pub trait Parted: Sync {
    /// As [`Partition::new`].
    fn partition(&self, part_states: u64, distances: bool) -> Partition;

    /// Visits the states with a move into `state`, which a sweep would update. If `state` is invalid, visits
    /// none.
    fn backward_moves(&self, state: u64, visit: &mut dyn FnMut(u64));

    /// As [`Part::seed`].
    fn seed(&self, part: &mut Part, pending: &mut PendingEvents) -> Tally;

    /// As [`Part::sweep`].
    fn sweep(&self, part: &mut Part, updates: &mut Outboxes) -> bool;
}

impl<G: Predecessors> Parted for G {
    fn partition(&self, part_states: u64, distances: bool) -> Partition {
        Partition::new(self, part_states, distances)
    }

    fn backward_moves(&self, state: u64, visit: &mut dyn FnMut(u64)) {
        if self.status(state) != Status::Invalid {
            self.predecessors(state, visit);
        }
    }

    fn seed(&self, part: &mut Part, pending: &mut PendingEvents) -> Tally {
        part.seed(self, pending)
    }

    fn sweep(&self, part: &mut Part, updates: &mut Outboxes) -> bool {
        part.sweep(self, updates)
    }
}
