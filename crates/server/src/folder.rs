//! The tables of the folder, as they were when the server read the folder.
//!
//! A request can only name what the server has found, so no path is ever made from a request. Links
//! that lead out of the folder are left out. A table is opened at its first use.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use retrograde_answers::Tables;
use retrograde_files::path_problem;
use retrograde_regions::TablebaseError;
use retrograde_table::{Folder as Files, Options, TableError};

/// All tables of a folder.
pub(crate) struct Folder {
    tables: Tables,
    /// The files that are not served, and why.
    left_out: Vec<String>,
}

/// Why a folder cannot be served.
#[derive(Debug)]
pub enum FolderError {
    /// There is no such folder.
    Missing {
        /// The folder.
        path: PathBuf,
        /// The error that the system reports.
        source: io::Error,
    },
    /// This is a file.
    File {
        /// The file.
        path: PathBuf,
    },
    /// The folder cannot be read.
    Table(TableError),
    /// Its regions cannot be opened.
    Family(TablebaseError),
    /// The table of a region is a link to a file outside the folder.
    Outside {
        /// The link.
        path: PathBuf,
    },
}

impl Folder {
    /// Reads a folder. All its tables together keep at most `cache_bytes` bytes of blocks in memory.
    pub(crate) fn open(path: &Path, cache_bytes: u64) -> Result<Folder, FolderError> {
        let missing = |source| FolderError::Missing { path: path.into(), source };
        let home = fs::canonicalize(path).map_err(missing)?;
        if !home.is_dir() {
            return Err(FolderError::File { path: path.into() });
        }
        let files = Files::new(&home);
        let names = files.names().map_err(FolderError::Table)?;
        let inside = |file: &Path| fs::canonicalize(file).is_ok_and(|real| real.starts_with(&home));
        let cache = cache_bytes / names.len().max(1) as u64;
        let options = Options::new().cache_bytes(cache);
        let mut left_out = subfolders(&home).map_err(missing)?;
        let mut tables = Tables::of_folder(&home, options).map_err(FolderError::Family)?;
        for name in tables.names() {
            let file = files.file(name).map_err(FolderError::Table)?;
            if file.exists() && !inside(&file) {
                return Err(FolderError::Outside { path: file });
            }
        }
        for name in names {
            let file = files.file(&name).map_err(FolderError::Table)?;
            if tables.contains(&name) {
                continue;
            }
            if !inside(&file) {
                let problem = format!("{}: leads out of the folder; left out", file.display());
                left_out.push(problem);
                continue;
            }
            let opened = options.open(&file).map_err(|error| error.to_string());
            if let Err(problem) = opened.and_then(|table| tables.add(&name, table)) {
                left_out.push(format!("{problem}; left out"));
            }
        }
        if tables.is_empty() {
            let path = home.display();
            left_out.push(format!("{path}: there is no table here that can be served"));
        }
        Ok(Folder { tables, left_out })
    }

    /// The files that are not served, and why: one line each.
    pub(crate) fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The tables.
    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }
}

/// The notes about folders inside the folder, whose tables are not served.
fn subfolders(home: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(home)? {
        let path = entry?.path();
        if path.is_dir() {
            let path = path.display();
            found.push(format!("{path}: a folder inside; left out: serve it by itself"));
        }
    }
    found.sort();
    Ok(found)
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Missing { path, source } => write!(
                f,
                "{}: {}; name a folder of tables, which `retrograde solve --out` and `retrograde build` \
                 write",
                path.display(),
                path_problem(path, source)
            ),
            FolderError::File { path } => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                let (name, folder) = (path.display(), folder.display());
                write!(
                    f,
                    "{name}: this is not a folder; name the folder of a table, such as {folder}"
                )
            }
            FolderError::Table(error) => error.fmt(f),
            FolderError::Family(error) => error.fmt(f),
            FolderError::Outside { path } => write!(
                f,
                "{}: this link leads out of the folder, and nothing outside is served; put the table itself here",
                path.display()
            ),
        }
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FolderError::Missing { source, .. } => Some(source),
            FolderError::Table(error) => Some(error),
            FolderError::Family(error) => Some(error),
            FolderError::Outside { .. } | FolderError::File { .. } => None,
        }
    }
}
