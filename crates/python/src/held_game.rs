//! The questions to a solved game, for one state or for an array of states.

use std::collections::BTreeMap;
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;
use retrograde::checks::{Verifier, VerifyError};
use retrograde::play::{LineEnd, Move, line, moves};
use retrograde::{Game, Status, Value};
use retrograde_catalog::{CompiledGame, Engine, GameOracle, Known, Oracle, from_about};
use retrograde_games::find_game;
use retrograde_picture::{Histogram, NODES_MAX, Node};
use retrograde_table::{About, Compression, Options, Table, TableError, WithRules};

use crate::codes::{Columns, NONE, code};
use crate::failure::Failure;
use crate::pool::pool;
use crate::save::Save;
use crate::scene;
use crate::solved_game::SolvedGame;
use crate::watch::watched;

/// A solved game: a solution, or an open table.
#[pyclass(frozen, module = "retrograde._engine")]
pub(crate) struct HeldGame {
    solved: SolvedGame,
}

/// A value and a distance, as numbers.
type Coded = (i8, Option<i64>);
/// A line of play: the states, how it ends, the value at the end, and the ply that a cycle returns to.
type Played = (Vec<u64>, &'static str, Coded, Option<usize>);
/// Values and distances of many states.
pub(crate) type Arrays<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i64>>);

/// Where the moves of each state begin, where they lead, and their values and distances.
type MoveArrays<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Arrays<'py>);

impl HeldGame {
    /// The answers of a game with known values.
    pub(crate) fn new(solved: SolvedGame) -> HeldGame {
        HeldGame { solved }
    }

    fn oracle(&self) -> Result<Oracle, Failure> {
        self.solved.game()?;
        let game = self.solved.game.clone().expect("there is one");
        Ok(Oracle::new(GameOracle::new(game, self.solved.known.clone())?))
    }

    fn coded(&self, value: Option<Value>) -> Coded {
        let (value, distance) = code(value, self.solved.known.has_distances());
        (value, (distance != NONE).then_some(distance))
    }
}

/// Opens a table. `cache_bytes` is how much of it stays unpacked.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf, cache_bytes: u64) -> Result<HeldGame, Failure> {
    py.detach(|| {
        let table = Options::new().cache_bytes(cache_bytes).open(path)?;
        let about = table.header().about.clone();
        let game = match find_game(&about.game) {
            Some(_) => Some(game_of(&about, &table)?),
            None => None,
        };
        let known = Known::Table(Arc::new(table));
        Ok(HeldGame::new(SolvedGame { known, game, about: Some(about) }))
    })
}

/// The game that a table names.
fn game_of(about: &About, table: &Table) -> Result<Arc<dyn CompiledGame>, Failure> {
    let name = table.path().display().to_string();
    let game = from_about(about, &name).and_then(|setup| retrograde_catalog::game(&setup));
    let game = game.map_err(|error| TableError::Header {
        path: table.path().into(),
        problem: error.to_string(),
    })?;
    // If the rules do not fit, fail now and not at the first question.
    WithRules::new(&game.rules(), table)?;
    Ok(game)
}

#[pymethods]
impl HeldGame {
    /// How many numbers the states have, including invalid ones.
    #[getter]
    fn numbers(&self) -> u64 {
        self.solved.known.states()
    }

