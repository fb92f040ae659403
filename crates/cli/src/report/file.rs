//! A table as a file: its path and size.

use std::io::Write;
use std::path::Path;

use retrograde_table::Table;
use serde::Serialize;

use crate::term::failure::Failure;
use crate::term::number::{Size, share};

/// A table as a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FileOf {
    file: String,
    bytes: u64,
    /// How many numbers its states have.
    #[serde(skip)]
    states: u64,
}

impl FileOf {
    /// A file of `bytes` bytes for `states` states.
    pub(crate) fn new(path: &Path, bytes: u64, states: u64) -> FileOf {
        FileOf { file: path.display().to_string(), bytes, states }
    }

    /// The file of a table.
    pub(crate) fn of(table: &Table) -> FileOf {
        FileOf::new(table.path(), table.bytes(), table.states())
    }

    /// `39 MiB, 1.55 bits a state`.
    pub(crate) fn share(&self) -> String {
        let share = share(8.0 * self.bytes as f64 / self.states.max(1) as f64, "bits");
        format!("{}{share}", Size { bytes: self.bytes })
    }

    /// Writes its path and size.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        Ok(writeln!(out, "table      {}: {}", self.file, self.share())?)
    }
}
