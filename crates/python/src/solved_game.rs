//! A game with known values, just solved or from a table, with its rules if this package has them.

use std::sync::Arc;

use rayon::prelude::*;
use retrograde::{Counts, Game, Probe, Status, Value};
use retrograde_catalog::{CompiledGame, Known, by_side};
use retrograde_table::{About, SideCounts, Table, TableError, WithRules};

use crate::codes::Columns;
use crate::failure::Failure;

/// Values, and their game.
pub(crate) struct SolvedGame {
    pub(crate) known: Known,
    /// `None` for a table of a game that this package does not know.
    pub(crate) game: Option<Arc<dyn CompiledGame>>,
    /// The header of a table; `None` for a game without a name.
    pub(crate) about: Option<About>,
}

impl SolvedGame {
    /// The game, for questions that need its rules.
    pub(crate) fn game(&self) -> Result<&dyn CompiledGame, Failure> {
        self.game.as_deref().ok_or_else(|| {
            let game = self.about.as_ref().map_or("", |about| &about.game);
            let place = |table: &Table| format!("{}: ", table.path().display());
            let place = self.known.table().map_or_else(String::new, place);
            Failure::NoRules(format!(
                "{place}the rules of the game `{game}` are not known here; values and distances are all \
                 that can be asked"
            ))
        })
    }

    /// The value of an existing state; `None` if it is invalid.
    pub(crate) fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        match (&self.known, &self.game) {
            (known, Some(game)) => game.values(known)?.probe(state),
            (Known::Table(table), None) => table.probe(state),
            (Known::Solution(solution), None) => Ok(solution.value(state)),
        }
    }

    /// Refuses the number of no state.
    pub(crate) fn check(&self, state: u64) -> Result<u64, Failure> {
        let states = self.known.states();
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
        let len = self.known.states();
        if let Some(&state) = states.par_iter().find_first(|&&state| state >= len) {
            return Err(no_state(state, len));
        }
        let distances = self.known.has_distances();
        let (table, game) = match &self.known {
            Known::Solution(solution) => {
                return Columns::fill(states.len(), distances, |first, values| {
                    let states = &states[first..];
                    values
                        .iter_mut()
                        .zip(states)
                        .for_each(|(value, &state)| *value = solution.value(state));
                    Ok(())
                });
            }
            Known::Table(table) => (&**table, &self.game),
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
        let rules = game.rules();
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
        if let (Known::Table(table), None) = (&self.known, &self.game) {
            return Columns::fill(len, self.known.has_distances(), |at, values| {
                Ok(table.fill(first + at as u64, values)?)
            });
        }
        let known = self.game()?.values(&self.known)?;
        Columns::fill(len, self.known.has_distances(), |at, values| {
            Ok(known.fill(first + at as u64, values)?)
        })
    }

    /// How many states each side wins, loses and draws; empty if the table has no counts.
    pub(crate) fn counts(&self) -> Vec<(String, Counts)> {
        match &self.known {
            Known::Solution(solution) => self.game.as_deref().map_or(Vec::new(), |game| {
                let sides = game.sides().iter().map(|side| (*side).to_owned());
                sides.zip(by_side(game, solution)).collect()
            }),
            Known::Table(table) => {
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
