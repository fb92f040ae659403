//! Work on a game of any type: 64 states at a time if the game has words, otherwise state by state.
//!
//! A game says by a method like [`Family::visit_words`](crate::Family::visit_words) whether it has words.

use retrograde::Probe;
use retrograde::bit_parallel::{
    ByWords, LogStore, WindowPlan, WordKeys, WordSolution, WordsVisitor,
};
use retrograde::checks::{AuditError, Audited, Auditor, Verified, Verifier, VerifyError};
use retrograde::{Solution, SolveError, Solver};

/// Solves the game.
pub struct Solve<'a>(pub Solver<'a>);

impl WordsVisitor for Solve<'_> {
    type Output = Result<Solution, SolveError>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        self.0.solve(ByWords(game))
    }
}

/// How many bytes a solve takes, and how many with distances in a log.
pub struct MemoryNeeded<'a, 's>(pub &'a Solver<'s>);

impl WordsVisitor for MemoryNeeded<'_, '_> {
    type Output = (u64, u64);

    fn visit<G: WordKeys>(self, game: &G) -> (u64, u64) {
        (self.0.memory_needed(ByWords(game)), ByWords(game).memory_needed_in(self.0))
    }
}

/// Solves the game in less memory, with its distances in a log.
pub struct SolveLogged<'a>(pub Solver<'a>, pub Box<dyn LogStore>);

impl WordsVisitor for SolveLogged<'_> {
    type Output = Result<WordSolution, SolveError>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        ByWords(game).solve_in(self.0, self.1)
    }
}

/// How such a solve works if two bits a state exceed memory.
pub struct PlanWindow<'a, 's>(pub &'a Solver<'s>);

impl WordsVisitor for PlanWindow<'_, '_> {
    type Output = Option<WindowPlan>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        ByWords(game).plan_window(self.0)
    }
}

/// Compares the moves of 64 states at a time with those of single states.
pub struct Audit<'a, 's>(pub &'a mut Auditor<'s>);

impl WordsVisitor for Audit<'_, '_> {
    type Output = Result<Audited, AuditError>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        self.0.audit(ByWords(game))
    }
}

/// Checks values.
pub struct Verify<'a, P>(pub Verifier<'a>, pub &'a P);

impl<P: Probe> WordsVisitor for Verify<'_, P> {
    type Output = Result<Verified, VerifyError<P::Error>>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        self.0.verify(ByWords(game), self.1)
    }
}
