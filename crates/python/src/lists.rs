//! A game given by its states and its lists of moves: a graph, or a game that is written in Python.

use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use retrograde::adapters::Explicit;
use retrograde::{Game, Predecessors, Status, forward};
use retrograde_catalog::AnyGame;
use retrograde_games::Show;

use crate::answers::Answers;
use crate::codes::{self, INVALID, NONE, OPEN, WIN};
use crate::failure::Failure;
use crate::solve::How;

/// States and moves. The caller adds them run by run, in the order of states, until all are there.
#[pyclass(module = "retrograde._engine")]
pub(crate) struct Lists {
    states: u64,
    game: Stored,
}

/// The moves of a run of states, as Python has them.
enum Moves<'a> {
    /// A row of equal length for each open state. Negative numbers are no moves.
    Rows { width: usize, to: &'a [i64] },
    /// Pairs of states, from and to, in any order.
    Pairs { from: &'a [i64], to: &'a [i64] },
    /// The begin and end of each state's list, and all lists in one array.
    Lists { offsets: &'a [i64], to: &'a [i64] },
}

#[pymethods]
impl Lists {
    #[new]
    fn new(states: u64) -> Result<Lists, Failure> {
        if states > 1 << 32 {
            let problem =
                format!("{states} states: a game whose moves are stored has at most 2^32");
            return Err(Failure::Rules(problem));
        }
        let game =
            Stored { codes: Vec::new(), longer: Vec::new(), offsets: vec![0], targets: Vec::new() };
        Ok(Lists { states, game })
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

    /// Solves the game, and leaves this object empty. With `misere`, a player who cannot move wins.
    #[pyo3(signature = (misere, distances, threads, memory_max, progress))]
    fn solve(
        &mut self,
        py: Python<'_>,
        misere: bool,
        distances: bool,
        threads: usize,
        memory_max: Option<u64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Answers> {
        let mut game = std::mem::take(&mut self.game);
        let states = self.states;
        let how = How { distances, threads, memory_max };
        how.solve(py, progress.as_ref(), move || {
            if misere {
                game.let_stuck_win();
            }
            game.check(states)?;
            let game: Box<dyn AnyGame> = Box::new(Backwards(Explicit::from_game(game)));
            Ok((game, None))
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
            let first = self.game.codes.len() as u64;
            self.game.add_states(status, distances)?;
            if self.game.codes.len() as u64 > self.states {
                let problem =
                    format!("there are more states than the {} there should be", self.states);
                return Err(Failure::Rules(problem));
            }
            let states = self.states;
            match *moves {
                Moves::Rows { width, to } => self.game.add_rows(states, first, width, to),
                Moves::Pairs { from, to } => self.game.add_pairs(states, first, from, to),
                Moves::Lists { offsets, to } => self.game.add_lists(states, first, offsets, to),
            }
        })?)
    }
}

/// A game with stored moves.
#[derive(Default)]
struct Stored {
    /// The status of each state.
    codes: Vec<i8>,
    /// The states that the rules decide with a distance above 0, in order.
    longer: Vec<(u64, u32)>,
    /// Where the moves of each state begin, and where the last ones end.
    offsets: Vec<u64>,
    /// The targets of the moves of open states. The moves of other states are left out.
    targets: Vec<u32>,
}

impl Stored {
    fn add_states(&mut self, status: &[i8], distances: Option<&[i64]>) -> Result<(), Failure> {
        if distances.is_some_and(|distances| distances.len() != status.len()) {
            return Err(Failure::Rules("there is not one distance for each status".to_owned()));
        }
        for (at, &code) in status.iter().enumerate() {
            let state = self.codes.len() as u64;
            let distance = distances.map_or(NONE, |distances| distances[at]);
            match codes::status(code, distance) {
                Some(Status::Terminal(value)) => {
                    if let Some(plies @ 1..) = value.distance() {
                        self.longer.push((state, plies));
                    }
                }
                Some(_) => {}
                None => {
                    let problem = format!(
                        "state {state}: its status is {code} and its distance {distance}; a status is OPEN, WIN, \
                         LOSS, DRAW or INVALID, a distance from 0 to 2^32 - 1, or -1 where there is none"
                    );
                    return Err(Failure::Rules(problem));
                }
            }
            self.codes.push(code);
        }
        Ok(())
    }

    fn is_open(&self, state: u64) -> bool {
        self.codes[state as usize] == OPEN
    }

    fn add_rows(
        &mut self,
        states: u64,
        first: u64,
        width: usize,
        to: &[i64],
    ) -> Result<(), Failure> {
        let open = self.codes[first as usize..].iter().filter(|&&code| code == OPEN).count();
        if to.len() != open * width {
            let problem = format!("there is not one row of moves for each of {open} open states");
            return Err(Failure::Rules(problem));
        }
        let mut rest = to;
        for from in first..self.codes.len() as u64 {
            let len = if self.is_open(from) { width } else { 0 };
            let (row, after) = rest.split_at(len);
            self.add_moves(states, from, row.iter().copied().filter(|&to| to >= 0))?;
            rest = after;
        }
        Ok(())
    }

