//! A family without its types, to be built.

use retrograde::bit_parallel::{LogStore, WordSolution};
use retrograde::{Solution, SolveError, Solver};

use crate::family::Family;
use crate::named_regions::{NamedRegions, RegionGame};
use crate::solved::SolvedRegion;
use crate::typed_region::TypedRegion;
use crate::words::{MemoryNeeded, Solve, SolveLogged};

/// A family whose regions can be solved. Every [`Family`] is one. Its engine is compiled where a reference to this trait is made.
pub trait SolvableRegions: NamedRegions {
    /// The game of a region, from the solutions of the regions that it needs.
    fn solvable<'a>(
        &'a self,
        region: &str,
        solved: Vec<SolvedRegion<'a>>,
    ) -> Box<dyn SolvableRegion + 'a>;
}

/// The game of a region, to be solved.
pub trait SolvableRegion: RegionGame {
    /// How many bytes a solve takes with distances in memory, and with distances in a log. `None` if the game has no words.
    fn memory_needed(&self, solver: &Solver<'_>) -> (u64, Option<u64>);

    /// Solves the game.
    fn solve(&self, solver: Solver<'_>) -> Result<Solution, SolveError>;

    /// Solves a game that has words, with distances in a log.
    fn solve_logged(
        &self,
        solver: Solver<'_>,
        log: Box<dyn LogStore>,
    ) -> Result<WordSolution, SolveError>;
}

impl<F: Family> SolvableRegions for F {
    fn solvable<'a>(
        &'a self,
        region: &str,
        solved: Vec<SolvedRegion<'a>>,
    ) -> Box<dyn SolvableRegion + 'a> {
        Box::new(TypedRegion::new(self, region, solved))
    }
}

impl<F: Family> SolvableRegion for TypedRegion<'_, F> {
    fn memory_needed(&self, solver: &Solver<'_>) -> (u64, Option<u64>) {
        match F::visit_words(&self.game, MemoryNeeded(solver)) {
            Ok((needed, logged)) => (needed, Some(logged)),
            Err(_) => (solver.memory_needed(&self.rules()), None),
        }
    }

    fn solve(&self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        match F::visit_words(&self.game, Solve(solver)) {
            Ok(solution) => solution,
            Err(Solve(solver)) => solver.solve(&self.rules()),
        }
    }

    fn solve_logged(
        &self,
        solver: Solver<'_>,
        log: Box<dyn LogStore>,
    ) -> Result<WordSolution, SolveError> {
        let solved = F::visit_words(&self.game, SolveLogged(solver, log));
        solved.unwrap_or_else(|_| unreachable!("the plan has a log only for words"))
    }
}
