//! The errors of files, with the part of the solve that they belong to.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use retrograde::SolveError;
use retrograde_files::{FileError, path_problem, way_on};

/// Why a solve on disk did not finish.
#[derive(Debug)]
#[non_exhaustive]
pub enum DiskError {
    /// The system cannot do something with a file.
    Io {
        /// The file.
        path: PathBuf,
        /// Its contents: `part 7`, `the updates`.
        what: String,
        /// The operation that failed.
        doing: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// The disk is full, or a quota or limit is reached.
    Full {
        /// The file that did not fit.
        path: PathBuf,
        /// Its contents.
        what: String,
    },
    /// The contents of a file have changed.
    Damaged {
        /// The file.
        path: PathBuf,
        /// Its contents.
        what: String,
        /// The problem.
        problem: String,
    },
    /// The folder belongs to another solve.
    Other {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        problem: String,
    },
    /// The memory limit is too low.
    Memory {
        /// The least number of bytes.
        needed: u64,
        /// The limit.
        limit: u64,
    },
}

impl DiskError {
    pub(crate) fn io(path: &Path, what: &str, doing: &'static str, source: io::Error) -> DiskError {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let (path, what) = (path.to_owned(), what.to_owned());
        match source.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => DiskError::Full { path, what },
            _ => DiskError::Io { path, what, doing, source },
        }
    }

    /// The error of a file that holds `what`.
    pub(crate) fn file(error: FileError, what: &str) -> DiskError {
        match error {
            FileError::Full { path, .. } => DiskError::Full { path, what: what.to_owned() },
            FileError::Io { path, doing, source } => DiskError::io(&path, what, doing, source),
            FileError::Damaged { path, problem } => DiskError::damaged(&path, what, problem),
            other => DiskError::io(Path::new(""), what, "write", io::Error::other(other)),
        }
    }

    pub(crate) fn damaged(path: &Path, what: &str, problem: impl Into<String>) -> DiskError {
        DiskError::Damaged { path: path.to_owned(), what: what.to_owned(), problem: problem.into() }
    }
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiskError::Io { path, what, doing, source } => {
                let problem = path_problem(path, source);
                write!(f, "{}: cannot {doing} {what}: {problem}", path.display())?;
                way_on(source).map_or(Ok(()), |way| write!(f, "; {way}"))
            }
            DiskError::Full { path, what } => write!(
                f,
                "{}: no space is left for {what}; make room and repeat the command: it continues from its last checkpoint",
                path.display()
            ),
            DiskError::Damaged { path, what, problem } => write!(
                f,
                "{}: {what} is damaged: {problem}; remove the folder to start again",
                path.display()
            ),
            DiskError::Other { folder, problem } => write!(
                f,
                "{}: the folder is of a solve with another {problem}; repeat the command that began it, or give another \
                 folder",
                folder.display()
            ),
            DiskError::Memory { needed, limit } => write!(
                f,
                "parts in files still take {needed} bytes of memory; the limit is {limit}"
            ),
        }
    }
}

impl From<DiskError> for SolveError {
    fn from(error: DiskError) -> SolveError {
        SolveError::Outside(Box::new(error))
    }
}

impl Error for DiskError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            DiskError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
