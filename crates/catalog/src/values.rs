//! The source of values: a solution in memory, or a table on disk together with the rules.

use std::sync::Arc;

use retrograde::adapters::AnyRules;
use retrograde::{Code, Level, Probe, Solution, Value};
use retrograde_games::Turns;
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

/// The values of one game, from any source and by any rules: compiled once.
pub enum ValuesOf<'a> {
    /// From a solution.
    Solution(&'a Solution),
    /// From a table together with the rules.
    Table(WithRules<'a, AnyRules<'a>>),
}

impl<'a> ValuesOf<'a> {
    /// An error if the values are in the table of another game.
    pub(crate) fn new(rules: AnyRules<'a>, known: &'a Known) -> Result<Self, TableError> {
        Ok(match known {
            Known::Solution(solution) => ValuesOf::Solution(solution),
            Known::Table(table) => ValuesOf::Table(WithRules::new(rules, &**table)?),
        })
    }

    /// For a verification of the table: terminal states also get their values from the table, not from the rules.
    pub(crate) fn judged(self) -> Self {
        match self {
            ValuesOf::Table(values) => ValuesOf::Table(values.as_stored()),
            solution => solution,
        }
    }

    /// Compares the counts in the header of a table with its values.
    pub(crate) fn check_counts(&self, turns: Turns, sides: &[&str]) -> Result<(), TableError> {
        let ValuesOf::Table(values) = self else { return Ok(()) };
        values.check_counts(sides, |state| (turns.side(state), turns.run_end(state) - state))
    }
}

impl Probe for ValuesOf<'_> {
    type Error = TableError;

    fn states(&self) -> u64 {
        match self {
            ValuesOf::Solution(solution) => solution.states(),
            ValuesOf::Table(values) => values.states(),
        }
    }

    fn has_distances(&self) -> bool {
        match self {
            ValuesOf::Solution(solution) => solution.has_distances(),
            ValuesOf::Table(values) => values.has_distances(),
        }
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        match self {
            ValuesOf::Solution(solution) => Ok(solution.value(state)),
            ValuesOf::Table(values) => values.probe(state),
        }
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        match self {
            ValuesOf::Solution(solution) => {
                let Ok(()) = solution.fill_codes(first, codes);
                Ok(())
            }
            ValuesOf::Table(values) => values.fill_codes(first, codes),
        }
    }
}