    #[getter]
    fn distances(&self) -> bool {
        self.solved.known.has_distances()
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.solved.known.bytes()
    }

    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.solved.known.table().map(|table| table.path().into())
    }

    /// The header of a table as in the file, or of a game that was just solved.
    #[getter]
    fn header(&self) -> String {
        match (self.solved.known.table(), &self.solved.about) {
            (Some(table), _) => table.header_text().to_owned(),
            (_, Some(about)) => serde_json::to_string(about).unwrap_or_default(),
            (_, None) => "{}".to_owned(),
        }
    }

    #[getter]
    fn sides(&self) -> Vec<&'static str> {
        self.solved.game.as_ref().map_or(Vec::new(), |game| game.sides().to_vec())
    }

    #[getter]
    fn start(&self) -> Option<u64> {
        self.solved.game.as_ref()?.start_state()
    }

    fn probe(&self, state: u64) -> Result<Coded, Failure> {
        Ok(self.coded(Some(self.solved.value(state)?)))
    }

    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray1<'py, u64>,
    ) -> PyResult<Arrays<'py>> {
        let states = states.as_slice()?;
        let columns = py.detach(|| pool().install(|| self.solved.probe_many(states)))?;
        Ok(arrays(py, columns))
    }

    fn range<'py>(&self, py: Python<'py>, first: u64, count: u64) -> PyResult<Arrays<'py>> {
        let states = self.solved.known.states();
        if first.checked_add(count).is_none_or(|end| end > states) {
            let problem =
                format!("there are no {count} states from {first} on: there are {states} in all");
            return Err(Failure::State(problem).into());
        }
        let columns = py.detach(|| pool().install(|| self.solved.range(first, count as usize)))?;
        Ok(arrays(py, columns))
    }

    /// The moves of a state, best first: where each leads, and its value.
    fn moves(&self, state: u64) -> Result<Vec<(Option<u64>, Coded)>, Failure> {
        let game = self.solved.game()?;
        self.solved.value(state)?;
        let values = game.values(&self.solved.known)?;
        let moves = moves(&game.rules(), &&*values, state)?;
        Ok(moves.into_iter().map(|one| (one.to, self.coded(Some(one.value)))).collect())
    }

    /// The moves of many states: where the moves of each state begin and where those of the last end; then for each move where
    /// it leads (-1: out of the game), its value and its distance.
    fn moves_many<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray1<'py, u64>,
    ) -> PyResult<MoveArrays<'py>> {
        let states = states.as_slice()?;
        let distances = self.solved.known.has_distances();
        let (offsets, targets, columns) = py.detach(|| {
            let game = self.solved.game()?;
            let values = game.values(&self.solved.known)?;
            let moves_of = |&state: &u64| {
                self.solved.value(state)?;
                Ok(moves(&game.rules(), &&*values, state)?)
            };
            let found: Vec<Vec<Move>> = pool()
                .install(|| states.par_iter().map(moves_of).collect::<Result<_, Failure>>())?;
            let ends = found.iter().scan(0, |end, moves| {
                *end += moves.len() as i64;
                Some(*end)
            });
            let offsets: Vec<i64> = iter::once(0).chain(ends).collect();
            let all = found.iter().flatten();
            let targets = all.clone().map(|one| one.to.map_or(NONE, |to| to as i64)).collect();
            let (values, distances) = all.map(|one| code(Some(one.value), distances)).unzip();
            Ok::<_, Failure>((offsets, targets, Columns { values, distances }))
        })?;
        let targets: Vec<i64> = targets;
        Ok((offsets.into_pyarray(py), targets.into_pyarray(py), arrays(py, columns)))
    }

    /// Best play.
    fn line(&self, state: u64) -> Result<Played, Failure> {
        let game = self.solved.game()?;
        self.solved.value(state)?;
        let values = game.values(&self.solved.known)?;
        let line = line(&game.rules(), &&*values, state)?;
        let last = *line.states.last().expect("a line has the state it begins in");
        let value = Some(self.solved.value(last)?);
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
        self.solved.value(state)?;
        Ok(self.solved.game()?.text(state).unwrap_or_default())
    }

    /// The texts of many states; `None` for an invalid number.
    fn texts(
        &self,
        py: Python<'_>,
        states: PyReadonlyArray1<'_, u64>,
    ) -> PyResult<Vec<Option<String>>> {
        let states = states.as_slice()?;
        let text = |&state: &u64| {
            let (state, game) = (self.solved.check(state)?, self.solved.game()?);
            let valid = game.rules().status(state) != Status::Invalid;
            Ok(if valid { game.text(state) } else { None })
        };
        let texts = || states.par_iter().map(text).collect::<Result<_, Failure>>();
        Ok(py.detach(|| pool().install(texts))?)
    }

    /// The board of a state as text and as SVG.
    fn picture(&self, state: u64) -> Result<Option<(String, String)>, Failure> {
        self.solved.value(state)?;
        let position = self.solved.game()?.position(state);
        position.map_or(Ok(None), |position| scene::position(&self.oracle()?, &position))
    }

    /// The board of the start as SVG, with the values of the states that differ by the place of one man.
    fn map(&self, title: &str) -> Result<Option<String>, Failure> {
        let Some(start) = self.solved.game.as_ref().and_then(|game| game.start()) else {
            return Ok(None);
        };
        scene::map(&self.oracle()?, &start, title)
    }

    /// All states and moves of a small graph as SVG. Without names, a state has its text. `None` if there are too many, or if the
    /// game has boards, which show more.
    fn graph(&self, title: String, names: Option<Vec<String>>) -> Result<Option<String>, Failure> {
        let states = self.solved.known.states();
        let Some(game) = self.solved.game.as_deref().filter(|_| states <= NODES_MAX as u64) else {
            return Ok(None);
        };
        let (mut nodes, mut numbers) = (Vec::new(), Vec::new());
        for state in 0..states {
            let board = game.position(state).and_then(|position| game.board(&position));
            match self.solved.probe(state)? {
                Some(_) if board.is_some() => return Ok(None),
                Some(value) => {
                    let name = names.as_ref().map(|names| names.get(state as usize).cloned());
                    let name = name.unwrap_or_else(|| game.text(state)).unwrap_or_default();
                    nodes.push(Node { name, value });
                    numbers.push(state);
                }
                None => {}
            }
        }
        let values = game.values(&self.solved.known)?;
        let mut edges = Vec::new();
        for (from, &state) in numbers.iter().enumerate() {
            for one in moves(&game.rules(), &&*values, state)? {
                let to = one.to.and_then(|to| numbers.iter().position(|&number| number == to));
                edges.extend(to.map(|to| (from, to, one.value)));
            }
        }
        Ok(Some(scene::graph(title, nodes, edges, self.solved.known.has_distances()).svg()))
    }

    /// How many states are won and lost at each distance, drawn as SVG.
    fn histogram(&self, title: String) -> Result<String, Failure> {
        let levels = self.solved.known.levels()?;
        Ok(Histogram { title, notes: Vec::new(), levels, logarithmic: true }.svg())
    }

    fn side_to_move(&self, state: u64) -> Result<&'static str, Failure> {
        self.solved.value(state)?;
        let game = self.solved.game()?;
        Ok(game.sides()[game.facts().turns.side(state)])
    }

    fn parse(&self, text: &str) -> Result<u64, Failure> {
        let parsed = self.solved.game()?.state(text);
        parsed.map_err(|problem| Failure::State(format!("state {text}: {problem}")))
    }

    /// How many states each side wins, loses, draws, and how many numbers are invalid.
    fn counts(&self, py: Python<'_>) -> BTreeMap<String, (u64, u64, u64, u64)> {
        let counts = py.detach(|| self.solved.counts());
        counts
            .into_iter()
            .map(|(side, of)| (side, (of.win, of.loss, of.draw, of.invalid)))
            .collect()
    }

    /// How many states win and lose at each distance.
    fn levels(&self) -> Result<Vec<(u32, u64, u64)>, Failure> {
        let levels = self.solved.known.levels()?;
        Ok(levels.into_iter().map(|level| (level.distance, level.wins, level.losses)).collect())
    }

    /// Checks that every value follows from the rules and the values one move later.
    fn verify(&self, py: Python<'_>, progress: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let game = self.solved.game()?;
        watched(py, progress.as_ref(), |signal| {
            let verifier = Verifier::new().progress(|at| signal.report(at));
            let verified = game.verify(Engine::BitParallel, verifier, &self.solved.known);
            verified.map(drop).map_err(Failure::Broken)
        })
    }

    /// Checks every byte of a table.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        match self.solved.known.table() {
            None => Ok(()),
            Some(table) => watched(py, None, |_| Ok(table.check()?)),
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
        watched(py, progress.as_ref(), |signal| save.write(&self.solved, &path, signal))
    }
}

pub(crate) fn arrays(py: Python<'_>, columns: Columns) -> Arrays<'_> {
    (columns.values.into_pyarray(py), columns.distances.into_pyarray(py))
}
