//! Games with many levels, or many moves a state, whose solution is a formula.

use std::ops::ControlFlow;

use retrograde::bit_parallel::{BitParallel, WordKeys};
use retrograde::{Game, Predecessors, Status, Value};

/// A walk from state `n` down to state 0, one step a move. The player who moves last wins. It has `n` levels.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// How many states.
    pub states: u64,
}

impl Chain {
    /// The value of each state.
    pub fn value(self, state: u64) -> Value {
        if state.is_multiple_of(2) { Value::Loss(state as u32) } else { Value::Win(state as u32) }
    }
}

impl Game for Chain {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, _state: u64) -> Status {
        Status::Open
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        state.checked_sub(1).into_iter().try_for_each(visit)
    }

    fn degree_max(&self) -> Option<u32> {
        Some(1)
    }
}

impl Predecessors for Chain {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        if state + 1 < self.states {
            visit(state + 1);
        }
    }
}

impl BitParallel for Chain {}

impl WordKeys for Chain {}

/// A [`Chain`], and *hubs* above it. The `degree` moves of a hub go to the won states of the chain in turn,
/// from the shortest win on. So the hub loses one ply after the longest win that it reaches. Every second hub
/// has one more move, to itself, and is drawn. Degrees and levels are independent, so tests can try every way
/// in which a counter and a distance share a byte.
#[derive(Clone, Copy, Debug)]
pub struct Hubs {
    /// How many states the chain has, at least 2.
    pub chain: u64,
    /// How many moves each hub has into the chain.
    pub degree: u64,
    /// How many hubs there are. Every second one, starting with the second, is drawn.
    pub hubs: u64,
}

impl Hubs {
    /// The value of each state.
    pub fn value(self, state: u64) -> Value {
        let wins = self.chain / 2;
        match state.checked_sub(self.chain) {
            None => Chain { states: self.chain }.value(state),
            Some(hub) if hub % 2 == 1 => Value::Draw,
            Some(_) => Value::Loss(self.degree.min(wins) as u32 * 2),
        }
    }
}

impl Game for Hubs {
    fn states(&self) -> u64 {
        self.chain + self.hubs
    }

    fn status(&self, _state: u64) -> Status {
        Status::Open
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(hub) = state.checked_sub(self.chain) else {
            return Chain { states: self.chain }.successors(state, visit);
        };
        for index in 0..self.degree {
            visit(index % (self.chain / 2) * 2 + 1)?;
        }
        if hub % 2 == 1 { visit(state) } else { ControlFlow::Continue(()) }
    }
}

impl Predecessors for Hubs {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        if let Some(hub) = state.checked_sub(self.chain) {
            if hub % 2 == 1 {
                visit(state);
            }
            return;
        }
        Chain { states: self.chain }.predecessors(state, &mut visit);
        if state % 2 == 1 {
            let (wins, place) = (self.chain / 2, state / 2);
            for _ in 0..self.degree / wins + u64::from(place < self.degree % wins) {
                (self.chain..self.states()).for_each(&mut visit);
            }
        }
    }
}

impl BitParallel for Hubs {}

impl WordKeys for Hubs {}
