//! All code that is generic over games, compiled once for each game.

use retrograde::bit_parallel::{ByWords, LogStore, LoggedSolution, WindowPlan, WordKeys};
use retrograde::checks::{AuditError, Audited, Auditor, Verified, Verifier, VerifyError};
use retrograde::parts::Parted;
use retrograde::{Predecessors, Solution, SolveError, Solver, Status, Value};
use retrograde_games::{Banded, Facts, Remark, Solvable, WordsVisitor};
use retrograde_table::TableError;

use crate::any_game::{AnyGame, Engine};
use crate::values::{Known, Values, ValuesOf};

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

    fn exits(&self, state: u64, visit: &mut dyn FnMut(Value)) {
        self.exits(state, visit);
    }

    fn successors(&self, state: u64, visit: &mut dyn FnMut(u64)) {
        self.successors(state, visit);
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.keeps_turn(from, to)
    }

    fn degree_max(&self) -> Option<u32> {
        self.degree_max()
    }

    fn has_words(&self) -> bool {
        self.visit_words(Exists).is_some()
    }

    fn solve(&self, engine: Engine, solver: Solver<'_>) -> Result<Solution, SolveError> {
        match engine {
            Engine::BitParallel if self.has_words() => {
                self.visit_words(Solve(solver)).expect("it has words")
            }
            _ => solver.solve(self),
        }
    }

    fn memory_needed(&self, engine: Engine, solver: &Solver<'_>) -> u64 {
        let by_words = match engine {
            Engine::BitParallel => self.visit_words(MemoryNeeded(solver)),
            Engine::Scalar => None,
        };
        by_words.unwrap_or_else(|| solver.memory_needed(self))
    }

    fn solve_logged(
        &self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Option<Result<LoggedSolution, SolveError>> {
        self.visit_words(SolveLogged(solver, store))
    }

    fn memory_needed_logged(&self, solver: &Solver<'_>) -> Option<u64> {
        self.visit_words(MemoryNeededLogged(solver))
    }

    fn plan_window(&self, solver: &Solver<'_>) -> Option<WindowPlan> {
        self.visit_words(PlanWindow(solver)).flatten()
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
        self.visit_words(Audit(auditor)).transpose()?;
        Ok(audited)
    }

    fn verify(
        &self,
        engine: Engine,
        verifier: Verifier<'_>,
        known: Known<'_>,
    ) -> Result<Verified, VerifyError<TableError>> {
        let values = ValuesOf::new(self, known).map_err(VerifyError::Probe)?.judged();
        let verified = match engine {
            Engine::BitParallel if self.has_words() => {
                self.visit_words(Verify(verifier, &values)).expect("it has words")
            }
            _ => verifier.verify(self, &values),
        }?;
        if let ValuesOf::Table(table) = &values {
            let turns = Solvable::facts(self).turns;
            let side_run = |state| (turns.side(state), turns.run_end(state) - state);
            table.check_counts(self.sides(), side_run).map_err(VerifyError::Probe)?;
        }
        Ok(verified)
    }

    fn values<'a>(&'a self, known: Known<'a>) -> Result<Box<dyn Values + 'a>, TableError> {
        Ok(Box::new(ValuesOf::new(self, known)?))
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

struct Solve<'a>(Solver<'a>);

impl WordsVisitor for Solve<'_> {
    type Output = Result<Solution, SolveError>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        self.0.solve(ByWords(game))
    }
}

struct MemoryNeeded<'a, 's>(&'a Solver<'s>);

impl WordsVisitor for MemoryNeeded<'_, '_> {
    type Output = u64;

    fn visit<G: WordKeys>(self, game: &G) -> u64 {
        self.0.memory_needed(ByWords(game))
    }
}

struct SolveLogged<'a>(Solver<'a>, Box<dyn LogStore>);

impl WordsVisitor for SolveLogged<'_> {
    type Output = Result<LoggedSolution, SolveError>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        ByWords(game).solve_logged(self.0, self.1)
    }
}

struct MemoryNeededLogged<'a, 's>(&'a Solver<'s>);

impl WordsVisitor for MemoryNeededLogged<'_, '_> {
    type Output = u64;

    fn visit<G: WordKeys>(self, game: &G) -> u64 {
        ByWords(game).memory_needed_logged(self.0)
    }
}

struct PlanWindow<'a, 's>(&'a Solver<'s>);

impl WordsVisitor for PlanWindow<'_, '_> {
    type Output = Option<WindowPlan>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        ByWords(game).plan_window(self.0)
    }
}

struct Audit<'a, 's>(&'a mut Auditor<'s>);

impl WordsVisitor for Audit<'_, '_> {
    type Output = Result<Audited, AuditError>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        self.0.audit(ByWords(game))
    }
}

struct Verify<'a, P>(Verifier<'a>, &'a P);

impl<P: retrograde::Probe<Error = TableError>> WordsVisitor for Verify<'_, P> {
    type Output = Result<Verified, VerifyError<TableError>>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        self.0.verify(ByWords(game), self.1)
    }
}
