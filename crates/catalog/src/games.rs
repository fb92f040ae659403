//! The games of the program: what each can do and has to say beyond what all can.

use retrograde::{
    AuditError, Auditor, ByWords, Folded, LogStore, LoggedSolution, Solution, SolveError, Solver,
    Verified, Verifier, VerifyError,
};
use retrograde_games::{Chase, Corner, Graph, Pursuit, Quixo, Show, Take};
use retrograde_table::TableError;
use serde_json::json;

use crate::compiled::Compiled;
use crate::playable::{Banded, Playable, Remark};
use crate::values::{Values, ValuesOf};

impl Compiled for Graph {}

impl Compiled for Take {}

impl Compiled for Folded<Quixo> {}

impl Compiled for Pursuit {
    const WORDS: bool = true;

    fn boxed(self) -> Box<dyn Playable> {
        Box::new(self)
    }

    fn solve_words(&self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.solve(ByWords(self))
    }

    fn memory_needed_by_words(&self, solver: &Solver<'_>) -> u64 {
        solver.memory_needed(ByWords(self))
    }

    fn solve_logged(
        &self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Option<Result<LoggedSolution, SolveError>> {
        Some(ByWords(self).solve_logged(solver, store))
    }

    fn memory_needed_logged(&self, solver: &Solver<'_>) -> Option<u64> {
        Some(ByWords(self).memory_needed_logged(solver))
    }

    fn audit_words(&self, auditor: &mut Auditor<'_>) -> Result<(), AuditError> {
        auditor.audit(ByWords(self)).map(drop)
    }

    fn verify_words(
        &self,
        verifier: Verifier<'_>,
        values: &ValuesOf<'_, Self>,
    ) -> Result<Verified, VerifyError<TableError>> {
        verifier.verify(ByWords(self), values)
    }

    fn row_len(&self) -> Option<u64> {
        Some(self.row_len())
    }

    fn banded(&self) -> Option<Banded> {
        let (game, place_of) = self.in_rows();
        Some(Banded { game: Box::new(game), block_len: 2 * self.row_len(), place_of })
    }
}

impl Compiled for Corner {
    /// The board of signs, by which one knows the game.
    fn remark(&self, values: &dyn Values) -> Result<Option<Remark>, TableError> {
        Ok(Some(Remark { text: self.signs(&values)?, json: None }))
    }
}

impl Compiled for Chase {
    fn boxed(self) -> Box<dyn Playable> {
        Box::new(self)
    }

    fn row_len(&self) -> Option<u64> {
        Some(self.row_len())
    }

    /// Whether so many police are enough for the graph: its cop number is the least such.
    fn remark(&self, values: &dyn Values) -> Result<Option<Remark>, TableError> {
        if self.name() != "chase" {
            return Ok(None);
        }
        let places = self.cop_win(&values)?;
        let text = match &places {
            Some(places) => format!(
                "Choosing places first, the police catch the thief wherever he starts: {}",
                places.join(" ")
            ),
            None => "Choosing places first, the police cannot be sure of the thief".to_owned(),
        };
        Ok(Some(Remark { text, json: Some(("police_first", json!(places))) }))
    }
}
