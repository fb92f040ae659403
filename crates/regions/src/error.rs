//! What can go wrong with regions, said so that one knows which region, which file, and which command
//! helps.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use retrograde::SolveError;
use retrograde_table::{Table, TableError, WriteError};

use crate::family::Family;
use crate::manifest::ManifestError;

/// A region that cannot be asked: its table is missing, damaged or not the one that was built.
#[derive(Debug)]
pub struct RegionError {
    /// The region.
    pub region: String,
    /// The command that makes its table.
    pub command: String,
    /// What is wrong with it.
    pub cause: Cause,
}

/// What is wrong with a region's table.
#[derive(Debug)]
#[non_exhaustive]
pub enum Cause {
    /// It is not there, or not finished.
    Missing {
        /// The folder in which it was looked for.
        folder: PathBuf,
    },
    /// The file is not the one that the manifest knows.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The file is the table of another region.
    Other {
        /// The file.
        path: PathBuf,
        /// The region that it names.
        found: String,
    },
    /// The table says so itself.
    Table(TableError),
    /// A value does not follow from the rules: which, and what follows.
    Broken(String),
    /// It could not be solved.
    Solve(SolveError),
    /// The system would not read the file.
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl RegionError {
    /// Whether the table is not there, rather than there and at fault.
    pub fn is_missing(&self) -> bool {
        matches!(self.cause, Cause::Missing { .. } | Cause::Table(TableError::Missing { .. }))
    }

    pub(crate) fn new<F: Family>(
        family: &F,
        region: &F::Region,
        folder: &Path,
        cause: impl Into<Cause>,
    ) -> RegionError {
        RegionError {
            region: region.to_string(),
            command: family.command(region, folder),
            cause: cause.into(),
        }
    }
}

impl Cause {
    /// What is wrong with a table that is to be a region's, by its name alone.
    pub(crate) fn of_name<F: Family>(
        family: &F,
        region: &F::Region,
        table: &Table,
    ) -> Option<Cause> {
        let found = family.named(&table.header().about)?.to_owned();
        (found != region.to_string()).then(|| Cause::Other { path: table.path().into(), found })
    }
}

impl From<TableError> for Cause {
    fn from(error: TableError) -> Cause {
        Cause::Table(error)
    }
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RegionError { region, command, cause } = self;
        match cause {
            Cause::Missing { folder } => {
                write!(f, "there is no finished table of {region} in {}", folder.display())?;
            }
            Cause::Changed { path } => write!(
                f,
                "{}: this is not the table of {region} that was built here: its checksum differs \
                 from the manifest's",
                path.display()
            )?,
            Cause::Other { path, found } => {
                write!(f, "{}: this is the table of {found}, not of {region}", path.display())?;
            }
            Cause::Table(error) => error.fmt(f)?,
            Cause::Broken(problem) => write!(f, "the solution of {region} is wrong: {problem}")?,
            Cause::Solve(error) => write!(f, "{region} could not be solved: {error}")?,
            Cause::Io { path, source } => write!(f, "{}: {source}", path.display())?,
        }
        match cause {
            // The table is not at fault.
            Cause::Io { .. } | Cause::Table(TableError::Io { .. }) | Cause::Solve(_) => Ok(()),
            // Every byte is as it was written: while the file is there, a build takes it for finished.
            Cause::Broken(_)
            | Cause::Other { .. }
            | Cause::Table(
                TableError::Header { .. } | TableError::Histogram { .. } | TableError::Game { .. },
            ) => write!(f, "; to make it again, remove {region}.table, and then: {command}"),
            _ => write!(f, "; to make it: {command}"),
        }
    }
}

impl std::error::Error for RegionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            Cause::Table(error) => Some(error),
            Cause::Io { source, .. } => Some(source),
            Cause::Solve(error) => Some(error),
            Cause::Missing { .. }
            | Cause::Changed { .. }
            | Cause::Other { .. }
            | Cause::Broken(_) => None,
        }
    }
}

/// Why a build came to no end. What was finished stays, and the same command goes on from there.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The folder's manifest cannot be read.
    Manifest(ManifestError),
    /// The folder was begun with other options.
    Options {
        /// The folder.
        folder: PathBuf,
        /// Which option.
        option: &'static str,
        /// What it was.
        found: String,
        /// What is asked for now.
        wanted: String,
    },
    /// A region takes more memory than there may be taken.
    Memory {
        /// The region.
        region: String,
        /// The bytes it takes.
        needed: u64,
        /// The bytes it may take.
        limit: u64,
    },
    /// The system refuses to start as many threads as are asked for.
    Threads {
        /// How many are asked for.
        threads: usize,
        /// Why it refuses.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A region that another one needs cannot be asked, or a solution does not hold.
    Region(RegionError),
    /// A file cannot be written.
    Write(WriteError),
    /// The system refused something else.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Whoever was to solve a region [elsewhere](crate::Builder::elsewhere) has failed.
    Elsewhere {
        /// The region.
        region: String,
        /// What was said of it.
        problem: String,
    },
    /// The progress callback said to stop.
    Cancelled,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Manifest(error) => error.fmt(f),
            BuildError::Options { folder, option, found, wanted } => write!(
                f,
                "{}: the tables here were built with {option} {found}, and now {wanted} is asked \
                 for; ask for the same or use another folder",
                folder.display()
            ),
            BuildError::Memory { region, needed, limit } => {
                write!(f, "{region} takes {needed} bytes of memory; the limit is {limit}")
            }
            BuildError::Threads { threads, source } => {
                write!(f, "the system refuses to start {threads} threads ({source}); use fewer")
            }
            BuildError::Region(error) => error.fmt(f),
            BuildError::Write(error) => error.fmt(f),
            BuildError::Io { path, source } => write!(f, "{}: {source}", path.display()),
            BuildError::Elsewhere { region, problem } => write!(f, "{region}: {problem}"),
            BuildError::Cancelled => f.write_str("the build was stopped"),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Manifest(error) => Some(error),
            BuildError::Region(error) => Some(error),
            BuildError::Write(error) => Some(error),
            BuildError::Io { source, .. } => Some(source),
            BuildError::Threads { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

impl From<ManifestError> for BuildError {
    fn from(error: ManifestError) -> BuildError {
        BuildError::Manifest(error)
    }
}

impl From<RegionError> for BuildError {
    fn from(error: RegionError) -> BuildError {
        BuildError::Region(error)
    }
}

impl From<WriteError> for BuildError {
    fn from(error: WriteError) -> BuildError {
        match error {
            WriteError::Cancelled => BuildError::Cancelled,
            error => BuildError::Write(error),
        }
    }
}
