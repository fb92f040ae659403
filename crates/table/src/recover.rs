//! The values that a table does not keep: what the moves to those that it keeps come to.
//!
//! A table of one side's states is half as large or less. Whoever opens it and knows the rules hands it a [`Recover`]; from
//! then on the table answers for all states, and nothing but the time shows which of them it keeps.

use std::sync::Arc;

use retrograde::{Probe, Value};

use crate::error::TableError;
use crate::loaded::Codes;
use crate::table::Table;

/// Finds the values that a table does not keep.
pub trait Recover: Send + Sync {
    /// Puts the values of the states from `first` on, none of which is kept, given those that are.
    fn recover(
        &self,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError>;
}

/// The values that a table keeps, and no others.
pub struct Kept<'a>(pub(crate) Place<'a>);

/// Where they are.
pub(crate) enum Place<'a> {
    /// In blocks, read as they are needed.
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

    fn fill_with<T: Copy + PartialEq>(
        &self,
        first: u64,
        values: &mut [T],
        made_of: impl Fn(Option<Value>) -> T,
    ) -> Result<(), TableError> {
        match &self.0 {
            Place::File(table) => {
                table.fill_from(first, values, made_of, |block| table.cached(block))
            }
            Place::Memory(table, codes) => {
                table.check_kept_run(first, values.len() as u64)?;
                codes.fill_with(first, values, made_of);
                Ok(())
            }
        }
    }
}

/// What finds the values that a table does not keep, once it is known.
#[derive(Clone)]
pub(crate) struct Recoverer(pub(crate) Arc<dyn Recover>);

impl std::fmt::Debug for Recoverer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recoverer")
    }
}
