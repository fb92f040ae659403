//! A solved region, as the game of another one asks it.
//!
//! A game has no way to say that a lookup failed, and should not need one: a failure is kept aside, a
//! draw is answered in its place, and whoever set the game up looks whether anything was kept before
//! believing what came of it.

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
}

/// The first lookup that failed, if one did: in which of the solutions, and why.
#[derive(Default)]
pub struct Failure(OnceLock<(usize, TableError)>);

impl Failure {
    /// Whether one did: then nothing that came of the game is to be believed.
    pub fn happened(&self) -> bool {
        self.0.get().is_some()
    }
}

/// Where a solution tells of failures, and the number by which it is known there.
struct Watch<'a> {
    failure: &'a Failure,
    number: usize,
}

impl Watch<'_> {
    fn answer(&self, found: Result<Option<Value>, TableError>) -> Option<Value> {
        found.unwrap_or_else(|error| {
            // Later ones most likely have the same cause.
            let _ = self.failure.0.set((self.number, error));
            Some(Value::Draw)
        })
    }
}

/// Sets up the game of a region with the tables of those it needs, unpacked in memory if `load` says so,
/// and does something with it. What was done is forgotten if a lookup failed; the error says in which of the
/// tables.
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
}

impl Probe for Solved<'_> {
    type Error = Infallible;

    fn states(&self) -> u64 {
        match self.0 {
            Source::Blank(states) => states,
            Source::Table(table, _) => table.states(),
            Source::Loaded(loaded, _) => loaded.states(),
        }
    }

    fn has_distances(&self) -> bool {
        match self.0 {
            Source::Blank(_) => true,
            Source::Table(table, _) => table.has_distances(),
            Source::Loaded(loaded, _) => loaded.has_distances(),
        }
    }

    /// The value of a state that a move leads to, and so of none that is void: what a table keeps
    /// for those may be anything.
    fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
        Ok(match self.0 {
            Source::Blank(_) => Some(Value::Draw),
            Source::Table(table, ref watch) => watch.answer(table.probe(state)),
            Source::Loaded(loaded, ref watch) => watch.answer(loaded.probe(state)),
        })
    }

    #[inline]
    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, Infallible> {
        Ok(match self.0 {
            Source::Blank(_) => (!states.is_empty()).then_some(Value::Draw),
            Source::Table(table, ref watch) => watch.answer(table.least_of(states)),
            Source::Loaded(loaded, ref watch) => watch.answer(loaded.least_of(states)),
        })
    }

    /// The same of many states. Those that no move leads to may be anything.
    fn fill_with<T: Copy + PartialEq>(
        &self,
        first: u64,
        values: &mut [T],
        made_of: impl Fn(Option<Value>) -> T,
    ) -> Result<(), Infallible> {
        let (filled, watch) = match self.0 {
            Source::Table(table, ref watch) => (table.fill_with(first, values, &made_of), watch),
            Source::Loaded(loaded, ref watch) => (loaded.fill_with(first, values, &made_of), watch),
            Source::Blank(_) => {
                values.fill(made_of(Some(Value::Draw)));
                return Ok(());
            }
        };
        if let Err(error) = filled {
            values.fill(made_of(watch.answer(Err(error))));
        }
        Ok(())
    }
}
