//! A folder with tables of any family of regions, probed by the texts of positions.

use std::path::PathBuf;

use pyo3::prelude::*;
use rayon::prelude::*;
use retrograde::Value;
use retrograde_catalog::{Oracle, OracleError, State, open_family};
use retrograde_table::Options;

use crate::codes::{Columns, NONE, code};
use crate::failure::Failure;
use crate::held_game::{Arrays, arrays};
use crate::pool::pool;
use crate::scene;
use crate::watch::watched;

/// An open folder of tables of regions.
#[pyclass(frozen, module = "retrograde._engine")]
pub(crate) struct TableFolder {
    path: PathBuf,
    oracle: Oracle,
}

/// A value and a distance, as numbers.
type Coded = (i8, Option<i64>);

/// The positions of a line, how it ends, the value of the last one, and the ply that a cycle returns to.
type Played = (Vec<String>, &'static str, i8, Option<usize>);

#[pymethods]
impl TableFolder {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> Result<TableFolder, Failure> {
        let opened = py.detach(|| open_family(&path, Options::new()))?;
        let missing = || {
            let path = path.display();
            Failure::Input(format!(
                "{path}: there are no tables of regions here; `retrograde build` makes some"
            ))
        };
        let (_, oracle) = opened.ok_or_else(missing)?;
        Ok(TableFolder { oracle, path })
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    #[getter]
    fn game(&self) -> &str {
        self.oracle.game()
    }

    #[getter]
    fn distances(&self) -> bool {
        self.oracle.has_distances()
    }

    /// The names of the regions whose tables are finished, in order.
    #[getter]
    fn regions(&self) -> Vec<String> {
        self.oracle.regions()
    }

    #[getter]
    fn start(&self) -> Option<String> {
        self.oracle.start().map(|start| self.oracle.text(&start))
    }

    /// A position in the notation of the game, and its region.
    fn read(&self, text: &str) -> Result<(String, Option<String>), Failure> {
        let state = self.state(text)?;
        Ok((self.oracle.text(&state), self.oracle.region_of(&state)))
    }

    /// The value of a position for the player to move.
    fn probe(&self, text: &str) -> Result<Coded, Failure> {
        Ok(self.coded(self.oracle.value(&self.state(text)?)?))
    }

    /// The values of many positions. All threads work on it.
    fn probe_many<'py>(&self, py: Python<'py>, texts: Vec<String>) -> PyResult<Arrays<'py>> {
        let distances = self.oracle.has_distances();
        let value = |text: &String| Ok(code(self.oracle.value(&self.state(text)?)?, distances));
        let found = || texts.par_iter().map(value).collect::<Result<Vec<_>, Failure>>();
        let (values, distances) = py.detach(|| pool().install(found))?.into_iter().unzip();
        Ok(arrays(py, Columns { values, distances }))
    }

    /// The moves of a position, best first: the name of each, where it leads, and its value for the player who makes
    /// it.
    fn moves(&self, text: &str) -> Result<Vec<(String, Option<String>, Coded)>, Failure> {
        let moves = self.oracle.choices(&self.state(text)?)?.moves.into_iter();
        let moves = moves.map(|played| {
            let to = Some(self.oracle.text(&played.step.next));
            (played.step.name, to, self.coded(Some(played.value)))
        });
        Ok(moves.collect())
    }

    /// Best play: its positions, how it ends, the value of the last position, and the ply that a cycle returns to.
    fn line(&self, text: &str) -> Result<Played, Failure> {
        let line = self.oracle.line(&self.state(text)?)?;
        let states = line.states.iter().map(|state| self.oracle.text(state)).collect();
        Ok((states, line.kind, self.coded(Some(line.last)).0, line.back_to))
    }

    /// The board of a position as text and as SVG.
    fn picture(&self, text: &str) -> Result<Option<(String, String)>, Failure> {
        scene::position(&self.oracle, &self.state(text)?)
    }

    /// Checks every byte of the table of a region.
    fn check(&self, py: Python<'_>, region: &str) -> PyResult<()> {
        watched(py, None, |_| Ok(self.oracle.check(region)?))
    }
}

impl TableFolder {
    fn state(&self, text: &str) -> Result<State, Failure> {
        Ok(self.oracle.parse(text)?)
    }

    fn coded(&self, value: Option<Value>) -> Coded {
        let (value, distance) = code(value, self.oracle.has_distances());
        (value, (distance != NONE).then_some(distance))
    }
}

impl From<OracleError> for Failure {
    fn from(error: OracleError) -> Failure {
        match error {
            OracleError::State(problem) => Failure::State(problem),
            OracleError::Table(error) => Failure::Table(error),
            OracleError::Tables(error) => Failure::Tablebase(error),
            error => Failure::NoRules(error.to_string()),
        }
    }
}
