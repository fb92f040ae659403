//! A game of any type behind a pointer. Code that takes one is compiled once, and not for each game.
//!
//! A dynamic call takes longer than most moves. So moves come in groups: a game fills an array, and passes it on when it is full.

use std::ops::{ControlFlow, Range};

use super::game::{Flow, Game, Predecessors, Prefetch, Status};
use super::value::Value;
use super::words::{BitParallel, WordKeys};
use crate::forward;

/// How many moves come with a call. With fewer there are more calls. With more, it takes longer to begin a state of few moves.
const GROUP: usize = 16;

/// What [`Game::classify`] calls.
type ClassVisit<'f> = dyn FnMut(u64, Status, u32, &[Value]) + 'f;

/// What [`Game::successors`] calls.
type Stoppable<'f> = dyn FnMut(u64) -> ControlFlow<()> + 'f;

/// What takes a group of moves.
type GroupVisit<'f, T> = dyn FnMut(&[T]) + 'f;

/// The methods of a game, with closures by dynamic dispatch.
trait Untyped: Sync {
    fn states(&self) -> u64;
    fn status(&self, state: u64) -> Status;
    fn successors(&self, state: u64, visit: &mut Stoppable<'_>) -> ControlFlow<()>;
    fn each_successor(&self, state: u64, visit: &mut GroupVisit<'_, u64>);
    fn exits(&self, state: u64, visit: &mut dyn FnMut(Value));
    fn degree(&self, state: u64) -> u32;
    fn classify(&self, states: Range<u64>, visit: &mut ClassVisit<'_>);
    fn invalid_states(&self, word: u64) -> u64;
    fn degree_max(&self) -> Option<u32>;
    fn stuck(&self) -> Value;
    fn keeps_turn(&self, from: u64, to: u64) -> bool;
    fn prefetch(&self) -> Prefetch;
    fn predecessors(&self, state: u64, visit: &mut GroupVisit<'_, u64>);
    fn predecessors_of_each(&self, first: u64, set: u64, visit: &mut GroupVisit<'_, (u64, u64)>);
    fn audit_all(&self, tell: &mut dyn FnMut(u64, u64) -> Flow) -> Option<u64>;
}

/// Collects moves, and passes them on in groups.
struct Groups<'f, T> {
    moves: [T; GROUP],
    len: usize,
    visit: &'f mut GroupVisit<'f, T>,
}

impl<'f, T: Copy + Default> Groups<'f, T> {
    #[inline(always)]
    fn new(visit: &'f mut GroupVisit<'f, T>) -> Self {
        Groups { moves: [T::default(); GROUP], len: 0, visit }
    }

    #[inline(always)]
    fn push(&mut self, one: T) {
        self.moves[self.len % GROUP] = one;
        self.len += 1;
        if self.len == GROUP {
            (self.visit)(&self.moves);
            self.len = 0;
        }
    }

    #[inline(always)]
    fn finish(self) {
        if self.len > 0 {
            (self.visit)(&self.moves[..self.len]);
        }
    }
}

impl<G: Predecessors> Untyped for G {
    fn states(&self) -> u64 {
        Game::states(self)
    }

    fn status(&self, state: u64) -> Status {
        Game::status(self, state)
    }

    fn successors(&self, state: u64, visit: &mut Stoppable<'_>) -> ControlFlow<()> {
        Game::successors(self, state, visit)
    }

    fn each_successor(&self, state: u64, visit: &mut GroupVisit<'_, u64>) {
        let mut groups = Groups::new(visit);
        Game::each_successor(self, state, |to| groups.push(to));
        groups.finish();
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

    fn prefetch(&self) -> Prefetch {
        Predecessors::prefetch(self)
    }

    fn predecessors(&self, state: u64, visit: &mut GroupVisit<'_, u64>) {
        let mut groups = Groups::new(visit);
        Predecessors::predecessors(self, state, |from| groups.push(from));
        groups.finish();
    }

    fn predecessors_of_each(&self, first: u64, set: u64, visit: &mut GroupVisit<'_, (u64, u64)>) {
        let mut groups = Groups::new(visit);
        Predecessors::predecessors_of_each(self, first, set, |state, from| {
            groups.push((state, from));
        });
        groups.finish();
    }

    fn audit_all(&self, tell: &mut dyn FnMut(u64, u64) -> Flow) -> Option<u64> {
        Predecessors::audit_all(self, tell)
    }
}

/// A game of any type. Solve it like any game. If a program has many games, it compiles the solver only once.
///
/// The solve takes a little longer if a move takes only a few nanoseconds.
///
/// ```
/// use retrograde::adapters::{AnyRules, Explicit};
/// use retrograde::solve;
///
/// let (path, fork) = (Explicit::from_edges(3, [(0, 1), (1, 2)]), Explicit::from_edges(3, [(0, 1), (0, 2)]));
/// for game in [AnyRules::of(&path), AnyRules::of(&fork)] {
///     println!("{:?}", solve(&game).counts());
/// }
/// ```
#[derive(Clone, Copy)]
pub struct AnyRules<'g>(&'g dyn Untyped);

impl<'g> AnyRules<'g> {
    /// A game without its type.
    pub fn of(game: &'g impl Predecessors) -> AnyRules<'g> {
        AnyRules(game)
    }
}

impl Game for AnyRules<'_> {
    forward!(Game for this => this.0; but successors exits classify);

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.successors(state, &mut visit)
    }

    fn each_successor(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.0.each_successor(state, &mut |group| group.iter().for_each(|&to| visit(to)));
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        self.0.exits(state, &mut visit);
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.0.classify(states, &mut visit);
    }
}

impl Predecessors for AnyRules<'_> {
    forward!(Predecessors for this => this.0; but predecessors predecessors_of_each);

    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.0.predecessors(state, &mut |group| group.iter().for_each(|&from| visit(from)));
    }

    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        self.0.predecessors_of_each(first, set, &mut |group| {
            group.iter().for_each(|&(state, from)| visit(state, from));
        });
    }

    /// The audit of the game inside says all of this one.
    fn audit_all(&self, tell: &mut dyn FnMut(u64, u64) -> Flow) -> Option<u64> {
        self.0.audit_all(tell)
    }
}

/// Words are found state by state. This takes a third of the memory of a solve in memory by states, and at worst five times as
/// long (`benches/record/beyond-memory-2026-11-30.md`).
impl BitParallel for AnyRules<'_> {
    const BY_STATE: bool = true;
}

impl WordKeys for AnyRules<'_> {}
