//! The source of values: a solution in memory, or a table on disk together with the rules.

use retrograde::{Code, Game, Probe, Solution, Value};
use retrograde_table::{Table, TableError, WithRules};

/// The source of a game's values.
#[derive(Clone, Copy)]
pub enum Known<'a> {
    /// A solution.
    Solution(&'a Solution),
    /// A table. It may keep all states or those of one side, and may or may not mark invalid states.
    Table(&'a Table),
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
    pub(crate) fn new(game: &'a G, known: Known<'a>) -> Result<Self, TableError> {
        Ok(match known {
            Known::Solution(solution) => ValuesOf::Solution(solution),
            Known::Table(table) => ValuesOf::Table(WithRules::new(game, table)?),
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