    fn add_lists(
        &mut self,
        states: u64,
        first: u64,
        offsets: &[i64],
        to: &[i64],
    ) -> Result<(), Failure> {
        let added = self.codes.len() as u64 - first;
        if offsets.len() as u64 != added + 1 {
            let problem = format!(
                "{} offsets for {added} states: there is one more than states",
                offsets.len()
            );
            return Err(Failure::Rules(problem));
        }
        for at in 0..added {
            let (begin, end) = (offsets[at as usize], offsets[at as usize + 1]);
            let list = usize::try_from(begin).ok().zip(usize::try_from(end).ok());
            let list = list.and_then(|(begin, end)| to.get(begin..end)).ok_or_else(|| {
                let state = first + at;
                Failure::Rules(format!(
                    "state {state}: its moves are said to lie from {begin} to {end} of {}",
                    to.len()
                ))
            })?;
            self.add_moves(states, first + at, list.iter().copied())?;
        }
        Ok(())
    }

    fn add_moves(
        &mut self,
        states: u64,
        from: u64,
        moves: impl Iterator<Item = i64>,
    ) -> Result<(), Failure> {
        if self.is_open(from) {
            for to in moves {
                self.targets.push(target(states, from, to)?);
            }
        }
        self.offsets.push(self.targets.len() as u64);
        Ok(())
    }

    /// Sorts the moves by their origins.
    fn add_pairs(
        &mut self,
        states: u64,
        first: u64,
        from: &[i64],
        to: &[i64],
    ) -> Result<(), Failure> {
        if from.len() != to.len() {
            let problem = format!("moves begin in {} states and lead to {}", from.len(), to.len());
            return Err(Failure::Rules(problem));
        }
        let added = self.codes.len() as u64 - first;
        let place = |from: i64| {
            let place = u64::try_from(from).ok().and_then(|from| from.checked_sub(first));
            place.filter(|&place| place < added).map(|place| place as usize).ok_or_else(|| {
                let last = first + added;
                Failure::Rules(format!("a move begins in state {from}: those asked for are {first} to {last}, without the last"))
            })
        };
        let mut ends = vec![0; added as usize];
        for &from in from {
            let place = place(from)?;
            ends[place] += u64::from(self.is_open(first + place as u64));
        }
        // First the number of moves of each state, then the begin of each list. Filling turns that into its end.
        let mut end = self.targets.len() as u64;
        for count in &mut ends {
            end += std::mem::replace(count, end);
        }
        self.targets.resize(end as usize, 0);
        for (&from, &to) in from.iter().zip(to) {
            let place = place(from)?;
            if self.is_open(first + place as u64) {
                self.targets[ends[place] as usize] = target(states, first + place as u64, to)?;
                ends[place] += 1;
            }
        }
        self.offsets.extend(ends);
        Ok(())
    }

    /// Makes every state without moves a win for the player who cannot move.
    fn let_stuck_win(&mut self) {
        for (code, offsets) in self.codes.iter_mut().zip(self.offsets.windows(2)) {
            if *code == OPEN && offsets[0] == offsets[1] {
                *code = WIN;
            }
        }
    }

    /// Refuses moves to states that do not exist, and missing states.
    fn check(&self, states: u64) -> Result<(), Failure> {
        let found = self.codes.len() as u64;
        if found != states {
            return Err(Failure::Rules(format!(
                "{found} states are there, and {states} should be"
            )));
        }
        let culprit = (0..self.codes.len()).into_par_iter().find_first(|&state| {
            let mut into_invalid = false;
            self.successors(state as u64, |to| into_invalid |= self.codes[to as usize] == INVALID);
            into_invalid
        });
        culprit.map_or(Ok(()), |state| {
            Err(Failure::Rules(format!("state {state}: a move leads to a state that is invalid")))
        })
    }
}

fn target(states: u64, from: u64, to: i64) -> Result<u32, Failure> {
    u64::try_from(to).ok().filter(|&to| to < states).map(|to| to as u32).ok_or_else(|| {
        Failure::Rules(format!(
            "state {from}: a move leads to {to}; states are numbered from 0 to {}",
            states - 1
        ))
    })
}

impl Game for Stored {
    fn states(&self) -> u64 {
        self.codes.len() as u64
    }

    fn status(&self, state: u64) -> Status {
        let distance = self.longer.binary_search_by_key(&state, |&(state, _)| state);
        let distance = distance.map_or(0, |at| i64::from(self.longer[at].1));
        codes::status(self.codes[state as usize], distance)
            .expect("only codes with a meaning are kept")
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64)) {
        let [begin, end] = [state, state + 1].map(|state| self.offsets[state as usize] as usize);
        self.targets[begin..end].iter().map(|&to| u64::from(to)).for_each(visit);
    }

    fn degree(&self, state: u64) -> u32 {
        (self.offsets[state as usize + 1] - self.offsets[state as usize]) as u32
    }
}

/// The same with its backward moves, and with the texts of [`Show`].
struct Backwards(Explicit<Stored>);

impl Game for Backwards {
    forward!(Game for this => this.0);
}

impl Predecessors for Backwards {
    forward!(Predecessors for this => this.0);
}

impl Show for Backwards {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn start(&self) -> Option<u64> {
        None
    }

    fn text(&self, state: u64) -> String {
        state.to_string()
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        parse(text, self.0.states())
    }
}

/// The text of a state is its number.
fn parse(text: &str, states: u64) -> Result<u64, String> {
    let state = text.trim().parse().ok().filter(|&state| state < states);
    state.ok_or_else(|| format!("{text:?} is no state: give a number below {states}"))
}
