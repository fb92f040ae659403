//! Why a build stopped early.

use std::fmt;
use std::io;
use std::path::PathBuf;

use retrograde_table::WriteError;

use crate::error::RegionError;
use crate::manifest::ManifestError;

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
    /// A region was to be solved [elsewhere](crate::Builder::elsewhere), and that failed.
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
