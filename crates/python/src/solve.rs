//! Solving, with progress and Ctrl-C.

use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::prelude::*;
use retrograde::{Progress, SolveError, Solver};
use retrograde_catalog::{CompiledGame, Engine, Known};
use retrograde_games::{GAMES, Setup, Source, Spec};
use retrograde_table::About;

use crate::failure::Failure;
use crate::held_game::HeldGame;
use crate::solved_game::SolvedGame;
use crate::watch::watched;

/// The options of a solve.
pub(crate) struct How {
    pub(crate) distances: bool,
    /// How many threads; 0 for all.
    pub(crate) threads: usize,
    /// The most bytes that it may take; by default, the free memory.
    pub(crate) memory_max: Option<u64>,
}

/// A game before its solve.
pub(crate) struct SetUp {
    pub(crate) game: Arc<dyn CompiledGame>,
    /// The header of a table of it, if it has a name.
    pub(crate) about: Option<About>,
    /// How many bytes are taken already, of those that it may take.
    pub(crate) held: u64,
}

impl How {
    /// Sets up a game and solves it.
    pub(crate) fn solve(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        set_up: impl FnOnce() -> Result<SetUp, Failure> + Send,
    ) -> PyResult<HeldGame> {
        let solved = watched(py, progress, |signal| {
            let SetUp { game, about, held } = set_up()?;
            let mut solver = Solver::new().threads(self.threads).distances(self.distances);
            if let Some(bytes) = retrograde_catalog::memory_limit(self.memory_max) {
                solver = solver.memory_max(bytes.saturating_sub(held));
            }
            solver = solver.progress(|at| signal.report(at));
            // A game without words is solved one state at a time in any case.
            let solution =
                game.solve(Engine::BitParallel, solver).map_err(|error| match error {
                    SolveError::Memory { needed, limit } => Failure::Memory {
                        what: "the solve takes".to_owned(),
                        needed: needed + held,
                        limit: limit + held,
                    },
                    error => Failure::Unsolved(error),
                })?;
            // Even for a small game, the last report is that of the end.
            let levels = solution.histogram().levels();
            let (last, settled) = levels.fold((0, 0), |(_, settled), level| {
                (level.distance, settled + level.wins + level.losses)
            });
            let states = solution.states();
            let _ = signal.report(&Progress { level: Some(last), done: settled, states });
            let known = Known::Solution(Arc::new(solution));
            Ok(SolvedGame { known, game: Some(game), about })
        })?;
        Ok(HeldGame::new(solved))
    }
}

/// How much memory a solve may take: what the caller says, or all that is free.
#[pyfunction]
pub(crate) fn memory_limit(asked: Option<u64>) -> u64 {
    retrograde_catalog::memory_limit(asked).unwrap_or(u64::MAX)
}

/// The games of the program: name, summary, and parameters with their help.
#[pyfunction]
pub(crate) fn games() -> BTreeMap<&'static str, (&'static str, BTreeMap<&'static str, &'static str>)>
{
    let parameters = |game: &Spec| game.parameters.iter().map(|of| (of.name, of.help)).collect();
    GAMES.iter().map(|game| (game.name, (game.summary, parameters(game)))).collect()
}

/// Solves a game of the program. Arguments are texts by name; a board is a name and a text.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a caller in Python gives them by name")]
#[pyo3(signature = (game, arguments, board, distances, threads, memory_max, progress))]
pub(crate) fn solve(
    py: Python<'_>,
    game: &str,
    arguments: Vec<(String, String)>,
    board: Option<(String, String)>,
    distances: bool,
    threads: usize,
    memory_max: Option<u64>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<HeldGame> {
    let how = How { distances, threads, memory_max };
    how.solve(py, progress.as_ref(), || {
        let arguments: Vec<(&str, &str)> =
            arguments.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let file = board.map(|(name, text)| Source { name, text });
        let setup = Setup::parse(game, &arguments, file)?;
        let about = retrograde_catalog::about(&setup);
        Ok(SetUp { game: retrograde_catalog::game(&setup)?, about: Some(about), held: 0 })
    })
}
