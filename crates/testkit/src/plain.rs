//! A game stored in plain vectors, state by state and move by move.
//!
//! It is strict: if a caller asks for the moves of a state that is not open, it breaks the contract of
//! [`Game`], and this game panics.

use retrograde::bit_parallel::{BitParallel, WordKeys};
use retrograde::{Game, Predecessors, Status, Value};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// A stored game. To break the game, a test may edit its fields, for example `moves` without
/// `backward_moves`.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    /// The status of each state.
    pub statuses: Vec<Status>,
    /// For each state, the values of its exits.
    pub exits: Vec<Vec<Value>>,
    /// For each state, the states its moves lead to. Parallel moves are repeated.
    pub moves: Vec<Vec<u64>>,
    /// For each state, the states with a move into it.
    pub backward_moves: Vec<Vec<u64>>,
    /// The moves that keep the turn.
    pub kept: HashSet<(u64, u64)>,
    /// The largest degree that the game claims.
    pub degree_max: Option<u32>,
    /// The value for a player who cannot move. `None` keeps the default of [`Game`].
    pub stuck: Option<Value>,
}

impl Plain {
    /// A game of these states, without moves.
    pub fn new(statuses: Vec<Status>) -> Self {
        let states = statuses.len();
        Plain {
            statuses,
            exits: vec![Vec::new(); states],
            moves: vec![Vec::new(); states],
            backward_moves: vec![Vec::new(); states],
            ..Plain::default()
        }
    }

    /// A game of `states` open states, without moves.
    pub fn open(states: u64) -> Self {
        Plain::new(vec![Status::Open; states as usize])
    }

    /// Adds a move and its backward move.
    pub fn connect(&mut self, from: u64, to: u64) {
        self.moves[from as usize].push(to);
        self.backward_moves[to as usize].push(from);
    }

    /// The states whose status satisfies `test`.
    pub fn states_where(&self, test: impl Fn(Status) -> bool) -> Vec<u64> {
        (0..self.states()).filter(|state| test(self.statuses[*state as usize])).collect()
    }

    /// The largest number of moves any state has.
    pub fn degree_largest(&self) -> u32 {
        self.moves.iter().map(Vec::len).max().unwrap_or(0) as u32
    }
}

impl Game for Plain {
    fn states(&self) -> u64 {
        self.statuses.len() as u64
    }

    fn status(&self, state: u64) -> Status {
        self.statuses[state as usize]
    }

    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        assert_eq!(self.statuses[state as usize], Status::Open, "state {state} has no exits");
        self.exits[state as usize].iter().copied().for_each(visit);
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        assert_eq!(
            self.statuses[state as usize],
            Status::Open,
            "asked for the moves of state {state}"
        );
        self.moves[state as usize].iter().copied().try_for_each(visit)
    }

    fn degree(&self, state: u64) -> u32 {
        assert_eq!(
            self.statuses[state as usize],
            Status::Open,
            "asked for the degree of state {state}"
        );
        self.moves[state as usize].len() as u32
    }

    fn degree_max(&self) -> Option<u32> {
        self.degree_max
    }

    fn stuck(&self) -> Value {
        self.stuck.unwrap_or(Value::Loss(0))
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        !self.kept.is_empty() && self.kept.contains(&(from, to))
    }
}

impl Predecessors for Plain {
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        assert_ne!(
            self.statuses[state as usize],
            Status::Invalid,
            "asked for the predecessors of state {state}"
        );
        self.backward_moves[state as usize].iter().copied().for_each(visit);
    }
}

/// Uses the default methods for words.
impl BitParallel for Plain {}

impl WordKeys for Plain {}
