//! The code that is compiled for each game.

use retrograde::adapters::AnyRules;
use retrograde::bit_parallel::{
    ByWords, LogStore, WindowPlan, WordKeys, WordSolution, WordsVisitor,
};
use retrograde::checks::{AuditError, Audited, Auditor, Verified, Verifier, VerifyError};
use retrograde::parts::Parted;
use retrograde::{Counts, Predecessors, Solution, SolveError, Solver};
use retrograde_games::{Banded, Facts, Remark, Solvable};
use retrograde_regions::words::{Audit, MemoryNeeded, PlanWindow, Solve, SolveLogged, Verify};
use retrograde_table::TableError;

use crate::compiled_game::{CompiledGame, Engine};
use crate::values::{Values, ValuesOf};

impl<G: Solvable + Predecessors> CompiledGame for G {
    fn facts(&self) -> Facts {
        self.facts()
    }

    fn rules(&self) -> AnyRules<'_> {
        AnyRules::of(self)
    }

    fn parted(&self) -> Box<dyn Parted + '_> {
        if G::QUICK_MOVES { Box::new(self) } else { Box::new(self.rules()) }
    }

    fn has_words(&self) -> bool {
        self.visit_words(Exists).is_ok() || self.visit_rows(Exists).is_ok()
    }

    fn solve(&self, engine: Engine, solver: Solver<'_>) -> Result<Solution, SolveError> {
        match engine {
            Engine::Scalar => by_states(self, solver),
            Engine::BitParallel => match self.visit_words(Solve(solver)) {
                Ok(solved) => solved,
                Err(Solve(solver)) => match self.solve_in_rows(solver) {
                    Ok(solved) => solved,
                    Err(solver) => by_states(self, *solver),
                },
            },
        }
    }

    fn memory_needed(&self, engine: Engine, solver: &Solver<'_>) -> u64 {
        let by_words = match engine {
            Engine::BitParallel => match self.visit_words(MemoryNeeded(solver)) {
                Ok((needed, _)) => Some(needed),
                Err(visitor) => {
                    let in_rows = self.visit_rows(visitor).ok();
                    in_rows.map(|(needed, _)| needed + self.bytes_beside_rows())
                }
            },
            Engine::Scalar => None,
        };
        by_words.unwrap_or_else(|| solver.memory_needed(&self.rules()))
    }

    fn solve_logged(
        &self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Result<WordSolution, SolveError> {
        let solved = self.visit_words(SolveLogged(solver, store));
        solved.unwrap_or_else(|solve| solve.visit(&self.rules()))
    }

    fn memory_needed_logged(&self, solver: &Solver<'_>) -> u64 {
        let needed = self.visit_words(MemoryNeeded(solver)).map(|(_, logged)| logged);
        // Without words, any level may bring wins and losses, so it has lists.
        needed.unwrap_or_else(|_| ByWords(&self.rules()).memory_enough_in(solver, true))
    }

    fn plan_window(&self, solver: &Solver<'_>) -> Option<WindowPlan> {
        self.visit_words(PlanWindow(solver)).ok().flatten()
    }

    fn in_bands(&self) -> Option<Banded<Box<dyn CompiledGame + '_>>> {
        let Banded { game, block_len, place_of } = Solvable::banded(self)?;
        Some(Banded { game: Box::new(game), block_len, place_of })
    }

    fn audit(&self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
        let audited = match G::QUICK_MOVES {
            true => auditor.audit(self)?,
            false => auditor.audit(&self.rules())?,
        };
        let in_words = self.visit_words(Audit(auditor));
        in_words.or_else(|audit| self.visit_rows(audit)).ok().transpose()?;
        Ok(audited)
    }

    fn verify_values(
        &self,
        engine: Engine,
        verifier: Verifier<'_>,
        values: &ValuesOf<'_>,
    ) -> Result<Verified, VerifyError<TableError>> {
        match engine {
            Engine::Scalar => verified_by_states(self, verifier, values),
            Engine::BitParallel => match self.visit_words(Verify(verifier, values)) {
                Ok(verified) => verified,
                Err(Verify(verifier, _)) => verified_by_states(self, verifier, values),
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

/// Solves state by state. Only one branch is compiled for a game.
fn by_states<G: Solvable + Predecessors>(
    game: &G,
    solver: Solver<'_>,
) -> Result<Solution, SolveError> {
    if G::QUICK_MOVES { solver.solve(game) } else { solver.solve(&AnyRules::of(game)) }
}

fn verified_by_states<G: Solvable + Predecessors>(
    game: &G,
    verifier: Verifier<'_>,
    values: &ValuesOf<'_>,
) -> Result<Verified, VerifyError<TableError>> {
    if G::QUICK_MOVES {
        verifier.verify(game, values)
    } else {
        verifier.verify(&AnyRules::of(game), values)
    }
}

struct Exists;

impl WordsVisitor for Exists {
    type Output = ();

    fn visit<G: WordKeys>(self, _: &G) {}
}
