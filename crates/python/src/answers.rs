//! The questions to a solved game, for one state or for an array of states.

use std::collections::BTreeMap;
use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use retrograde::Value;
use retrograde::checks::{Verifier, VerifyError};
use retrograde::play::{LineEnd, line, moves};
use retrograde_catalog::{AnyGame, Engine, Rules, from_about};
use retrograde_games::GameSpec;
use retrograde_picture::{Histogram, lettered};
use retrograde_table::{About, Compression, Options, Table, TableError, WithRules};

use crate::codes::{Columns, NONE, code};
use crate::failure::Failure;
use crate::known::{Known, Values};
use crate::pool::pool;
use crate::save::Save;
use crate::watch::watched;

/// A solved game: a solution, or an open table.
#[pyclass(frozen, module = "retrograde._engine")]
pub(crate) struct Answers {
    known: Known,
}

/// A value and a distance, as numbers.
type Coded = (i8, Option<i64>);
/// A line of play: the states, how it ends, the value at the end, and the ply that a cycle returns to.
type Played = (Vec<u64>, &'static str, Coded, Option<usize>);
/// Values and distances of many states.
pub(crate) type Arrays<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i64>>);

impl Answers {
    /// The answers of a game with known values.
    pub(crate) fn new(known: Known) -> Answers {
        Answers { known }
    }

    fn coded(&self, value: Option<Value>) -> Coded {
        let (value, distance) = code(value, self.known.has_distances());
        (value, (distance != NONE).then_some(distance))
    }
}

/// Opens a table. `cache_bytes` is how much of it stays unpacked.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf, cache_bytes: u64) -> Result<Answers, Failure> {
    py.detach(|| {
        let table = Options::new().cache_bytes(cache_bytes).open(path)?;
        let about = table.header().about.clone();
        let game = match GameSpec::find(&about.game) {
            Some(_) => Some(game_of(&about, &table)?),
            None => None,
        };
        Ok(Answers::new(Known { values: Values::Table(Box::new(table)), game, about: Some(about) }))
    })
}

/// The game that a table names.
fn game_of(about: &About, table: &Table) -> Result<Box<dyn AnyGame>, Failure> {
    let name = table.path().display().to_string();
    let game = from_about(about, &name).and_then(|setup| retrograde_catalog::game(&setup));
    let game = game.map_err(|error| TableError::Header {
        path: table.path().into(),
        problem: error.to_string(),
    })?;
    // If the rules do not fit, fail now and not at the first question.
    WithRules::new(&Rules(&*game), table)?;
    Ok(game)
}

#[pymethods]
impl Answers {
    /// How many numbers the states have, including invalid ones.
    #[getter]
    fn numbers(&self) -> u64 {
        self.known.states()
    }

    #[getter]
    fn distances(&self) -> bool {
        self.known.has_distances()
    }

    #[getter]
    fn bytes(&self) -> u64 {
        match &self.known.values {
            Values::Solved(solution) => solution.bytes(),
            Values::Table(table) => table.bytes(),
        }
    }

    #[getter]
    fn path(&self) -> Option<PathBuf> {
        match &self.known.values {
            Values::Solved(_) => None,
            Values::Table(table) => Some(table.path().into()),
        }
    }

    /// The header of a table as in the file, or of a game that was just solved.
    #[getter]
    fn header(&self) -> String {
        match (&self.known.values, &self.known.about) {
            (Values::Table(table), _) => table.header_text().to_owned(),
            (_, Some(about)) => serde_json::to_string(about).unwrap_or_default(),
            (_, None) => "{}".to_owned(),
        }
    }

