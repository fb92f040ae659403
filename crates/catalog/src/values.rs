//! Where values come from: a solution in memory, or a table on disk with the rules beside it.

use retrograde::{Game, Probe, Solution, Value};
use retrograde_table::{Table, TableError, WithRules};

/// What the values of a game are known by.
#[derive(Clone, Copy)]
pub enum Known<'a> {
    /// A solve.
    Solution(&'a Solution),
    /// A table, of all states or of half of them, with invalid states or without.
    Table(&'a Table),
}

/// The values of all states of a game, whatever game and wherever they are kept.
pub trait Values: Send + Sync {
    /// How many states there are, holes included.
    fn states(&self) -> u64;

    /// Whether distances were kept. Without them every distance reads 0.
    fn has_distances(&self) -> bool;

    /// The value of a state; `None` where it is invalid.
    fn probe(&self, state: u64) -> Result<Option<Value>, TableError>;

    /// The values of the states from `first` on, as many as `values` has room for.
    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), TableError>;
}

/// So that what works from any [`Probe`] works from these.
impl Probe for &dyn Values {
    type Error = TableError;

    fn states(&self) -> u64 {
        Values::states(*self)
    }

    fn has_distances(&self) -> bool {
        Values::has_distances(*self)
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        Values::probe(*self, state)
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), TableError> {
        Values::fill(*self, first, values)
    }
}

/// The values of one game. One type wherever they are kept, so that what goes through all of them is compiled once.
pub enum ValuesOf<'a, G> {
    /// Of a solve.
    Solution(&'a Solution),
    /// Of a table with the rules beside it.
    Table(WithRules<'a, G>),
}

impl<'a, G: Game> ValuesOf<'a, G> {
    pub(crate) fn new(game: &'a G, known: Known<'a>) -> Result<Self, TableError> {
        Ok(match known {
            Known::Solution(solution) => ValuesOf::Solution(solution),
            Known::Table(table) => ValuesOf::Table(WithRules::new(game, table)?),
        })
    }

    /// To judge what a table stores: terminal states are answered from there as well, and not by the rules.
    pub(crate) fn judged(self) -> Self {
        match self {
            ValuesOf::Table(table) => ValuesOf::Table(table.as_stored()),
            solution => solution,
        }
    }
}

impl<G: Game> Probe for ValuesOf<'_, G> {
    type Error = TableError;

    fn states(&self) -> u64 {
        match self {
            ValuesOf::Solution(solution) => solution.states(),
            ValuesOf::Table(table) => table.states(),
        }
    }

    fn has_distances(&self) -> bool {
        match self {
            ValuesOf::Solution(solution) => solution.has_distances(),
            ValuesOf::Table(table) => table.has_distances(),
        }
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        match self {
            ValuesOf::Solution(solution) => Ok(solution.value(state)),
            ValuesOf::Table(table) => table.probe(state),
        }
    }

    fn fill_with<T: Copy + PartialEq>(
        &self,
        first: u64,
        values: &mut [T],
        made_of: impl Fn(Option<Value>) -> T,
    ) -> Result<(), TableError> {
        match self {
            ValuesOf::Solution(solution) => {
                let Ok(()) = solution.fill_with(first, values, made_of);
                Ok(())
            }
            ValuesOf::Table(table) => table.fill_with(first, values, made_of),
        }
    }
}

impl<G: Game> Values for ValuesOf<'_, G> {
    fn states(&self) -> u64 {
        Probe::states(self)
    }

    fn has_distances(&self) -> bool {
        Probe::has_distances(self)
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        Probe::probe(self, state)
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), TableError> {
        Probe::fill(self, first, values)
    }
}
