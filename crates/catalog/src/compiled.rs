//! All code that is generic over games, compiled once for each game.

use std::ops::{ControlFlow, Range};

use retrograde::bit_parallel::{LogStore, WindowPlan, WordKeys, WordSolution, WordsVisitor};
use retrograde::checks::{AuditError, Audited, Auditor, Verified, Verifier, VerifyError};
use retrograde::parts::Parted;
use retrograde::{Counts, Predecessors, Solution, SolveError, Solver, Status, Value};
use retrograde_games::{Banded, Facts, Remark, Solvable};
use retrograde_regions::words::{
    Audit, MemoryNeeded, MemoryNeededLogged, PlanWindow, Solve, SolveLogged, Verify,
};
use retrograde_table::TableError;

use crate::any_game::{AnyGame, ClassVisit, Engine};
use crate::values::{Values, ValuesOf};

impl<G: Solvable + Predecessors> AnyGame for G {
    fn facts(&self) -> Facts {
        self.facts()
    }

    fn states(&self) -> u64 {
        self.states()
    }

    fn status(&self, state: u64) -> Status {
        self.status(state)
    }

    fn classify(&self, states: Range<u64>, visit: &mut ClassVisit<'_>) {
        self.classify(states, visit);
    }

    fn invalid_states(&self, word: u64) -> u64 {
        self.invalid_states(word)
    }

    fn exits(&self, state: u64, visit: &mut dyn FnMut(Value)) {
        self.exits(state, visit);
    }

    fn successors(
        &self,
        state: u64,
        visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.successors(state, visit)
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.keeps_turn(from, to)
    }

    fn degree_max(&self) -> Option<u32> {
        self.degree_max()
    }

    fn stuck(&self) -> Value {
        self.stuck()
    }

    fn has_words(&self) -> bool {
        self.visit_words(Exists).is_ok()
    }

    fn solve(&self, engine: Engine, solver: Solver<'_>) -> Result<Solution, SolveError> {
        match engine {
            Engine::Scalar => solver.solve(self),
            Engine::BitParallel => match self.visit_words(Solve(solver)) {
                Ok(solved) => solved,
                Err(Solve(solver)) => solver.solve(self),
            },
        }
    }

    fn memory_needed(&self, engine: Engine, solver: &Solver<'_>) -> u64 {
        let by_words = match engine {
            Engine::BitParallel => self.visit_words(MemoryNeeded(solver)).ok(),
            Engine::Scalar => None,
        };
        by_words.unwrap_or_else(|| solver.memory_needed(self))
    }

    fn solve_logged(
        &self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Option<Result<WordSolution, SolveError>> {
        self.visit_words(SolveLogged(solver, store)).ok()
    }

    fn memory_needed_logged(&self, solver: &Solver<'_>) -> Option<u64> {
        self.visit_words(MemoryNeededLogged(solver)).ok()
    }

    fn plan_window(&self, solver: &Solver<'_>) -> Option<WindowPlan> {
        self.visit_words(PlanWindow(solver)).ok().flatten()
    }

    fn in_bands(&self) -> Option<Banded<Box<dyn AnyGame + '_>>> {
        let Banded { game, block_len, place_of } = Solvable::banded(self)?;
        Some(Banded { game: Box::new(game), block_len, place_of })
    }

    fn parted(&self) -> &dyn Parted {
        self
    }

    fn audit(&self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
        let audited = auditor.audit(self)?;
        self.visit_words(Audit(auditor)).ok().transpose()?;
        Ok(audited)
    }

    fn verify_values(
        &self,
        engine: Engine,
        verifier: Verifier<'_>,
        values: &ValuesOf<'_>,
    ) -> Result<Verified, VerifyError<TableError>> {
        match engine {
            Engine::Scalar => verifier.verify(self, values),
            Engine::BitParallel => match self.visit_words(Verify(verifier, values)) {
                Ok(verified) => verified,
                Err(Verify(verifier, _)) => verifier.verify(self, values),
            },
        }
    }

    fn position_counts(&self, values: &dyn Values) -> Result<Option<Counts>, TableError> {
        Solvable::position_counts(self, &values)
    }

    fn remark_on(&self, values: &dyn Values) -> Result<Option<Remark>, TableError> {
        Solvable::remark(self, &values)
    }
}

struct Exists;

impl WordsVisitor for Exists {
    type Output = ();

    fn visit<G: WordKeys>(self, _: &G) {}
}
