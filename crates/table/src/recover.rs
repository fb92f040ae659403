//! Finds the values that a table leaves out, by the rules and the other tables.
//!
//! A table with the states of one side is at most half as large as a table with all states. A move of the
//! other side leads to a state that the table keeps. So a reader computes the other values from the values of
//! these states.
//!
//! A table may also leave out the value of a state whose best move is an exit. For such a state it has a
//! *bound*, which is no better than the value. The value is the better of the bound and the best exit.
//!
//! If you open such a table and know the rules, give it a [`Recover`]. From then on the table answers for all
//! states, but some lookups take longer.

use std::sync::Arc;

use retrograde::{Code, Probe, Value};

use crate::error::TableError;
use crate::exits::BestExits;
use crate::in_memory::Codes;
use crate::table::Table;

/// Finds the values that a table leaves out.
pub trait Recover: BestExits + Send {
    /// Writes the values of the states from `first` on. The table keeps none of these states. `kept` gives
    /// the values that it keeps.
    fn recover(
        &self,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError>;
}

/// Gives the values of the states that a table keeps, and no others.
pub struct Kept<'a>(pub(crate) Place<'a>);

/// Where the values are.
pub(crate) enum Place<'a> {
    /// In blocks of the file, which the table reads when it needs them.
    File(&'a Table),
    /// Unpacked in memory.
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

    /// A bound is never above the value. So the loop takes the state with the least bound, and looks up its best
    /// exit. It ends when no bound is below the least value found.
    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, TableError> {
        /// Few states have more moves than this. If there are more, the loop takes them in parts.
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
                bounds[at] = value.expect("a valid state stays valid");
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

/// The object that recovers the values of a table.
#[derive(Clone)]
pub(crate) struct Recoverer(pub(crate) Arc<dyn Recover>);

impl std::fmt::Debug for Recoverer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recoverer")
    }
}
