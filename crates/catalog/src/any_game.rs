//! A game behind one trait, so that the program need not know which game it is.

use std::ops::{ControlFlow, Range};

use retrograde::bit_parallel::{LogStore, WindowPlan, WordSolution};
use retrograde::checks::{AuditError, Audited, Auditor, Verified, Verifier, VerifyError};
use retrograde::parts::Parted;
use retrograde::{Counts, Game, Solution, SolveError, Solver, Status, Value};
use retrograde_games::{Banded, Facts, Remark};
use retrograde_positions::AnyStates;
use retrograde_table::TableError;

use crate::values::{Known, Values, ValuesOf};

/// Hears the status, the moves and the exits of many states.
pub(crate) type ClassVisit<'f> = dyn FnMut(u64, Status, u32, &[Value]) + 'f;

/// The engine of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// One state at a time. Every game can be solved in this way.
    Scalar,
    /// 64 states at a time, for games that [have words](AnyGame::has_words).
    BitParallel,
}

/// A game: its positions, its rules for one state at a time, and the work on all states, which is compiled for each game.
pub trait AnyGame: AnyStates {
    /// Its name, and how its states are counted.
    fn facts(&self) -> Facts;

    /// The name of the game.
    fn name(&self) -> &'static str {
        self.facts().name
    }

    /// The sides whose states are counted apart: `["police", "thief"]`, or `["player"]` if states do not tell players apart.
    fn sides(&self) -> &'static [&'static str] {
        self.facts().turns.sides(self.players())
    }

    /// How many states a person would count, including invalid ones.
    fn states_named(&self) -> u64 {
        self.facts().states_named.unwrap_or(self.states())
    }

    /// The start state, if the game has one.
    fn start_state(&self) -> Option<u64> {
        self.start().and_then(|start| self.number(&start).ok())
    }

    /// How many states the numbering has, including invalid ones.
    fn states(&self) -> u64;

    /// The status of a state by the rules: see [`Game::status`].
    fn status(&self, state: u64) -> Status;

    /// The status, the moves and the exits of many states: see [`Game::classify`].
    fn classify(&self, states: Range<u64>, visit: &mut ClassVisit<'_>);

    /// The invalid states of a word: see [`Game::invalid_states`].
    fn invalid_states(&self, word: u64) -> u64;

    /// The values of the exits of a state: see [`Game::exits`].
    fn exits(&self, state: u64, visit: &mut dyn FnMut(Value));

    /// The states that moves lead to from an open state, until `visit` breaks: see [`Game::successors`].
    fn successors(
        &self,
        state: u64,
        visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Whether a move keeps the turn.
    fn keeps_turn(&self, from: u64, to: u64) -> bool;

    /// The most moves of a state, if the rules bound them: see [`Game::degree_max`].
    fn degree_max(&self) -> Option<u32>;

    /// The value for a player who cannot move: see [`Game::stuck`].
    fn stuck(&self) -> Value;

    /// Whether it can be solved 64 states at a time.
    fn has_words(&self) -> bool;

    /// Solves the game. A game without words is always solved one state at a time.
    fn solve(&self, engine: Engine, solver: Solver<'_>) -> Result<Solution, SolveError>;

    /// About how many bytes a solve takes.
    fn memory_needed(&self, engine: Engine, solver: &Solver<'_>) -> u64;

    /// Solves the game with two bits a state, and writes distances to a log in a store. `None` for a game without
    /// words.
    fn solve_logged(
        &self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Option<Result<WordSolution, SolveError>>;

    /// How many bytes of memory such a solve takes.
    fn memory_needed_logged(&self, solver: &Solver<'_>) -> Option<u64>;

    /// How such a solve works if two bits a state exceed memory. `None` if they must be in memory.
    fn plan_window(&self, solver: &Solver<'_>) -> Option<WindowPlan>;

    /// The same game in a numbering with shorter moves, if it has one.
    fn in_bands(&self) -> Option<Banded<Box<dyn AnyGame + '_>>>;

    /// The parts of the game, for a solve on disk or on several processes.
    fn parted(&self) -> &dyn Parted;

    /// Compares moves with backward moves. For a game with words, also compares those of 64 states at a time.
    fn audit(&self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError>;

    /// Checks that every value follows from the values one move later. Leaves the header of a table out.
    fn verify_values(
        &self,
        engine: Engine,
        verifier: Verifier<'_>,
        values: &ValuesOf<'_>,
    ) -> Result<Verified, VerifyError<TableError>>;

    /// How many positions are won, lost and drawn, if positions that are equal by symmetry share a state. This looks at all
    /// states.
    fn position_counts(&self, values: &dyn Values) -> Result<Option<Counts>, TableError>;

    /// A remark about the solved game, if it has one.
    fn remark_on(&self, values: &dyn Values) -> Result<Option<Remark>, TableError>;
}

impl dyn AnyGame + '_ {
    /// The values of all states, from the solution or the table. An error if the table is of another game.
    pub fn values<'a>(&'a self, known: &'a Known) -> Result<Box<dyn Values + 'a>, TableError> {
        Ok(Box::new(ValuesOf::new(Rules(self), known)?))
    }

    /// Checks that every value follows from the values one move later, and that the header of a table counts them.
    pub fn verify(
        &self,
        engine: Engine,
        verifier: Verifier<'_>,
        known: &Known,
    ) -> Result<Verified, VerifyError<TableError>> {
        let values = ValuesOf::new(Rules(self), known).map_err(VerifyError::Probe)?.judged();
        let verified = self.verify_values(engine, verifier, &values)?;
        values.check_counts().map_err(VerifyError::Probe)?;
        Ok(verified)
    }
}

/// The rules of any game, for code that asks for a few states at a time, like [`retrograde::play::line`].
#[derive(Clone, Copy)]
pub struct Rules<'a>(pub &'a dyn AnyGame);

impl Game for Rules<'_> {
    fn states(&self) -> u64 {
        self.0.states()
    }

    fn status(&self, state: u64) -> Status {
        self.0.status(state)
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.0.classify(states, &mut visit);
    }

    fn invalid_states(&self, word: u64) -> u64 {
        self.0.invalid_states(word)
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        self.0.exits(state, &mut visit);
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.successors(state, &mut visit)
    }

    fn stuck(&self) -> Value {
        self.0.stuck()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.0.keeps_turn(from, to)
    }
}
