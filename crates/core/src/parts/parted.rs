//! What parts ask of their game, behind a table of functions.

use super::{Outboxes, Part, Partition, PendingEvents, Tally};
use crate::rules::{Predecessors, Status};

/// A game behind a table of functions. Code that takes it is compiled once for all games. The moves inside
/// have static dispatch as usual; one call through the table is a whole sweep.
pub trait Parted: Sync {
    /// As [`Partition::new`].
    fn partition(&self, part_states: u64, distances: bool) -> Partition;

    /// Visits the states with a move into a state, if that is not invalid: where a sweep would post visits to.
    fn backward_moves(&self, state: u64, visit: &mut dyn FnMut(u64));

    /// Visits the states that moves of a state lead to, if it is open.
    fn moves(&self, state: u64, visit: &mut dyn FnMut(u64));

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

    fn moves(&self, state: u64, visit: &mut dyn FnMut(u64)) {
        if self.status(state) == Status::Open {
            self.successors(state, visit);
        }
    }

    fn seed(&self, part: &mut Part, pending: &mut PendingEvents) -> Tally {
        part.seed(self, pending)
    }

    fn sweep(&self, part: &mut Part, updates: &mut Outboxes) -> bool {
        part.sweep(self, updates)
    }
}
