//! Collects the states and moves of a game from Python: of a graph, or of a game that is written there.

use std::sync::Arc;

use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use retrograde::adapters::Explicit;
use retrograde_catalog::CompiledGame;

use crate::failure::Failure;
use crate::held_game::HeldGame;
use crate::solve::{How, SetUp};
use crate::stored::{Backwards, Moves, Stored, parse};

/// States and moves. The caller adds them run by run, in the order of states, until all are there.
#[pyclass(module = "retrograde._engine")]
pub(crate) struct Lists {
    states: u64,
    game: Stored,
    /// The most bytes that all of it may take, up to the solution.
    limit: u64,
    /// How many bytes the caller keeps for the solution.
    beside: u64,
}

#[pymethods]
impl Lists {
    /// Refuses a number of states that does not fit in `limit` bytes. The caller has `beside` bytes of its own, which count.
    #[new]
    fn new(states: u64, limit: u64, beside: u64) -> Result<Lists, Failure> {
        if states > 1 << 32 {
            let problem =
                format!("{states} states: a game whose moves are stored has at most 2^32");
            return Err(Failure::Rules(problem));
        }
        let mut lists = Lists { states, game: Stored::new(states), limit, beside };
        lists.expect(0)?;
        if !lists.game.reserve() {
            return Err(lists.refusal(states, lists.game.bytes(0)));
        }
        Ok(lists)
    }

    /// Refuses a number of moves that does not fit in memory, before they are there.
    fn expect(&self, moves: u64) -> Result<(), Failure> {
        self.check(self.states, moves, 0)
    }

    /// The number of the state that a text names.
    fn parse(&self, text: &str) -> Result<u64, Failure> {
        parse(text, self.states).map_err(Failure::State)
    }

    /// Adds the next states, with a row of moves for each open one.
    fn add_rows(
        &mut self,
        py: Python<'_>,
        status: PyReadonlyArray1<'_, i8>,
        distances: Option<PyReadonlyArray1<'_, i64>>,
        rows: PyReadonlyArray2<'_, i64>,
    ) -> PyResult<()> {
        let moves = Moves::Rows { width: rows.shape()[1], to: rows.as_slice()? };
        self.add(py, &status, distances.as_ref(), &moves)
    }

    /// Adds the next states, with moves as pairs of states.
    fn add_pairs(
        &mut self,
        py: Python<'_>,
        status: PyReadonlyArray1<'_, i8>,
        distances: Option<PyReadonlyArray1<'_, i64>>,
        origins: PyReadonlyArray1<'_, i64>,
        targets: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<()> {
        let moves = Moves::Pairs { from: origins.as_slice()?, to: targets.as_slice()? };
        self.add(py, &status, distances.as_ref(), &moves)
    }

    /// Adds the next states, with moves as arrays of two columns, from and to.
    fn add_edges(
        &mut self,
        py: Python<'_>,
        status: PyReadonlyArray1<'_, i8>,
        distances: Option<PyReadonlyArray1<'_, i64>>,
        edges: Vec<PyReadonlyArray2<'_, i64>>,
    ) -> PyResult<()> {
        let edges: Result<_, _> = edges.iter().map(|edges| edges.as_slice()).collect();
        self.add(py, &status, distances.as_ref(), &Moves::Edges(edges?))
    }

    /// Adds the next states, with a list of moves for each: all lists in one array, and where each begins.
    fn add_lists(
        &mut self,
        py: Python<'_>,
        status: PyReadonlyArray1<'_, i8>,
        distances: Option<PyReadonlyArray1<'_, i64>>,
        offsets: PyReadonlyArray1<'_, i64>,
        targets: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<()> {
        let moves = Moves::Lists { offsets: offsets.as_slice()?, to: targets.as_slice()? };
        self.add(py, &status, distances.as_ref(), &moves)
    }

    /// Says who is to move in each state: a move between two states of one player keeps the turn.
    fn set_players(&mut self, players: PyReadonlyArray1<'_, u8>) -> PyResult<()> {
        self.game.set_players(players.as_slice()?)?;
        Ok(self.expect(self.game.moves())?)
    }

    /// Solves the game, and leaves this object empty. With `misere`, a player who cannot move wins.
    fn solve(
        &mut self,
        py: Python<'_>,
        misere: bool,
        distances: bool,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<HeldGame> {
        let mut game = std::mem::take(&mut self.game);
        let how = How { distances, threads, memory_max: Some(self.limit) };
        how.solve(py, progress.as_ref(), || {
            if misere {
                game.let_stuck_win();
            }
            game.check()?;
            let stored = self.beside + game.bytes(game.moves());
            let needed = stored + Explicit::memory_needed(&game);
            if needed > self.limit {
                return Err(self.refusal(self.states, needed));
            }
            let game = Explicit::from_game(game);
            let held = stored + game.bytes();
            let game: Arc<dyn CompiledGame> = Arc::new(Backwards(game));
            Ok(SetUp { game, about: None, held })
        })
    }
}

impl Lists {
    fn add(
        &mut self,
        py: Python<'_>,
        status: &PyReadonlyArray1<'_, i8>,
        distances: Option<&PyReadonlyArray1<'_, i64>>,
        moves: &Moves<'_>,
    ) -> PyResult<()> {
        let status = status.as_slice()?;
        let distances = distances.map(|distances| distances.as_slice()).transpose()?;
        Ok(py.detach(|| {
            let first = self.game.len();
            if first + status.len() as u64 > self.states {
                let problem =
                    format!("there are more states than the {} there should be", self.states);
                return Err(Failure::Rules(problem));
            }
            self.game.add_states(status, distances)?;
            self.game.count(first, moves)?;
            let arrays = size_of_val(status) + distances.map_or(0, size_of_val) + moves.bytes();
            self.check(self.game.len(), self.game.moves(), arrays as u64)?;
            self.game.fill(first, moves)
        })?)
    }

    /// Refuses what does not fit in memory: the moves of so many states, with arrays of the caller, or later, without
    /// these, with the moves backwards and with a byte a state for the solve.
    fn check(&self, found: u64, moves: u64, arrays: u64) -> Result<(), Failure> {
        let backwards = 8 * (self.states + 1) + 4 * moves;
        let needed = self.beside + self.game.bytes(moves) + arrays.max(backwards + self.states);
        if needed <= self.limit { Ok(()) } else { Err(self.refusal(found, needed)) }
    }

    fn refusal(&self, found: u64, needed: u64) -> Failure {
        let states = self.states;
        let what = if found == states {
            format!("{states} states and their moves take")
        } else {
            format!("the moves of the first {found} of {states} states take")
        };
        Failure::Memory { what, needed, limit: self.limit }
    }
}
