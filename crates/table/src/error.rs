//! The errors of tables. Each says which file, which part of it, and what to do.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use retrograde_files::{FileError, problem_and_way_on};

/// Why a table could not be opened, or a state not probed.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// There is no such table.
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The system cannot open or read the file.
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is not a table.
    Foreign {
        /// The file.
        path: PathBuf,
        /// The expected kind: `table`.
        expected: String,
    },
    /// This program does not know the version of the file.
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u32,
    },
    /// The file is too short or too long.
    Length {
        /// The file.
        path: PathBuf,
        /// The expected length.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// A checksum does not match the data that it covers.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damaged part.
        part: Section,
    },
    /// The header has a valid checksum but makes no sense.
    Header {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The histogram has a valid checksum but makes no sense.
    Histogram {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The table belongs to another game than the given rules.
    Game {
        /// The file.
        path: PathBuf,
        /// How the rules and the table differ.
        problem: String,
    },
    /// A value depends on another table, which cannot be read.
    Needed {
        /// The file.
        path: PathBuf,
        /// The problem of the other table.
        problem: String,
    },
    /// There is no such state.
    State {
        /// The file.
        path: PathBuf,
        /// The requested state.
        state: u64,
        /// The number of states.
        states: u64,
    },
    /// The table keeps only the states of the other side to move.
    NotStored {
        /// The file.
        path: PathBuf,
        /// The requested state.
        state: u64,
    },
    /// The table takes more memory than the caller allows.
    Memory {
        /// The file.
        path: PathBuf,
        /// The bytes that it takes.
        needed: u64,
        /// The bytes that the caller allows.
        limit: u64,
    },
    /// The table was written without distances.
    NoDistances {
        /// The file.
        path: PathBuf,
    },
    /// The name of a table in a folder has characters that are not allowed.
    Name {
        /// The name.
        name: String,
    },
}

/// A section of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The fixed part at the start and the header.
    Header,
    /// The text that follows the header: the histogram of a table.
    Text,
    /// A page of the index, counted from 0.
    Index {
        /// Which page.
        page: u64,
    },
    /// A block, counted from 0.
    Block {
        /// Which block.
        block: u64,
    },
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Section::Header => f.write_str("the header"),
            Section::Text => f.write_str("the histogram"),
            Section::Index { page } => write!(f, "page {page} of the index"),
            Section::Block { block } => write!(f, "block {block}"),
        }
    }
}

impl TableError {
    pub(crate) fn io(path: &Path, source: io::Error) -> TableError {
        if source.kind() == io::ErrorKind::NotFound {
            TableError::Missing { path: path.into() }
        } else {
            TableError::Io { path: path.into(), source }
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Missing { path } => write!(f, "{}: there is no such table", path.display()),
            TableError::Io { path, source } => {
                write!(f, "{}: {}", path.display(), problem_and_way_on(path, source))
            }
            TableError::Foreign { path, expected } => {
                write!(f, "{}: this is not a retrograde {expected}", path.display())
            }
            TableError::Version { path, found } => write!(
                f,
                "{}: version {found} of the format is not known here; use a newer program, or \
                 write the table again",
                path.display()
            ),
            TableError::Length { path, expected, found } => write!(
                f,
                "{}: {} ({found} bytes instead of {expected}); copy or write it again",
                path.display(),
                if found < expected { "the file is cut short" } else { "the file is too long" }
            ),
            TableError::Damaged { path, part } => write!(
                f,
                "{}: {part} is damaged; copy the table again from where it is whole, or write it \
                 again",
                path.display()
            ),
            TableError::Header { path, problem } => {
                write!(f, "{}: the header makes no sense: {problem}", path.display())
            }
            TableError::Histogram { path, problem } => {
                write!(f, "{}: the histogram makes no sense: {problem}", path.display())
            }
            TableError::Game { path, problem } => {
                write!(f, "{}: the table belongs to another game: {problem}", path.display())
            }
            TableError::Needed { path, problem } => write!(
                f,
                "{}: a value follows from another table, which cannot be read: {problem}",
                path.display()
            ),
            TableError::State { path, state, states } => {
                write!(
                    f,
                    "{}: there is no state {state}: the table has {states} states",
                    path.display()
                )
            }
            TableError::NotStored { path, state } => write!(
                f,
                "{}: the table keeps one side's states only, and {state} is another's; ask with \
                 the rules at hand",
                path.display()
            ),
            TableError::Memory { path, needed, limit } => write!(
                f,
                "{}: the table takes {needed} bytes in memory, and {limit} are allowed; allow more, or look states up in \
                 the file",
                path.display()
            ),
            TableError::NoDistances { path } => {
                write!(f, "{}: the table was written without distances", path.display())
            }
            TableError::Name { name } => write!(f, "'{name}' cannot be the name of a table"),
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TableError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Why a table could not be written. No part of the table stays on disk, unless the error says so.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The file cannot be written.
    File(FileError),
    /// The requested layout is impossible.
    Layout(String),
    /// The values could not be read.
    Source(String),
    /// The caller asked to stop.
    Cancelled,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::File(error) => error.fmt(f),
            WriteError::Layout(problem) => write!(f, "the table cannot be laid out: {problem}"),
            WriteError::Source(problem) => write!(f, "the values cannot be read: {problem}"),
            WriteError::Cancelled => f.write_str("writing was cancelled"),
        }
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WriteError::File(error) => error.source(),
            _ => None,
        }
    }
}

impl From<FileError> for WriteError {
    fn from(error: FileError) -> WriteError {
        WriteError::File(error)
    }
}
