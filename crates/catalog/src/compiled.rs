//! A game with the engines compiled for it: all that is generic over games, and its only use.

use retrograde::parts::Parted;
use retrograde::{
    AuditError, Audited, Auditor, LogStore, LoggedSolution, Retrograde, Solution, SolveError,
    Solver, Status, Value, Verified, Verifier, VerifyError,
};
use retrograde_games::Show;
use retrograde_table::TableError;

use crate::playable::{Banded, Engine, Playable, Remark};
use crate::values::{Known, Values, ValuesOf};

/// A game, and what it can do beyond what all games can. Any that can be shown becomes [`Playable`] by it; nothing
/// need be written.
pub trait Compiled: Show + Retrograde + Send + Sized {
    /// Whether it can be solved 64 states at a time.
    const WORDS: bool = false;

    /// The game behind its table of functions. It is compiled where this is: by default, where it is called.
    fn boxed(self) -> Box<dyn Playable>
    where
        Self: 'static,
    {
        Box::new(self)
    }

    /// Solves it 64 states at a time, if it can be.
    fn solve_words(&self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.solve(self)
    }

    /// What that takes.
    fn memory_needed_by_words(&self, solver: &Solver<'_>) -> u64 {
        solver.memory_needed(self)
    }

    /// Solves it in two bits a state, with the log of distances in a store, if it can be solved 64 states at a time.
    fn solve_logged(
        &self,
        _: Solver<'_>,
        _: Box<dyn LogStore>,
    ) -> Option<Result<LoggedSolution, SolveError>> {
        None
    }

    /// What that takes.
    fn memory_needed_logged(&self, _: &Solver<'_>) -> Option<u64> {
        None
    }

    /// Compares its moves of 64 states at a time with those of one, if it has the former.
    fn audit_words(&self, _: &mut Auditor<'_>) -> Result<(), AuditError> {
        Ok(())
    }

    /// Verifies values 64 at a time, if it can be.
    fn verify_words(
        &self,
        verifier: Verifier<'_>,
        values: &ValuesOf<'_, Self>,
    ) -> Result<Verified, VerifyError<TableError>> {
        verifier.verify(self, values)
    }

    /// See [`Playable::row_len`].
    fn row_len(&self) -> Option<u64> {
        None
    }

    /// See [`Playable::banded`].
    fn banded(&self) -> Option<Banded> {
        None
    }

    /// See [`Playable::remark`].
    fn remark(&self, values: &dyn Values) -> Result<Option<Remark>, TableError> {
        let _ = values;
        Ok(None)
    }
}

impl<G: Compiled> Playable for G {
    fn states(&self) -> u64 {
        self.states()
    }

    fn status(&self, state: u64, exit: &mut dyn FnMut(Value)) -> Status {
        self.status(state, exit)
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
        G::WORDS
    }

    fn row_len(&self) -> Option<u64> {
        Compiled::row_len(self)
    }

    fn solve(&self, engine: Engine, solver: Solver<'_>) -> Result<Solution, SolveError> {
        match engine {
            Engine::Words if G::WORDS => self.solve_words(solver),
            _ => solver.solve(self),
        }
    }

    fn memory_needed(&self, engine: Engine, solver: &Solver<'_>) -> u64 {
        match engine {
            Engine::Words if G::WORDS => self.memory_needed_by_words(solver),
            _ => solver.memory_needed(self),
        }
    }

    fn solve_logged(
        &self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Option<Result<LoggedSolution, SolveError>> {
        Compiled::solve_logged(self, solver, store)
    }

    fn memory_needed_logged(&self, solver: &Solver<'_>) -> Option<u64> {
        Compiled::memory_needed_logged(self, solver)
    }

    fn parted(&self) -> &dyn Parted {
        self
    }

    fn banded(&self) -> Option<Banded> {
        Compiled::banded(self)
    }

    fn audit(&self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
        let audited = auditor.audit(self)?;
        self.audit_words(auditor)?;
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
            Engine::Words if G::WORDS => self.verify_words(verifier, &values),
            _ => verifier.verify(self, &values),
        }?;
        if let ValuesOf::Table(table) = &values {
            let mover_run = |state| (self.mover(state), self.mover_run(state));
            table.check_counts(self.movers(), mover_run).map_err(VerifyError::Probe)?;
        }
        Ok(verified)
    }

    fn values<'a>(&'a self, known: Known<'a>) -> Result<Box<dyn Values + 'a>, TableError> {
        Ok(Box::new(ValuesOf::new(self, known)?))
    }

    fn remark(&self, values: &dyn Values) -> Result<Option<Remark>, TableError> {
        Compiled::remark(self, values)
    }
}
