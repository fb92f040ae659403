//! The source of values: a solution in memory, or a table on disk together with the rules.

use std::sync::Arc;

use retrograde::{Code, Game, Level, Probe, Solution, Value};
use retrograde_table::{Table, TableError, WithRules};

/// The source of a game's values. Copies share it.
#[derive(Clone)]
pub enum Known {
    /// A solution.
    Solution(Arc<Solution>),
    /// A table. It may keep all states or those of one side, and may or may not mark invalid states.
    Table(Arc<Table>),
}

impl Known {
    /// The solution, if it is one.
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Known::Solution(solution) => Some(solution),
            Known::Table(_) => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Known::Solution(_) => None,
            Known::Table(table) => Some(table),
        }
    }

    /// How many states there are, including invalid ones.
    pub fn states(&self) -> u64 {
        match self {
            Known::Solution(solution) => solution.states(),
            Known::Table(table) => table.states(),
        }
    }

    /// Whether distances are known.
    pub fn has_distances(&self) -> bool {
        match self {
            Known::Solution(solution) => solution.has_distances(),
            Known::Table(table) => table.has_distances(),
        }
    }

    /// How many bytes it has: of memory, or of the file.
    pub fn bytes(&self) -> u64 {
        match self {
            Known::Solution(solution) => solution.bytes(),
            Known::Table(table) => table.bytes(),
        }
    }

    /// How many states settle at each distance, from the shortest to the longest.
    pub fn levels(&self) -> Result<Vec<Level>, TableError> {
        match self {
            Known::Solution(solution) => Ok(solution.histogram().levels().collect()),
            Known::Table(table) => table.levels(),
        }
    }
}

/// The values of all states of a game, for any game and any source.
pub trait Values: Probe<Error = TableError> + Send {}

impl<P: Probe<Error = TableError> + Send> Values for P {}

/// The values of one game. One type for all sources, so that code that visits all values is compiled once.
pub enum ValuesOf<'a, G> {
    /// From a solution.
    Solution(&'a Solution),
    /// From a table together with the rules.
    Table(WithRules<'a, G>),
}

impl<'a, G: Game> ValuesOf<'a, G> {
    pub(crate) fn new(game: &'a G, known: &'a Known) -> Result<Self, TableError> {
        Ok(match known {
            Known::Solution(solution) => ValuesOf::Solution(solution),
            Known::Table(table) => ValuesOf::Table(WithRules::new(game, &**table)?),
        })
    }

    /// For a verification of the table: terminal states also get their values from the table, not from the rules.
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

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        match self {
            ValuesOf::Solution(solution) => {
                let Ok(()) = solution.fill_codes(first, codes);
                Ok(())
            }
            ValuesOf::Table(table) => table.fill_codes(first, codes),
        }
    }
}
