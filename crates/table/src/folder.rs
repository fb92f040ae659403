//! A folder of tables by name.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use retrograde::{Outcome, Value};
use retrograde_files::{exists, list};

use crate::error::TableError;
use crate::table::{Options, Table};

/// A folder of tables. Opens a table at its first use, and keeps it open.
///
/// Each lookup has two forms. If the table is missing, the plain form returns an error that names the file.
/// The `get_` form returns `None`.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    options: Options,
    open: Mutex<HashMap<String, Arc<Table>>>,
}

impl Folder {
    /// The extension of tables.
    pub const EXTENSION: &str = "table";

    /// A folder of tables, opened with the default options. The folder need not exist yet.
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

    /// The file of the table with this name. It need not exist.
    pub fn file(&self, name: &str) -> Result<PathBuf, TableError> {
        let plain = |c: char| c.is_alphanumeric() || "-_+,=.".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(TableError::Name { name: name.into() });
        }
        Ok(self.path.join(format!("{name}.{}", Folder::EXTENSION)))
    }

    /// The names of all tables in the folder, sorted.
    pub fn names(&self) -> Result<Vec<String>, TableError> {
        let failed = |source| TableError::Io { path: self.path.clone(), source };
        if !exists(&self.path) {
            return Err(failed(io::ErrorKind::NotFound.into()));
        }
        let files = list(&self.path).map_err(|error| failed(error.into_io()))?;
        let name_of = |file: &OsString| {
            let name = Path::new(file).file_stem()?.to_str()?;
            let is_table = Path::new(file).extension()? == Folder::EXTENSION;
            (is_table && self.file(name).is_ok()).then(|| name.to_owned())
        };
        let mut names: Vec<String> = files.iter().filter_map(name_of).collect();
        names.sort();
        Ok(names)
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Result<Arc<Table>, TableError> {
        if let Some(table) = self.open().get(name) {
            return Ok(Arc::clone(table));
        }
        // This does not hold the lock, because it takes a moment to open a table. If two threads open the
        // table, the folder keeps the one of the first to finish.
        let table = Arc::new(self.options.open(self.file(name)?)?);
        Ok(Arc::clone(self.open().entry(name.into()).or_insert(table)))
    }

    /// The table of this name, if it exists.
    pub fn get_table(&self, name: &str) -> Result<Option<Arc<Table>>, TableError> {
        match self.table(name) {
            Ok(table) => Ok(Some(table)),
            Err(TableError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The value of a state; `None` if it is invalid.
    pub fn probe(&self, name: &str, state: u64) -> Result<Option<Value>, TableError> {
        self.table(name)?.probe(state)
    }

    /// The value of a state; `None` if it is invalid or the table is missing.
    pub fn get_probe(&self, name: &str, state: u64) -> Result<Option<Value>, TableError> {
        self.get_table(name)?.map_or(Ok(None), |table| table.probe(state))
    }

    /// Win, loss or draw; `None` if the state is invalid.
    pub fn probe_wdl(&self, name: &str, state: u64) -> Result<Option<Outcome>, TableError> {
        self.table(name)?.probe_wdl(state)
    }

    /// Win, loss or draw; `None` if the state is invalid or the table is missing.
    pub fn get_wdl(&self, name: &str, state: u64) -> Result<Option<Outcome>, TableError> {
        self.get_table(name)?.map_or(Ok(None), |table| table.probe_wdl(state))
    }

    /// The distance to the end in plies; `None` for a draw or an invalid state.
    pub fn probe_distance(&self, name: &str, state: u64) -> Result<Option<u32>, TableError> {
        self.table(name)?.probe_distance(state)
    }

    /// The distance to the end in plies; `None` for a draw, an invalid state or a missing table.
    pub fn get_distance(&self, name: &str, state: u64) -> Result<Option<u32>, TableError> {
        self.get_table(name)?.map_or(Ok(None), |table| table.probe_distance(state))
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
