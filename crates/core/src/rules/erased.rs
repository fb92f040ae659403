//! A game by dynamic dispatch, for code that is rarely run. Such code is compiled once, and not for each game.

use std::ops::{ControlFlow, Range};

use super::game::{Game, Predecessors, Prefetch, Status};
use super::value::Value;

/// What [`Game::classify`] calls.
type ClassVisit<'f> = dyn FnMut(u64, Status, u32, &[Value]) + 'f;

/// What [`Game::successors`] calls.
type Stoppable<'f> = dyn FnMut(u64) -> ControlFlow<()> + 'f;

/// The methods of a game, with closures by dynamic dispatch.
pub(crate) trait Erased: Sync {
    fn states(&self) -> u64;
    fn status(&self, state: u64) -> Status;
    fn successors(&self, state: u64, visit: &mut Stoppable<'_>) -> ControlFlow<()>;
    fn exits(&self, state: u64, visit: &mut dyn FnMut(Value));
    fn degree(&self, state: u64) -> u32;
    fn classify(&self, states: Range<u64>, visit: &mut ClassVisit<'_>);
    fn invalid_states(&self, word: u64) -> u64;
    fn degree_max(&self) -> Option<u32>;
    fn stuck(&self) -> Value;
    fn keeps_turn(&self, from: u64, to: u64) -> bool;
    fn predecessors(&self, state: u64, visit: &mut dyn FnMut(u64));
    fn predecessors_of_each(&self, first: u64, set: u64, visit: &mut dyn FnMut(u64, u64));
}

impl<G: Predecessors> Erased for G {
    fn states(&self) -> u64 {
        Game::states(self)
    }

    fn status(&self, state: u64) -> Status {
        Game::status(self, state)
    }

    fn successors(&self, state: u64, visit: &mut Stoppable<'_>) -> ControlFlow<()> {
        Game::successors(self, state, visit)
    }

    fn exits(&self, state: u64, visit: &mut dyn FnMut(Value)) {
        Game::exits(self, state, visit);
    }

    fn degree(&self, state: u64) -> u32 {
        Game::degree(self, state)
    }

    fn classify(&self, states: Range<u64>, visit: &mut ClassVisit<'_>) {
        Game::classify(self, states, visit);
    }

    fn invalid_states(&self, word: u64) -> u64 {
        Game::invalid_states(self, word)
    }

    fn degree_max(&self) -> Option<u32> {
        Game::degree_max(self)
    }

    fn stuck(&self) -> Value {
        Game::stuck(self)
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        Game::keeps_turn(self, from, to)
    }

    fn predecessors(&self, state: u64, visit: &mut dyn FnMut(u64)) {
        Predecessors::predecessors(self, state, visit);
    }

    fn predecessors_of_each(&self, first: u64, set: u64, visit: &mut dyn FnMut(u64, u64)) {
        Predecessors::predecessors_of_each(self, first, set, visit);
    }
}

/// A game of any type.
pub(crate) struct ErasedGame<'g>(pub(crate) &'g dyn Erased);

impl Game for ErasedGame<'_> {
    fn states(&self) -> u64 {
        self.0.states()
    }

    fn status(&self, state: u64) -> Status {
        self.0.status(state)
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.successors(state, &mut visit)
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        self.0.exits(state, &mut visit);
    }

    fn degree(&self, state: u64) -> u32 {
        self.0.degree(state)
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.0.classify(states, &mut visit);
    }

    fn invalid_states(&self, word: u64) -> u64 {
        self.0.invalid_states(word)
    }

    fn degree_max(&self) -> Option<u32> {
        self.0.degree_max()
    }

    fn stuck(&self) -> Value {
        self.0.stuck()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.0.keeps_turn(from, to)
    }
}

impl Predecessors for ErasedGame<'_> {
    fn prefetch(&self) -> Prefetch {
        Prefetch::None
    }

    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.0.predecessors(state, &mut visit);
    }

    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        self.0.predecessors_of_each(first, set, &mut visit);
    }
}
