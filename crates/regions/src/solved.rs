//! A solved region, as the game of another one asks it.
//!
//! A game has no way to say that a lookup failed, and should not need one. So [`Solved`] keeps the first
//! failure, and answers a draw in its place and to every later question: it never reads again. When `act`
//! is done, [`with_game`] looks for a failure. If there is one, it drops what `act` has returned and returns
//! the error. There is no other way to get a game with tables, so no such draw leaves without an error.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use retrograde::{Probe, Value};
use retrograde_table::{Loaded, Table, TableError};

use crate::family::Family;

/// The solution of a region that another one needs.
pub struct Solved<'a>(Source<'a>);

enum Source<'a> {
    /// So many states, every one a draw.
    Blank(u64),
    /// Looked up on disk, through the table's cache.
    Table(&'a Table, Watch<'a>),
    /// Looked up in memory.
    Loaded(&'a Loaded<'a>, Watch<'a>),
    /// Looked up in a table that is its own, through the table's cache.
    Open(Arc<Table>, Arc<Failure>, usize),
}

/// The first lookup that failed, if one did: in which of the solutions, and why.
///
/// From then on every exit reads as a draw, without a lookup. A solve, a verification or a count that has
/// used the game since is worth nothing. Look before you write anything, and in the progress callback of a
/// [`Solver`](retrograde::Solver), to stop it early.
#[derive(Default)]
pub struct Failure(OnceLock<(usize, TableError)>);

impl Failure {
    /// Whether a lookup failed.
    #[inline]
    pub fn happened(&self) -> bool {
        self.0.get().is_some()
    }

    /// Why it failed, if it did.
    pub(crate) fn error(&self) -> Option<&TableError> {
        self.0.get().map(|(_, error)| error)
    }
}

/// The answer in the place of a lookup that failed.
const DRAWN: Option<Value> = Some(Value::Draw);

/// Where a solution tells of failures, and the number by which it is known there.
struct Watch<'a> {
    failure: &'a Failure,
    number: usize,
}

impl Watch<'_> {
    /// What a lookup finds; `None` if it fails, or if one before it has failed.
    #[inline]
    fn found<T>(&self, lookup: impl FnOnce() -> Result<T, TableError>) -> Option<T> {
        if self.failure.happened() {
            return None;
        }
        lookup().map_err(|error| self.keep(error)).ok()
    }

    #[cold]
    fn keep(&self, error: TableError) {
        // If another thread has failed first, most likely for the same reason.
        let _ = self.failure.0.set((self.number, error));
    }
}

/// Sets up the game of a region with the tables of those it needs, unpacked in memory if `load` says so,
/// and does something with it. If a lookup failed, what `act` has returned is dropped, and the error says in
/// which of the tables.
pub(crate) fn with_game<F: Family, T>(
    family: &F,
    region: &F::Region,
    tables: &[Arc<Table>],
    load: bool,
    act: impl FnOnce(&F::Game<'_>, &Failure) -> T,
) -> Result<T, (usize, TableError)> {
    let failure = Failure::default();
    let numbered = || tables.iter().enumerate();
    let watch = |number| Watch { failure: &failure, number };
    let done = if load {
        let mut loaded = Vec::new();
        for (number, table) in numbered() {
            loaded.push((number, table.load().map_err(|error| (number, error))?));
        }
        let solved = loaded.iter().map(|(n, loaded)| Solved(Source::Loaded(loaded, watch(*n))));
        act(&family.game(region, solved.collect()), &failure)
    } else {
        let solved = numbered().map(|(n, table)| Solved(Source::Table(table, watch(n))));
        act(&family.game(region, solved.collect()), &failure)
    };
    match failure.0.into_inner() {
        None => Ok(done),
        Some(failed) => Err(failed),
    }
}

impl Solved<'_> {
    /// A solution that knows nothing but how many states there are: for plans, which set games up
    /// and never solve them.
    pub fn blank(states: u64) -> Self {
        Solved(Source::Blank(states))
    }

    /// One that keeps its table, and tells of failures under a number.
    pub(crate) fn open(table: Arc<Table>, failure: &Arc<Failure>, number: usize) -> Self {
        Solved(Source::Open(table, Arc::clone(failure), number))
    }
}

impl Probe for Solved<'_> {
    type Error = Infallible;

    fn states(&self) -> u64 {
        match self.0 {
            Source::Blank(states) => states,
            Source::Table(table, _) => table.states(),
            Source::Open(ref table, ..) => table.states(),
            Source::Loaded(loaded, _) => loaded.states(),
        }
    }

    fn has_distances(&self) -> bool {
        match self.0 {
            Source::Blank(_) => true,
            Source::Table(table, _) => table.has_distances(),
            Source::Open(ref table, ..) => table.has_distances(),
            Source::Loaded(loaded, _) => loaded.has_distances(),
        }
    }

    /// The value of a state that a move leads to, and so of none that is invalid: what a table keeps
    /// for those may be anything.
    fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
        Ok(match self.0 {
            Source::Blank(_) => DRAWN,
            Source::Table(table, ref watch) => watch.found(|| table.probe(state)).unwrap_or(DRAWN),
            Source::Open(ref table, ref failure, number) => {
                Watch { failure, number }.found(|| table.probe(state)).unwrap_or(DRAWN)
            }
            Source::Loaded(loaded, ref watch) => {
                watch.found(|| loaded.probe(state)).unwrap_or(DRAWN)
            }
        })
    }

    #[inline]
    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, Infallible> {
        Ok(match self.0 {
            Source::Blank(_) => (!states.is_empty()).then_some(Value::Draw),
            Source::Table(table, ref watch) => {
                watch.found(|| table.least_of(states)).unwrap_or(DRAWN)
            }
            Source::Open(ref table, ref failure, number) => {
                Watch { failure, number }.found(|| table.least_of(states)).unwrap_or(DRAWN)
            }
            Source::Loaded(loaded, ref watch) => {
                watch.found(|| loaded.least_of(states)).unwrap_or(DRAWN)
            }
        })
    }

    /// The same of many states. Those that no move leads to may be anything.
    fn fill_with<T: Copy + PartialEq>(
        &self,
        first: u64,
        values: &mut [T],
        made_of: impl Fn(Option<Value>) -> T,
    ) -> Result<(), Infallible> {
        let filled = match &self.0 {
            Source::Blank(_) => false,
            Source::Table(table, watch) => {
                watch.found(|| table.fill_with(first, values, &made_of)).is_some()
            }
            Source::Loaded(loaded, watch) => {
                watch.found(|| loaded.fill_with(first, values, &made_of)).is_some()
            }
            Source::Open(table, failure, number) => {
                let watch = Watch { failure, number: *number };
                watch.found(|| table.fill_with(first, values, &made_of)).is_some()
            }
        };
        if !filled {
            values.fill(made_of(DRAWN));
        }
        Ok(())
    }
}
