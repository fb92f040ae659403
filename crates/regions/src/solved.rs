//! A solved region, as the game of another region sees it.
//!
//! A game cannot report a failed lookup. So [`SolvedRegion`] keeps the first failure. From then on it answers a
//! draw to every question, and reads nothing. After `act`, [`with_solved`] checks for a failure. If there is
//! one, it drops the result of `act` and returns the error. There is no other way to get a game with tables,
//! so no such draw reaches a caller without an error.

use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde::{Code, Probe, Value};
use retrograde_table::{InMemoryTable, Table, TableError};

/// The cache of a table that exits lead to, while a game is solved or verified. Neighbouring states of a game have exits to
/// neighbouring states of the table, but a block of the table also has states far from these. With a cache of 16 MiB, a
/// verification of six pieces unpacks the same blocks again and again.
pub(crate) const EXITS_BYTES: u64 = 256 << 20;

/// The solution of a region that another one needs.
pub struct SolvedRegion<'a>(Source<'a>);

enum Source<'a> {
    /// This number of states, all draws.
    Blank(u64),
    /// Looks values up on disk, with the cache of the table.
    Table(Arc<Table>, Watch),
    /// Looks values up in memory.
    InMemory(&'a InMemoryTable<'a>, Watch),
    /// Values from elsewhere.
    Any(Box<dyn Probe<Error = Infallible> + Send + 'a>),
}

/// The first failed lookup, if any: which solution, and why.
///
/// After a failure, every exit is a draw, without a lookup. So all later results of the game are wrong: of a
/// solve, a verification or a count. Check for a failure before you write anything. To stop early, check in
/// the progress callback of a [`Solver`](retrograde::Solver).
#[derive(Default)]
pub struct Failure(OnceLock<(usize, TableError)>);

impl Failure {
    /// Whether a lookup failed.
    #[inline]
    pub fn happened(&self) -> bool {
        self.0.get().is_some()
    }

    /// Returns an error if a lookup has failed. The values of the table at `path` depend on it.
    pub(crate) fn check(&self, path: &Path) -> Result<(), TableError> {
        self.0.get().map_or(Ok(()), |(_, error)| {
            Err(TableError::Needed { path: path.into(), problem: error.to_string() })
        })
    }
}

/// The answer in place of a failed lookup.
const DRAWN: Option<Value> = Some(Value::Draw);

/// Where a solution reports failures, and its number there.
struct Watch {
    failure: Arc<Failure>,
    number: usize,
}

impl Watch {
    /// The result of a lookup; `None` if it fails, or if an earlier one has failed.
    #[inline]
    fn found<T>(&self, lookup: impl FnOnce() -> Result<T, TableError>) -> Option<T> {
        if self.failure.happened() {
            return None;
        }
        lookup().map_err(|error| self.keep(error)).ok()
    }

    #[cold]
    fn keep(&self, error: TableError) {
        // If another thread has failed first, it probably has the same reason.
        let _ = self.failure.0.set((self.number, error));
    }
}

/// Calls `act` with the solutions in some tables, for the game of a region that needs them. If `load` is set, it loads the tables
/// into memory, where they take at most this number of bytes together. If a lookup fails, it drops the result of `act`, and
/// returns an error that names the table.
pub(crate) fn with_solved<T>(
    tables: &[Arc<Table>],
    load: Option<u64>,
    act: impl FnOnce(Vec<SolvedRegion<'_>>, &Failure) -> T,
) -> Result<T, (usize, TableError)> {
    let failure = Arc::new(Failure::default());
    let numbered = || tables.iter().enumerate();
    let watch = |number| Watch { failure: Arc::clone(&failure), number };
    let done = if let Some(mut left) = load {
        let mut loaded = Vec::new();
        for (number, table) in numbered() {
            let in_memory = table.load(left).map_err(|error| (number, error))?;
            left -= in_memory.bytes();
            loaded.push((number, in_memory));
        }
        let solved =
            loaded.iter().map(|(n, loaded)| SolvedRegion(Source::InMemory(loaded, watch(*n))));
        act(solved.collect(), &failure)
    } else {
        let solved =
            numbered().map(|(n, table)| SolvedRegion::open(Arc::clone(table), &failure, n));
        act(solved.collect(), &failure)
    };
    let failure = Arc::into_inner(failure).expect("no solution outlives the call");
    match failure.0.into_inner() {
        None => Ok(done),
        Some(failed) => Err(failed),
    }
}

impl<'a> SolvedRegion<'a> {
    /// A solution in memory, or values of your own.
    pub fn of(values: impl Probe<Error = Infallible> + Send + 'a) -> SolvedRegion<'a> {
        SolvedRegion(Source::Any(Box::new(values)))
    }

    /// A solution with only a number of states. Plans use it, because they build games and never solve them.
    pub fn blank(states: u64) -> Self {
        SolvedRegion(Source::Blank(states))
    }

    /// A solution that owns its table, and reports failures under a number.
    pub(crate) fn open(table: Arc<Table>, failure: &Arc<Failure>, number: usize) -> Self {
        SolvedRegion(Source::Table(table, Watch { failure: Arc::clone(failure), number }))
    }
}

impl Probe for SolvedRegion<'_> {
    type Error = Infallible;

    fn states(&self) -> u64 {
        match &self.0 {
            Source::Blank(states) => *states,
            Source::Table(table, _) => table.states(),
            Source::InMemory(loaded, _) => loaded.states(),
            Source::Any(values) => values.states(),
        }
    }

    fn has_distances(&self) -> bool {
        match &self.0 {
            Source::Blank(_) => true,
            Source::Table(table, _) => table.has_distances(),
            Source::InMemory(loaded, _) => loaded.has_distances(),
            Source::Any(values) => values.has_distances(),
        }
    }

    /// The value of a state that a move leads to. It is never an invalid state, for which a table may give
    /// any value.
    fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
        Ok(match &self.0 {
            Source::Blank(_) => DRAWN,
            Source::Table(table, watch) => watch.found(|| table.probe(state)).unwrap_or(DRAWN),
            Source::InMemory(loaded, watch) => watch.found(|| loaded.probe(state)).unwrap_or(DRAWN),
            Source::Any(values) => return values.probe(state),
        })
    }

    #[inline]
    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, Infallible> {
        Ok(match &self.0 {
            Source::Blank(_) => (!states.is_empty()).then_some(Value::Draw),
            Source::Table(table, watch) => watch.found(|| table.least_of(states)).unwrap_or(DRAWN),
            Source::InMemory(loaded, watch) => {
                watch.found(|| loaded.least_of(states)).unwrap_or(DRAWN)
            }
            Source::Any(values) => return values.least_of(states),
        })
    }

    /// The codes of many states. States that no move leads to may have any value.
    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), Infallible> {
        let filled = match &self.0 {
            Source::Blank(_) => false,
            Source::Table(table, watch) => watch.found(|| table.fill_codes(first, codes)).is_some(),
            Source::InMemory(loaded, watch) => {
                watch.found(|| loaded.fill_codes(first, codes)).is_some()
            }
            Source::Any(values) => return values.fill_codes(first, codes),
        };
        if !filled {
            codes.fill(Code::DRAW);
        }
        Ok(())
    }
}
