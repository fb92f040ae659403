//! A game whose states lie far apart among invalid ones. So even the smallest game reaches many parts of the
//! arrays.

use std::ops::ControlFlow;

use retrograde::bit_parallel::{BitParallel, WordKeys};
use retrograde::{Game, Predecessors, Status, Value};

/// A game in which every `step`-th number is a state.
#[derive(Clone, Debug)]
pub struct Spread<G> {
    /// The game.
    pub game: G,
    /// The distance between neighbouring states.
    pub step: u64,
}

impl<G: Game> Game for Spread<G> {
    fn states(&self) -> u64 {
        self.game.states() * self.step
    }

    fn status(&self, state: u64) -> Status {
        let is_state = state.is_multiple_of(self.step);
        if is_state { self.game.status(state / self.step) } else { Status::Invalid }
    }

    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        self.game.exits(state / self.step, visit);
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game.successors(state / self.step, |to| visit(to * self.step))
    }

    fn degree_max(&self) -> Option<u32> {
        self.game.degree_max()
    }

    fn stuck(&self) -> Value {
        self.game.stuck()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.game.keeps_turn(from / self.step, to / self.step)
    }
}

impl<G: Predecessors> Predecessors for Spread<G> {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.game.predecessors(state / self.step, |from| visit(from * self.step));
    }
}

/// Uses the default methods for words.
impl<G: Predecessors> BitParallel for Spread<G> {}

impl<G: Predecessors> WordKeys for Spread<G> {}
