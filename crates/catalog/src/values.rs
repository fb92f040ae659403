//! Where values come from: a solution in memory, or a table on disk with the rules beside it.

use retrograde::{Code, Game, Probe, Solution, Value};
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
pub trait Values: Probe<Error = TableError> + Send {}

impl<P: Probe<Error = TableError> + Send> Values for P {}

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
