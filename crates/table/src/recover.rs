//! Finds the values that a table does not keep, by moves to states that it keeps.
//!
//! A table with one side's states is at most half as large. If you open it and know the rules, give it a
//! [`Recover`]. From then on the table answers for all states. Only the time differs.

use std::sync::Arc;

use retrograde::{Code, Probe, Value};

use crate::error::TableError;
use crate::in_memory::Codes;
use crate::table::Table;

/// Finds the values that a table does not keep.
pub trait Recover: Send + Sync {
    /// Writes the values of the states from `first` on. The table keeps none of these; `kept` gives the
    /// values that it keeps.
    fn recover(
        &self,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError>;
}

/// Only the values that a table keeps.
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

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        match &self.0 {
            Place::File(table) => table.fill_from(first, codes, |block| table.cached(block)),
            Place::Memory(table, kept) => {
                table.check_kept_run(first, codes.len() as u64)?;
                kept.fill_codes(first, codes);
                Ok(())
            }
        }
    }
}

/// The recovery of a table, once it is known.
#[derive(Clone)]
pub(crate) struct Recoverer(pub(crate) Arc<dyn Recover>);

impl std::fmt::Debug for Recoverer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recoverer")
    }
}
