//! Shared by the tests of tables: a temporary folder, games to write, a slow reader.

pub(crate) mod kinds;
pub(crate) mod twin;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use retrograde::{Code, Game, Predecessors, Probe, Status, Value};
use retrograde_games::{Board, Chase};
use retrograde_table::{BestExits, Kept, Recover, TableError};
use retrograde_testkit::Plain;

/// The folder of one test, removed at its end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("table-{}-{count}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names of the files in it, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A chase on a board, and the length of its rows.
pub(crate) fn chase(board: &Board, police: u32) -> (Chase, u64) {
    let chase = Chase::on_board(board, police).unwrap();
    let places = board.floor().count() as u64;
    let columns = (1..=u64::from(police)).fold(1, |crowds, i| crowds * (places + i - 1) / i);
    (chase, columns)
}

/// All values, probed one by one.
pub(crate) fn values<P: Probe>(probe: &P) -> Vec<Option<Value>>
where
    P::Error: std::fmt::Debug,
{
    (0..probe.states()).map(|state| probe.probe(state).unwrap()).collect()
}

/// Values that a test made up.
pub(crate) struct Given {
    pub values: Vec<Option<Value>>,
    pub distances: bool,
}

impl Probe for Given {
    type Error = std::convert::Infallible;

    fn states(&self) -> u64 {
        self.values.len() as u64
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error> {
        Ok(self.values[state as usize])
    }
}

/// The best exits that a test made up, for a table that keeps all states.
pub(crate) struct Told(pub Vec<Option<Value>>);

impl BestExits for Told {
    fn best_exit(&self, state: u64) -> Result<Option<Value>, TableError> {
        Ok(self.0[state as usize])
    }

    fn best_exits(&self, first: u64, exits: &mut [Code]) -> Result<(), TableError> {
        let told = &self.0[first as usize..];
        exits.iter_mut().zip(told).for_each(|(exit, told)| *exit = Code::of(*told));
        Ok(())
    }
}

impl Recover for Told {
    fn recover(&self, _: &Kept<'_>, _: u64, _: &mut [Option<Value>]) -> Result<(), TableError> {
        unreachable!("all states are kept")
    }
}

/// A value as a table with or without distances has it.
pub(crate) fn as_kept(value: Value, distances: bool) -> Value {
    match value {
        Value::Win(_) if !distances => Value::Win(0),
        Value::Loss(_) if !distances => Value::Loss(0),
        value => value,
    }
}

/// What a state is worth of which a table has a bound, as `FORMAT.md` says.
pub(crate) fn better(bound: Value, exit: Option<Value>, distances: bool) -> Value {
    exit.map_or(bound, |exit| as_kept(exit, distances).max(bound))
}

/// A game for two sides: each move of a stored game passes the turn. One side lacks some of the exits.
pub(crate) struct Sided {
    pub game: Plain,
    /// How many states of a side are in a row.
    pub columns: u64,
}

impl Sided {
    fn parts(&self, state: u64) -> (u64, u64) {
        let row = state / self.columns;
        (row / 2 * self.columns + state % self.columns, row % 2)
    }

    fn number(&self, state: u64, side: u64) -> u64 {
        (state / self.columns * 2 + side) * self.columns + state % self.columns
    }

    /// The value of the best exit.
    pub(crate) fn best_exit(&self, state: u64) -> Option<Value> {
        let mut best = None;
        if self.status(state) == Status::Open {
            self.exits(state, |value| best = best.max(Some(value)));
        }
        best
    }
}

impl Game for Sided {
    fn states(&self) -> u64 {
        2 * self.game.states()
    }

    fn status(&self, state: u64) -> Status {
        self.game.status(self.parts(state).0)
    }

    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        let (of, side) = self.parts(state);
        if side == 0 || of % 3 > 0 {
            self.game.exits(of, visit);
        }
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (of, side) = self.parts(state);
        self.game.successors(of, |to| visit(self.number(to, 1 - side)))
    }
}

impl Predecessors for Sided {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let (of, side) = self.parts(state);
        self.game.predecessors(of, |from| visit(self.number(from, 1 - side)));
    }
}

impl BestExits for Sided {
    fn best_exit(&self, state: u64) -> Result<Option<Value>, TableError> {
        Ok(Sided::best_exit(self, state))
    }

    fn best_exits(&self, first: u64, exits: &mut [Code]) -> Result<(), TableError> {
        for (exit, state) in exits.iter_mut().zip(first..) {
            *exit = Code::of(Sided::best_exit(self, state));
        }
        Ok(())
    }
}

/// The slow, obvious recovery.
impl Recover for Sided {
    fn recover(
        &self,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError> {
        for (value, state) in values.iter_mut().zip(first..) {
            let as_kept = |value| as_kept(value, kept.has_distances());
            *value = match self.status(state) {
                Status::Invalid => None,
                Status::Terminal(value) => Some(as_kept(value)),
                Status::Open => {
                    let (mut moves, mut best) = (Vec::new(), self.best_exit(state));
                    self.each_successor(state, |to| moves.push(to));
                    let mut least = None;
                    for &to in &moves {
                        let found = kept.probe(to)?.expect("no move leads to an invalid state");
                        best = best.max(Some(found.after_move(false)));
                        least = Some(least.map_or(found, |least: Value| least.min(found)));
                    }
                    assert_eq!(kept.least_of(&moves)?, least);
                    Some(as_kept(best.unwrap_or(Value::Loss(0))))
                }
            };
        }
        Ok(())
    }
}