    #[getter]
    fn sides(&self) -> Vec<&'static str> {
        self.known.game.as_ref().map_or(Vec::new(), |game| game.sides().to_vec())
    }

    #[getter]
    fn start(&self) -> Option<u64> {
        self.known.game.as_ref()?.start_state()
    }

    fn probe(&self, state: u64) -> Result<Coded, Failure> {
        Ok(self.coded(Some(self.known.value(state)?)))
    }

    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray1<'py, u64>,
    ) -> PyResult<Arrays<'py>> {
        let states = states.as_slice()?;
        let columns = py.detach(|| pool().install(|| self.known.probe_many(states)))?;
        Ok(arrays(py, columns))
    }

    fn range<'py>(&self, py: Python<'py>, first: u64, count: u64) -> PyResult<Arrays<'py>> {
        let states = self.known.states();
        if first.checked_add(count).is_none_or(|end| end > states) {
            let problem =
                format!("there are no {count} states from {first} on: there are {states} in all");
            return Err(Failure::State(problem).into());
        }
        let columns = py.detach(|| pool().install(|| self.known.range(first, count as usize)))?;
        Ok(arrays(py, columns))
    }

    /// The moves of a state, best first: where each leads, and its value.
    fn moves(&self, state: u64) -> Result<Vec<(Option<u64>, Coded)>, Failure> {
        let game = self.known.game()?;
        self.known.value(state)?;
        let values = game.values(self.known.source())?;
        let moves = moves(&Rules(game), &&*values, state)?;
        Ok(moves.into_iter().map(|one| (one.to, self.coded(Some(one.value)))).collect())
    }

    /// Best play.
    fn line(&self, state: u64) -> Result<Played, Failure> {
        let game = self.known.game()?;
        self.known.value(state)?;
        let values = game.values(self.known.source())?;
        let line = line(&Rules(game), &&*values, state)?;
        let last = *line.states.last().expect("a line has the state it begins in");
        let value = Some(self.known.value(last)?);
        Ok(match line.end {
            LineEnd::Terminal(value) => (line.states, "terminal", self.coded(Some(value)), None),
            LineEnd::Stuck => (line.states, "stuck", self.coded(value), None),
            LineEnd::Exit(value) => (line.states, "exit", self.coded(Some(value)), None),
            LineEnd::Broken { found, expected } => {
                let (found, expected) = (Some(found), Some(expected));
                return Err(Failure::Broken(VerifyError::Value { state: last, found, expected }));
            }
            LineEnd::Cycle { back_to } => (line.states, "cycle", self.coded(value), Some(back_to)),
        })
    }

    fn text(&self, state: u64) -> Result<String, Failure> {
        self.known.value(state)?;
        Ok(self.known.game()?.text(state).unwrap_or_default())
    }

    fn picture(&self, state: u64) -> Result<Option<String>, Failure> {
        self.known.value(state)?;
        let game = self.known.game()?;
        let board = game.position(state).and_then(|position| game.board(&position));
        Ok(board.and_then(|board| lettered(&board)))
    }

    /// How many states are won and lost at each distance, drawn as SVG.
    fn histogram(&self, title: String) -> Result<String, Failure> {
        let levels = self.known.levels()?;
        Ok(Histogram { title, notes: Vec::new(), levels, logarithmic: true }.svg())
    }

    fn side_to_move(&self, state: u64) -> Result<&'static str, Failure> {
        self.known.value(state)?;
        let game = self.known.game()?;
        Ok(game.sides()[game.facts().turns.side(state)])
    }

    fn parse(&self, text: &str) -> Result<u64, Failure> {
        let parsed = self.known.game()?.state(text);
        parsed.map_err(|problem| Failure::State(format!("state {text}: {problem}")))
    }

    /// How many states each side wins, loses, draws, and how many numbers are invalid.
    fn counts(&self, py: Python<'_>) -> BTreeMap<String, (u64, u64, u64, u64)> {
        let counts = py.detach(|| self.known.counts());
        counts
            .into_iter()
            .map(|(side, of)| (side, (of.win, of.loss, of.draw, of.invalid)))
            .collect()
    }

    /// How many states win and lose at each distance.
    fn levels(&self) -> Result<Vec<(u32, u64, u64)>, Failure> {
        let levels = self.known.levels()?;
        Ok(levels.into_iter().map(|level| (level.distance, level.wins, level.losses)).collect())
    }

    /// Checks that every value follows from the rules and the values one move later.
    fn verify(&self, py: Python<'_>, progress: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let game = self.known.game()?;
        watched(py, progress.as_ref(), |signal| {
            let verifier = Verifier::new().progress(|at| signal.report(0, at.done, at.states));
            let verified = game.verify(Engine::BitParallel, verifier, self.known.source());
            verified.map(drop).map_err(Failure::Broken)
        })
    }

    /// Checks every byte of a table.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        match &self.known.values {
            Values::Solved(_) => Ok(()),
            Values::Table(table) => watched(py, None, |_| Ok(table.check()?)),
        }
    }

    /// Writes a table. `about` describes a game without a name in this package: its own name, and its parameters in
    /// JSON.
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        compression: &str,
        half: bool,
        about: Option<(String, String)>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let compression = match compression {
            "none" => Compression::None,
            "fast" => Compression::Fast,
            "standard" => Compression::Standard,
            "best" => Compression::Best,
            other => {
                let what = format!("{other:?} is no compression: none, fast, standard or best");
                return Err(Failure::Input(what).into());
            }
        };
        let about = about.map(|(game, parameters)| {
            let parameters = serde_json::from_str(&parameters);
            let parameters =
                parameters.map_err(|error| Failure::Input(format!("parameters: {error}")))?;
            Ok::<_, Failure>(About { game, parameters, ..About::default() })
        });
        let save = Save { compression, half, about: about.transpose()? };
        watched(py, progress.as_ref(), |signal| save.write(&self.known, &path, signal))
    }
}

pub(crate) fn arrays(py: Python<'_>, columns: Columns) -> Arrays<'_> {
    (columns.values.into_pyarray(py), columns.distances.into_pyarray(py))
}
