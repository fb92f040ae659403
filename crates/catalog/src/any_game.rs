//! A game as the program sees it, whichever it is.

use retrograde::bit_parallel::{LogStore, LoggedSolution};
use retrograde::checks::{AuditError, Audited, Auditor, Verified, Verifier, VerifyError};
use retrograde::parts::Parted;
use retrograde::{Game, Solution, SolveError, Solver, Status, Value};
use retrograde_games::{Remark, Show};
use retrograde_table::TableError;

use crate::values::{Known, Values};

/// Which of the engines goes through the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A state at a time: every game can be solved so.
    Scalar,
    /// 64 states at a time: for games that [have words](AnyGame::has_words).
    BitParallel,
}

/// A game: what it looks like, its rules for one state at a time, and what is done with all of its states by code
/// compiled for it alone.
pub trait AnyGame: Show + Send {
    /// How many states the numbering has, holes included.
    fn states(&self) -> u64;

    /// What the rules say of a state: see [`Game::status`].
    fn status(&self, state: u64) -> Status;

    /// As [`Game::exits`].
    fn exits(&self, state: u64, visit: &mut dyn FnMut(Value));

    /// The states that moves lead to from an open state: see [`Game::successors`].
    fn successors(&self, state: u64, visit: &mut dyn FnMut(u64));

    /// Whether a move keeps the turn.
    fn keeps_turn(&self, from: u64, to: u64) -> bool;

    /// No state has more moves than this, where the rules say: see [`Game::degree_max`].
    fn degree_max(&self) -> Option<u32>;

    /// Whether it can be solved 64 states at a time.
    fn has_words(&self) -> bool;

    /// Solves it. A game without words is solved a state at a time, whatever is asked for.
    fn solve(&self, engine: Engine, solver: Solver<'_>) -> Result<Solution, SolveError>;

    /// How many bytes a solve will take, as far as that is known before.
    fn memory_needed(&self, engine: Engine, solver: &Solver<'_>) -> u64;

    /// Solves it in two bits a state, with the log of distances in a store; `None` for a game without words.
    fn solve_logged(
        &self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Option<Result<LoggedSolution, SolveError>>;

    /// How many bytes of memory that takes.
    fn memory_needed_logged(&self, solver: &Solver<'_>) -> Option<u64>;

    /// Its parts, for a solve elsewhere than in memory.
    fn parted(&self) -> &dyn Parted;

    /// Compares moves and backward moves; of a game with words, those of 64 states at a time as well.
    fn audit(&self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError>;

    /// Checks that every value follows from those one move on.
    fn verify(
        &self,
        engine: Engine,
        verifier: Verifier<'_>,
        known: Known<'_>,
    ) -> Result<Verified, VerifyError<TableError>>;

    /// The values of all its states, where its solution or its table is known. An error if that table is of another
    /// game.
    fn values<'a>(&'a self, known: Known<'a>) -> Result<Box<dyn Values + 'a>, TableError>;

    /// What there is to add once it is solved.
    fn remark_on(&self, values: &dyn Values) -> Result<Option<Remark>, TableError>;
}

/// The rules of a game, whichever it is: for what asks for a few states at a time, like [`retrograde::play::line`].
#[derive(Clone, Copy)]
pub struct Rules<'a>(pub &'a dyn AnyGame);

impl Game for Rules<'_> {
    fn states(&self) -> u64 {
        self.0.states()
    }

    fn status(&self, state: u64) -> Status {
        self.0.status(state)
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        self.0.exits(state, &mut visit);
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.0.successors(state, &mut visit);
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.0.keeps_turn(from, to)
    }
}
