//! The errors of files. Each says which file, what failed, and what to do next.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::path_problem::{NO_FOLDER, path_problem};

/// Why a file could not be read, written or locked.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The system cannot do something with the file.
    Io {
        /// The file.
        path: PathBuf,
        /// The operation that failed.
        doing: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// The disk is full, or a quota or limit is reached.
    Full {
        /// The file.
        path: PathBuf,
        /// How many bytes were written.
        written: u64,
        /// How many more bytes are needed, if known.
        missing: u64,
    },
    /// There is already a file of this name. It stays, and the new file is complete under another name.
    Taken {
        /// The file that stays.
        path: PathBuf,
        /// The new file.
        kept: PathBuf,
    },
    /// Another process writes into the folder.
    Held {
        /// The folder.
        folder: PathBuf,
        /// The process that holds the folder, and since when.
        holder: String,
    },
    /// The file belongs to other work.
    Foreign {
        /// The file.
        path: PathBuf,
        /// How it differs: `another game, "take" and not "graph"`.
        difference: String,
    },
    /// The bytes of the file are not those that were written.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
}

impl FileError {
    /// The error of an operation on a file. If an error of this crate has gone through a [`Write`](io::Write), it comes
    /// back.
    pub fn new(path: &Path, doing: &'static str, source: io::Error) -> FileError {
        match source.downcast::<FileError>() {
            Ok(error) => error,
            Err(source) if is_full(&source) => {
                FileError::Full { path: path.into(), written: 0, missing: 0 }
            }
            Err(source) => FileError::Io { path: path.into(), doing, source },
        }
    }

    /// The error for changed bytes.
    pub fn damaged(path: &Path, problem: impl Into<String>) -> FileError {
        FileError::Damaged { path: path.into(), problem: problem.into() }
    }

    /// The error of the system behind this, or this in an error of the system.
    pub fn into_io(self) -> io::Error {
        match self {
            FileError::Io { source, .. } => source,
            other => other.into(),
        }
    }

    /// Whether no space is left.
    pub fn is_full(&self) -> bool {
        matches!(self, FileError::Full { .. })
    }
}

/// Whether an operation failed for lack of space.
pub(crate) fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// What to do about an error of the system, if its cause is known.
pub fn way_on(error: &io::Error) -> Option<&'static str> {
    use io::ErrorKind::{
        PermissionDenied, ReadOnlyFilesystem, StaleNetworkFileHandle, Unsupported,
    };
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        match Errno::from_io_error(error) {
            Some(Errno::IO) => {
                return Some(
                    "the device fails: look into the log of the system, and use another disk",
                );
            }
            Some(Errno::NOLCK) => {
                return Some("the file system has no locks left; use a folder on another one");
            }
            _ => {}
        }
    }
    match error.kind() {
        PermissionDenied => Some("change the rights of the folder, or use another one"),
        ReadOnlyFilesystem => Some("use a folder on another file system"),
        StaleNetworkFileHandle => Some("mount the network's file system again, and repeat"),
        Unsupported => Some("the file system cannot do this; use a folder on another one"),
        _ => None,
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io { path, doing, source } => {
                let problem = path_problem(path, source);
                if problem == NO_FOLDER {
                    return write!(f, "{}: {problem}; name another folder", path.display());
                }
                write!(f, "{}: cannot {doing} the file: {problem}", path.display())?;
                way_on(source).map_or(Ok(()), |way| write!(f, "; {way}"))
            }
            FileError::Full { path, written: 0, missing: 0 } => {
                write!(f, "{}: no room is left; make room and repeat", path.display())
            }
            FileError::Full { path, written, missing } => write!(
                f,
                "{}: no room is left: {written} bytes were written, about {missing} more are needed; make room and \
                 write it again",
                path.display()
            ),
            FileError::Taken { path, kept } => write!(
                f,
                "{}: another file took this name meanwhile and stays; the new file is {}",
                path.display(),
                kept.display()
            ),
            FileError::Held { folder, holder } => write!(
                f,
                "{}: {holder} is writing to this folder; wait until it ends, or use another folder",
                folder.display()
            ),
            FileError::Foreign { path, difference } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: the file is of {difference}; use another folder, or end that work with the program and the \
                     command that began it"
                )
            }
            FileError::Damaged { path, problem } => {
                write!(
                    f,
                    "{}: {problem}; copy the file again from where it is whole, or remove it",
                    path.display()
                )
            }
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FileError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> io::Error {
        let kind = match &error {
            FileError::Io { source, .. } => source.kind(),
            FileError::Full { .. } => io::ErrorKind::StorageFull,
            FileError::Taken { .. } => io::ErrorKind::AlreadyExists,
            FileError::Held { .. } => io::ErrorKind::ResourceBusy,
            FileError::Foreign { .. } | FileError::Damaged { .. } => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}
