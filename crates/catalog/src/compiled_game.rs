//! A game behind one trait, so that the program need not know which game it is.

use retrograde::adapters::AnyRules;
use retrograde::bit_parallel::{LogStore, WindowPlan, WordSolution};
use retrograde::checks::{AuditError, Audited, Auditor, Verified, Verifier, VerifyError};
use retrograde::parts::Parted;
use retrograde::{Counts, Game, Solution, SolveError, Solver};
use retrograde_games::{Banded, Facts, Remark};
use retrograde_positions::AnyStates;
use retrograde_table::TableError;

use crate::values::{Known, Values, ValuesOf};

/// The engine of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// One state at a time. Every game can be solved in this way.
    Scalar,
    /// 64 states at a time, for games that [have words](CompiledGame::has_words).
    BitParallel,
}

/// A game: its positions, its rules for one state at a time, and the work on all states, which is compiled for each game.
pub trait CompiledGame: AnyStates {
    /// Its name, and how its states are counted.
    fn facts(&self) -> Facts;

    /// Its rules for one state at a time.
    fn rules(&self) -> AnyRules<'_>;

    /// The game for a solve in parts, on disk or on several ranks.
    fn parted(&self) -> Box<dyn Parted + '_>;

    /// Whether it can be solved 64 states at a time.
    fn has_words(&self) -> bool;

    /// Solves the game. A game without words is always solved one state at a time.
    fn solve(&self, engine: Engine, solver: Solver<'_>) -> Result<Solution, SolveError>;

    /// About how many bytes a solve takes.
    fn memory_needed(&self, engine: Engine, solver: &Solver<'_>) -> u64;

    /// Solves the game with two or three bits a state, and writes distances to a log in a store. A game without words
    /// asks for the moves of each state.
    fn solve_logged(
        &self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Result<WordSolution, SolveError>;

    /// How many bytes of memory such a solve takes. The memory of exits, draws by rule and far terminal states comes on top.
    fn memory_needed_logged(&self, solver: &Solver<'_>) -> u64;

    /// How such a solve works if two bits a state exceed memory. `None` if they must be in memory.
    fn plan_window(&self, solver: &Solver<'_>) -> Option<WindowPlan>;

    /// The same game in a numbering with shorter moves, if it has one.
    fn in_bands(&self) -> Option<Banded<Box<dyn CompiledGame + '_>>>;

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

impl dyn CompiledGame + '_ {
    /// The name of the game.
    pub fn name(&self) -> &'static str {
        self.facts().name
    }

    /// The sides whose states are counted apart: `["police", "thief"]`, or `["player"]` if states do not tell players apart.
    pub fn sides(&self) -> &'static [&'static str] {
        self.facts().turns.sides(self.players())
    }

    /// How many states a person would count, including invalid ones.
    pub fn states_named(&self) -> u64 {
        self.facts().states_named.unwrap_or(self.states())
    }

    /// The start state, if the game has one.
    pub fn start_state(&self) -> Option<u64> {
        self.start().and_then(|start| self.number(&start).ok())
    }

    /// How many states the numbering has, including invalid ones.
    pub fn states(&self) -> u64 {
        self.rules().states()
    }

    /// The values of all states, from the solution or the table. An error if the table is of another game.
    pub fn values<'a>(&'a self, known: &'a Known) -> Result<Box<dyn Values + 'a>, TableError> {
        Ok(Box::new(ValuesOf::new(self.rules(), known)?))
    }

    /// Checks that every value follows from the values one move later, and that the header of a table counts them.
    pub fn verify(
        &self,
        engine: Engine,
        verifier: Verifier<'_>,
        known: &Known,
    ) -> Result<Verified, VerifyError<TableError>> {
        let values = ValuesOf::new(self.rules(), known).map_err(VerifyError::Probe)?.judged();
        let verified = self.verify_values(engine, verifier, &values)?;
        values.check_counts(self.facts().turns, self.sides()).map_err(VerifyError::Probe)?;
        Ok(verified)
    }
}
