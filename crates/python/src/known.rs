//! A game with known values, just solved or from a table, with its rules if this package has them.

use rayon::prelude::*;
use retrograde::{Counts, Game, Level, Probe, Solution, Status, Value};
use retrograde_catalog::{AnyGame, Known as Source, Rules, by_side};
use retrograde_table::{About, SideCounts, Table, TableError, WithRules};

use crate::codes::Columns;
use crate::failure::Failure;

/// The source of the values.
pub(crate) enum Values {
    Solved(Solution),
    Table(Box<Table>),
}

/// Values, and their game.
pub(crate) struct Known {
    pub(crate) values: Values,
    /// `None` for a table of a game that this package does not know.
    pub(crate) game: Option<Box<dyn AnyGame>>,
    /// The header of a table; `None` for a game without a name.
    pub(crate) about: Option<About>,
}

impl Known {
    /// The game, for questions that need its rules.
    pub(crate) fn game(&self) -> Result<&dyn AnyGame, Failure> {
        self.game.as_deref().ok_or_else(|| {
            let game = self.about.as_ref().map_or("", |about| &about.game);
            let place = match &self.values {
                Values::Table(table) => format!("{}: ", table.path().display()),
                Values::Solved(_) => String::new(),
            };
            Failure::NoRules(format!(
                "{place}the rules of the game `{game}` are not known here; values and distances are all \
                 that can be asked"
            ))
        })
    }

    /// How many states there are, including invalid ones.
    pub(crate) fn states(&self) -> u64 {
        match &self.values {
            Values::Solved(solution) => solution.states(),
            Values::Table(table) => table.states(),
        }
    }

    /// Whether distances were kept.
    pub(crate) fn has_distances(&self) -> bool {
        match &self.values {
            Values::Solved(solution) => solution.has_distances(),
            Values::Table(table) => table.has_distances(),
        }
    }

    /// The source of the values, for the catalog.
    pub(crate) fn source(&self) -> Source<'_> {
        match &self.values {
            Values::Solved(solution) => Source::Solution(solution),
            Values::Table(table) => Source::Table(table),
        }
    }

    /// The value of an existing state; `None` if it is invalid.
    pub(crate) fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        match (&self.values, &self.game) {
            (Values::Solved(solution), _) => Ok(solution.value(state)),
            (Values::Table(table), Some(game)) => {
                WithRules::new(&Rules(&**game), &**table)?.probe(state)
            }
            (Values::Table(table), None) => table.probe(state),
        }
    }

    /// Refuses the number of no state.
    pub(crate) fn check(&self, state: u64) -> Result<u64, Failure> {
        let states = self.states();
        if state < states { Ok(state) } else { Err(no_state(state, states)) }
    }

    /// The value of a valid state.
    pub(crate) fn value(&self, state: u64) -> Result<Value, Failure> {
        let value = self.probe(self.check(state)?)?;
        value.ok_or_else(|| {
            Failure::State(format!("state {state} is invalid; nothing is played there"))
        })
    }

    /// The values of many states in any order.
    pub(crate) fn probe_many(&self, states: &[u64]) -> Result<Columns, Failure> {
        let len = self.states();
        if let Some(&state) = states.par_iter().find_first(|&&state| state >= len) {
            return Err(no_state(state, len));
        }
        let distances = self.has_distances();
        let (table, game) = match &self.values {
            Values::Solved(solution) => {
                return Columns::fill(states.len(), distances, |first, values| {
                    let states = &states[first..];
                    values
                        .iter_mut()
                        .zip(states)
                        .for_each(|(value, &state)| *value = solution.value(state));
                    Ok(())
                });
            }
            Values::Table(table) => (&**table, &self.game),
        };
        let Some(game) = game else {
            let found = table.probe_many(states)?;
            return Columns::fill(states.len(), distances, |first, values| {
                values.copy_from_slice(&found[first..][..values.len()]);
                Ok(())
            });
        };
        // The table unpacks each block once. Then the rules add what the table does not mark or keep.
        let found = if table.header().half().is_none() {
            table.probe_many(states)?
        } else {
            let kept: Vec<u64> =
                states.iter().copied().filter(|&state| table.keeps(state)).collect();
            let mut kept = table.probe_many(&kept)?.into_iter();
            states
                .iter()
                .map(|&state| if table.keeps(state) { kept.next().flatten() } else { None })
                .collect()
        };
        let rules = Rules(&**game);
        let ruled = WithRules::new(&rules, table)?;
        Columns::fill(states.len(), distances, |first, values| {
            let asked = states[first..].iter().zip(&found[first..]);
            for (value, (&state, &found)) in values.iter_mut().zip(asked) {
                *value = match rules.status(state) {
                    Status::Open if table.keeps(state) && found.is_some() => found,
                    _ => ruled.probe(state)?,
                };
            }
            Ok(())
        })
    }

    /// The values of the states from `first` on.
    pub(crate) fn range(&self, first: u64, len: usize) -> Result<Columns, Failure> {
        if let (Values::Table(table), None) = (&self.values, &self.game) {
            return Columns::fill(len, self.has_distances(), |at, values| {
                Ok(table.fill(first + at as u64, values)?)
            });
        }
        let known = self.game()?.values(self.source())?;
        Columns::fill(len, self.has_distances(), |at, values| {
            Ok(known.fill(first + at as u64, values)?)
        })
    }

    /// How many states settle at each distance.
    pub(crate) fn levels(&self) -> Result<Vec<Level>, Failure> {
        Ok(match &self.values {
            Values::Solved(solution) => solution.histogram().levels().collect(),
            Values::Table(table) => table.levels()?,
        })
    }

    /// How many states each side wins, loses and draws; empty if the table has no counts.
    pub(crate) fn counts(&self) -> Vec<(String, Counts)> {
        match &self.values {
            Values::Solved(solution) => self.game.as_deref().map_or(Vec::new(), |game| {
                let sides = game.sides().iter().map(|side| (*side).to_owned());
                sides.zip(by_side(game, solution)).collect()
            }),
            Values::Table(table) => {
                let counts = table.header().about.counts.iter();
                let of = |of: &SideCounts| {
                    let counts =
                        Counts { win: of.win, loss: of.loss, draw: of.draw, invalid: of.invalid };
                    (of.side.clone(), counts)
                };
                counts.map(of).collect()
            }
        }
    }
}

fn no_state(state: u64, states: u64) -> Failure {
    Failure::State(format!(
        "there is no state {state}: they are numbered from 0 to {}",
        states as i128 - 1
    ))
}
