//! How a game is partitioned. All owners of parts use the same partition.

use std::ops::Range;

use crate::rules::Game;
use crate::scalar::{Outboxes, Part, Scale, Storage, degree_max};
use crate::solve::course::Kind;
use crate::solve::solver::Thresholds;
use crate::threads;

/// How a game is partitioned: runs of states, all of one length except the last.
#[derive(Clone, Copy, Debug)]
pub struct Partition {
    states: u64,
    part_states: u64,
    scale: Scale,
    thresholds: Thresholds,
}

impl Partition {
    /// Partitions a game into parts of `part_states` states, rounded up to a power of two from 64 to 2^31. If
    /// the game does not know its [`degree_max`](Game::degree_max), this asks all states for their degree.
    /// `distances` says whether to keep distances.
    pub fn new(game: &impl Game, part_states: u64, distances: bool) -> Partition {
        let degree_max = degree_max(game, threads::count() > 1);
        Partition {
            states: game.states(),
            part_states: part_states_of(part_states),
            scale: Scale::new(degree_max, distances),
            thresholds: Thresholds::default(),
        }
    }

    /// The same game in parts of `part_states` states, as in [`new`](Partition::new).
    #[must_use]
    pub fn parts_of(self, part_states: u64) -> Partition {
        Partition { part_states: part_states_of(part_states), ..self }
    }

    /// How many states a part has. The last may have fewer.
    pub fn part_states(&self) -> u64 {
        self.part_states
    }

    /// For tests of the engines.
    #[doc(hidden)]
    #[must_use]
    pub fn thresholds(self, thresholds: Thresholds) -> Partition {
        Partition { thresholds, ..self }
    }

    /// How many states there are in all.
    pub fn all(&self) -> u64 {
        self.states
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.states.div_ceil(self.part_states) as usize
    }

    /// The states of a part.
    pub fn states(&self, part: usize) -> Range<u64> {
        let first = part as u64 * self.part_states;
        first.min(self.states)..self.states.min(first + self.part_states)
    }

    /// The part that has a state.
    ///
    /// # Panics
    ///
    /// If there is no such state. Then the backward moves of the game are wrong.
    pub fn part_of(&self, state: u64) -> usize {
        assert!(state < self.states, "the game visits {state}, which is not one of its states");
        (state / self.part_states) as usize
    }

    /// How many bytes a part takes when states settle at `level`, without the queues of its
    /// last and its next frontier, of at most 64 KiB each.
    pub fn bytes(&self, part: usize, level: u32) -> u64 {
        let states = self.states(part);
        Storage::bytes(states.end - states.start, self.scale, level)
    }

    /// A part, which you must seed or read.
    pub fn part(&self, part: usize) -> Part {
        Part::new(self.states(part), self.scale, self.thresholds)
    }

    /// Turns one part of this partition into another, in the same memory. You must seed or read the new part.
    pub fn reuse(&self, memory: &mut Part, part: usize) {
        memory.restart(self.states(part));
    }

    /// Outboxes for a part. The part pauses when `updates_max` updates wait.
    pub fn outboxes(&self, updates_max: usize) -> Outboxes {
        Outboxes::new(self.parts(), self.part_states, updates_max)
    }

    /// The first bytes of the snapshots of an engine with such parts.
    pub fn kind(&self, engine: [u8; 8]) -> Kind {
        self.scale.kind(engine)
    }
}

fn part_states_of(asked: u64) -> u64 {
    asked.clamp(64, 1 << 31).next_power_of_two()
}
