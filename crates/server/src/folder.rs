//! The tables of the folder, as they were when the server read the folder.
//!
//! A request can only name what the server has found, so no path is ever made from a request. Links
//! that lead out of the folder are left out. A table is opened at its first use.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use retrograde_catalog::{Oracle, Solved, from_about, open_family};
use retrograde_chess::Tablebase;
use retrograde_files::path_problem;
use retrograde_regions::TablebaseError;
use retrograde_table::{Folder as Files, Options, Table, TableError};

use crate::problem::Problem;

/// All tables of a folder.
pub(crate) struct Folder {
    /// The chess endgames, if there are any.
    pub(crate) chess: Option<Tablebase>,
    /// The regions of a family, if there are any.
    family: Option<Oracle>,
    /// Every table by its name.
    tables: BTreeMap<String, Entry>,
    /// The files that are not served, and why.
    left_out: Vec<String>,
}

/// A table of the folder.
pub(crate) enum Entry {
    /// A region of a family. The tablebase opens it.
    Region(String),
    /// A table of another game.
    Game(Box<Kept>),
}

/// The table of a game, and its oracle once the game is built.
pub(crate) struct Kept {
    table: Arc<Table>,
    oracle: OnceLock<Result<Oracle, String>>,
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
        let left_out = subfolders(&home).map_err(missing)?;
        let mut folder = Folder { chess: None, family: None, tables: BTreeMap::new(), left_out };
        if Tablebase::is_at(&home).map_err(FolderError::Family)? {
            let chess = Tablebase::open_with(&home, options).map_err(FolderError::Family)?;
            folder.family = Some(chess.oracle());
            folder.chess = Some(chess);
        } else {
            folder.family = open_family(&home, options).map_err(FolderError::Family)?;
        }
        if let Ok(family) = folder.family() {
            for name in family.regions() {
                let file = files.file(&name).map_err(FolderError::Table)?;
                if file.exists() && !inside(&file) {
                    return Err(FolderError::Outside { path: file });
                }
                folder.tables.insert(name.clone(), Entry::Region(name));
            }
        }
        for name in names {
            let file = files.file(&name).map_err(FolderError::Table)?;
            if folder.tables.contains_key(&name) {
                continue;
            }
            if !inside(&file) {
                let problem = format!("{}: leads out of the folder; left out", file.display());
                folder.left_out.push(problem);
                continue;
            }
            match kept(&options, &file) {
                Ok(kept) => {
                    folder.tables.insert(name, Entry::Game(Box::new(kept)));
                }
                Err(problem) => folder.left_out.push(format!("{problem}; left out")),
            }
        }
        if folder.tables.is_empty() {
            let path = home.display();
            folder.left_out.push(format!("{path}: there is no table here that can be served"));
        }
        Ok(folder)
    }

    /// The files that are not served, and why: one line each.
    pub(crate) fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// All tables by their names, in order.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.tables.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// How many tables there are.
    pub(crate) fn len(&self) -> usize {
        self.tables.len()
    }

    /// The table of this name.
    pub(crate) fn find(&self, name: &str) -> Result<&Entry, Problem> {
        let missing = || Problem::missing("there is no table of this name: GET /tables lists them");
        self.tables.get(name).ok_or_else(missing)
    }

    /// The chess endgames.
    pub(crate) fn chess(&self) -> Result<&Tablebase, Problem> {
        let missing = || Problem::missing("there are no chess endgames here");
        self.chess.as_ref().ok_or_else(missing)
    }

    /// The family of the folder's regions.
    pub(crate) fn family(&self) -> Result<&Oracle, Problem> {
        let missing = || Problem::missing("there are no tables of regions here");
        self.family.as_ref().ok_or_else(missing)
    }

    /// The table itself, of any game.
    pub(crate) fn table<'a>(&'a self, entry: &'a Entry) -> Result<&'a Table, Problem> {
        match entry {
            Entry::Region(region) => {
                let missing = || Problem::missing(format!("there is no table of {region} here"));
                self.family()?.table(region)?.ok_or_else(missing)
            }
            Entry::Game(kept) => Ok(&kept.table),
        }
    }
}

/// Opens a table of a game that is probed by state.
fn kept(options: &Options, file: &Path) -> Result<Kept, String> {
    let table = options.open(file).map_err(|error| error.to_string())?;
    let (name, about) = (file.display().to_string(), &table.header().about);
    if about.game == CHESS {
        return Err(format!("{name}: not in the folder's manifest"));
    }
    // A table that cannot be probed is not listed, such as a region of morris without the regions that its
    // moves lead to.
    from_about(about, &name).map_err(|error| error.to_string())?;
    Ok(Kept { table: Arc::new(table), oracle: OnceLock::new() })
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

/// The name of the game in endgame tables.
pub(crate) const CHESS: &str = "chess";

impl Kept {
    /// The oracle. The game is built from the table's header at its first use.
    pub(crate) fn oracle(&self) -> Result<Oracle, Problem> {
        let make = || Solved::of_table(Arc::clone(&self.table)).map(Oracle::new);
        let made = self.oracle.get_or_init(make);
        made.clone().map_err(Problem::fault)
    }
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
