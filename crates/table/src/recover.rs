//! Finds the values that a table leaves out, by the rules and the other tables.
//!
//! A table with one side's states is at most half as large. The states of the other side follow by moves to
//! states that it keeps. A table may also leave out what exits tell: then it gives a bound, and the value of a
//! state is the better one of this bound and of its best exit. If you open such a table and know the rules,
//! give it a [`Recover`]. From then on the table answers for all states. Only the time differs.

use std::sync::Arc;

use retrograde::{Code, Probe, Value};

use crate::error::TableError;
use crate::in_memory::Codes;
use crate::table::Table;

/// Knows the exits of a game: its moves into other tables.
pub trait BestExits: Sync {
    /// Writes what the best exit of each state from `first` on is worth to the player who makes it; `None` for a
    /// state without exits, and for an invalid one.
    fn best_exits(&self, first: u64, exits: &mut [Option<Value>]) -> Result<(), TableError>;
}

/// Finds the values that a table leaves out.
pub trait Recover: BestExits + Send {
    /// Writes the values of the states from `first` on. The table keeps none of these; `kept` gives the
    /// values that it keeps.
    fn recover(
        &self,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError>;
}

/// Only the values of the states that a table keeps.
pub struct Kept<'a>(pub(crate) Place<'a>);

/// Where the values are.
pub(crate) enum Place<'a> {
    /// In blocks that are read when needed.
    File(&'a Table),
    /// Unpacked.
    Memory(&'a Table, &'a Codes),
}

impl Kept<'_> {
    /// The table.
    pub fn table(&self) -> &Table {
        match &self.0 {
            Place::File(table) | Place::Memory(table, _) => table,
        }
    }
}

impl Probe for Kept<'_> {
    type Error = TableError;

    fn states(&self) -> u64 {
        self.table().states()
    }

    fn has_distances(&self) -> bool {
        self.table().has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        match &self.0 {
            Place::File(table) => table.probe_kept(state),
            Place::Memory(table, codes) => {
                table.check_kept(state)?;
                Ok(codes.value(state))
            }
        }
    }

    /// A bound never exceeds the value. So exits are asked for the state with the least bound alone, until that
    /// is the least value.
    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, TableError> {
        /// More states than a game has moves. If it has more, the least of parts is the least of all.
        const MOVES: usize = 128;
        let mut least: Option<Value> = None;
        for states in states.chunks(MOVES) {
            let mut bounds = [Value::Draw; MOVES];
            let bounds = &mut bounds[..states.len()];
            for (bound, &state) in bounds.iter_mut().zip(states) {
                let found = match &self.0 {
                    Place::File(table) => table.bound(state)?,
                    Place::Memory(..) => self.probe(state)?,
                };
                let Some(found) = found else { return Ok(None) };
                *bound = found;
            }
            loop {
                let (at, &bound) = bounds
                    .iter()
                    .enumerate()
                    .min_by_key(|(_, bound)| **bound)
                    .expect("a chunk has states");
                if least.is_some_and(|least| least <= bound) {
                    break;
                }
                let value = match &self.0 {
                    Place::File(table) => table.raised(states[at], Some(bound))?,
                    Place::Memory(..) => Some(bound),
                };
                bounds[at] = value.expect("a valid state stays one");
                if bounds[at] == bound {
                    least = Some(bound);
                }
            }
        }
        Ok(least)
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        match &self.0 {
            Place::File(table) => table.fill_kept(first, codes),
            Place::Memory(table, kept) => {
                table.check_kept_run(first, codes.len() as u64)?;
                kept.fill_codes(first, codes);
                Ok(())
            }
        }
    }
}

/// A value in the form that a table has it: without distances, they are 0.
pub(crate) fn as_kept(value: Value, distances: bool) -> Value {
    match value {
        Value::Win(_) if !distances => Value::Win(0),
        Value::Loss(_) if !distances => Value::Loss(0),
        value => value,
    }
}

/// The value of a state, given what the table has of it and its best exit.
pub(crate) fn raised(bound: Option<Value>, exit: Option<Value>, distances: bool) -> Option<Value> {
    // An invalid state stays invalid.
    bound.map(|bound| exit.map_or(bound, |exit| as_kept(exit, distances).max(bound)))
}

/// The recovery of a table, once it is known.
#[derive(Clone)]
pub(crate) struct Recoverer(pub(crate) Arc<dyn Recover>);

impl std::fmt::Debug for Recoverer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recoverer")
    }
}
