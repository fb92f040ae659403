//! A folder of tables, each under the name of what it is of.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use retrograde::{Outcome, Value};

use crate::error::TableError;
use crate::table::{Options, Table};

/// A folder of tables. A table is opened when it is first asked for, and stays open.
///
/// Each question has two forms. The plain one takes a missing table for an error, which names the file; the
/// form with `get_` answers `None`.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    options: Options,
    open: Mutex<HashMap<String, Arc<Table>>>,
}

impl Folder {
    /// What the names of tables end in.
    pub const EXTENSION: &str = "table";

    /// A folder of tables, opened with the usual options. It need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder::with_options(path, Options::new())
    }

    /// A folder of tables, each opened with these options.
    pub fn with_options(path: impl Into<PathBuf>, options: Options) -> Folder {
        Folder { path: path.into(), options, open: Mutex::default() }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that the table of this name is in, or would be.
    pub fn file(&self, name: &str) -> Result<PathBuf, TableError> {
        let plain = |c: char| c.is_alphanumeric() || "-_+,=.".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(TableError::Name { name: name.into() });
        }
        Ok(self.path.join(format!("{name}.{}", Folder::EXTENSION)))
    }

    /// The names of the tables that are there, sorted.
    pub fn names(&self) -> Result<Vec<String>, TableError> {
        let failed = |source| TableError::Io { path: self.path.clone(), source };
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|extension| extension == Folder::EXTENSION) {
                let name = path.file_stem().and_then(|stem| stem.to_str());
                names.extend(name.filter(|name| self.file(name).is_ok()).map(String::from));
            }
        }
        names.sort();
        Ok(names)
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Result<Arc<Table>, TableError> {
        if let Some(table) = self.open().get(name) {
            return Ok(Arc::clone(table));
        }
        // Not under the lock: opening takes a moment. Of two threads the first to come back wins.
        let table = Arc::new(self.options.open(self.file(name)?)?);
        Ok(Arc::clone(self.open().entry(name.into()).or_insert(table)))
    }

    /// The table of this name, if it is there.
    pub fn get_table(&self, name: &str) -> Result<Option<Arc<Table>>, TableError> {
        match self.table(name) {
            Ok(table) => Ok(Some(table)),
            Err(TableError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The value of a state; `None` where it is void.
    pub fn probe(&self, name: &str, state: u64) -> Result<Option<Value>, TableError> {
        self.table(name)?.probe(state)
    }

    /// The value of a state; `None` where it is void or the table is missing.
    pub fn get_probe(&self, name: &str, state: u64) -> Result<Option<Value>, TableError> {
        self.get_table(name)?.map_or(Ok(None), |table| table.probe(state))
    }

    /// Win, loss or draw; `None` where the state is void.
    pub fn probe_wdl(&self, name: &str, state: u64) -> Result<Option<Outcome>, TableError> {
        self.table(name)?.probe_wdl(state)
    }

    /// Win, loss or draw; `None` where the state is void or the table is missing.
    pub fn get_wdl(&self, name: &str, state: u64) -> Result<Option<Outcome>, TableError> {
        self.get_table(name)?.map_or(Ok(None), |table| table.probe_wdl(state))
    }

    /// The distance to the end in plies; `None` for a draw and where the state is void.
    pub fn probe_distance(&self, name: &str, state: u64) -> Result<Option<u32>, TableError> {
        self.table(name)?.probe_distance(state)
    }

    /// The distance to the end in plies; `None` for a draw, and where the state is void or the
    /// table is missing.
    pub fn get_distance(&self, name: &str, state: u64) -> Result<Option<u32>, TableError> {
        self.get_table(name)?.map_or(Ok(None), |table| table.probe_distance(state))
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
