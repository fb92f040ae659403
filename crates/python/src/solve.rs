//! Solving, with progress and Ctrl-C.

use std::ops::ControlFlow;

use pyo3::prelude::*;
use retrograde::Solver;
use retrograde_games::ReadError;
use retrograde_table::About;

use crate::answers::Answers;
use crate::failure::Failure;
use crate::known::{Known, Values};
use crate::recipe;
use crate::rules::Rules;
use crate::watch::watched;

/// How a game is solved.
pub(crate) struct How {
    pub(crate) distances: bool,
    /// How many threads; 0 for all.
    pub(crate) threads: usize,
    pub(crate) memory_max: Option<u64>,
}

impl How {
    /// Sets up a game and solves it.
    pub(crate) fn solve(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        set_up: impl FnOnce() -> Result<(Rules, Option<About>), Failure> + Send,
    ) -> PyResult<Answers> {
        let known = watched(py, progress, |signal| {
            let (rules, about) = set_up()?;
            let mut solver = Solver::new().threads(self.threads).distances(self.distances);
            if let Some(bytes) = self.memory_max {
                solver = solver.memory_max(bytes);
            }
            solver = solver.progress(|at| {
                let stop = signal.report(at.level, at.settled, at.states);
                if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let solution = rules.solve(solver).map_err(Failure::Unsolved)?;
            Ok(Known { values: Values::Solved(solution), rules: Some(rules), about })
        })?;
        Ok(Answers::new(known))
    }
}

/// Solves a game of the program. `parameters` are JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a caller in Python gives them by name")]
#[pyo3(signature = (game, parameters, board, distances, threads, memory_max, progress))]
pub(crate) fn solve(
    py: Python<'_>,
    game: String,
    parameters: &str,
    board: Option<String>,
    distances: bool,
    threads: usize,
    memory_max: Option<u64>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Answers> {
    let how = How { distances, threads, memory_max };
    how.solve(py, progress.as_ref(), move || {
        let parameters = serde_json::from_str(parameters)
            .map_err(|error| Failure::Input(ReadError::whole(error.to_string())))?;
        let about = About { game, parameters, board, ..About::default() };
        let rules = recipe::rules(&about).ok_or_else(|| {
            let what =
                format!("there is no game `{}`: graph, pursuit, chase, take or corner", about.game);
            Failure::Input(ReadError::whole(what))
        })??;
        Ok((rules, Some(about)))
    })
}
