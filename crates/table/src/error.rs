//! What can go wrong with a table, said so that one knows which file, which part of it, and what to do.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a table could not be opened or a state not looked up.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// There is no such table.
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The system would not open or read the file.
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The file is something else.
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it should have been: `table`.
        expected: String,
    },
    /// The file is of a version that this program does not know.
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u32,
    },
    /// The file was cut short, or something was added at its end.
    Length {
        /// The file.
        path: PathBuf,
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// A checksum or what it guards does not hold.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part of it.
        part: Section,
    },
    /// The header is whole but makes no sense.
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The histogram is whole but makes no sense.
    Histogram {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The table does not belong to the rules it is asked with.
    Game {
        /// The file.
        path: PathBuf,
        /// What shows it.
        problem: String,
    },
    /// A value follows from that of another table, which cannot be read.
    Needed {
        /// The file.
        path: PathBuf,
        /// What is wrong with the other one.
        problem: String,
    },
    /// There is no such state.
    State {
        /// The file.
        path: PathBuf,
        /// The state asked for.
        state: u64,
        /// How many there are.
        states: u64,
    },
    /// The table keeps the states of one mover only, and this is not one of them.
    NotStored {
        /// The file.
        path: PathBuf,
        /// The state asked for.
        state: u64,
    },
    /// The table was written without distances.
    NoDistances {
        /// The file.
        path: PathBuf,
    },
    /// The name of a table in a folder has characters that no such name has.
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
            TableError::Io { path, source } => write!(f, "{}: {source}", path.display()),
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
                "{}: {} ({found} bytes where {expected} are due); copy or write it again",
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
                write!(f, "{}: the table is of another game: {problem}", path.display())
            }
            TableError::Needed { path, problem } => write!(
                f,
                "{}: a value follows from that of another table, and that cannot be read: {problem}",
                path.display()
            ),
            TableError::State { path, state, states } => {
                write!(f, "{}: there is no state {state}, the table has {states}", path.display())
            }
            TableError::NotStored { path, state } => write!(
                f,
                "{}: the table keeps one mover's states only, and {state} is another's; ask with \
                 the rules at hand",
                path.display()
            ),
            TableError::NoDistances { path } => {
                write!(f, "{}: the table was written without distances", path.display())
            }
            TableError::Name { name } => write!(f, "no table can be called '{name}'"),
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

/// Why a table could not be written under its name. No part of it is left behind, unless the error says so.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The system would not create, write or rename the file.
    Io {
        /// The file.
        path: PathBuf,
        /// What it would not do.
        doing: &'static str,
        /// What it said.
        source: io::Error,
    },
    /// The disk is full, or a quota or limit is reached.
    Full {
        /// The file.
        path: PathBuf,
        /// How many bytes found room.
        written: u64,
        /// How many more would have been needed, reckoned from the blocks packed so far.
        missing: u64,
    },
    /// Another file has taken the name meanwhile, and stays. What was written is whole, under another name.
    Taken {
        /// The file that stays.
        path: PathBuf,
        /// What was written.
        kept: PathBuf,
    },
    /// Another process writes into the folder.
    Held {
        /// The folder.
        folder: PathBuf,
        /// Who holds it, and since when.
        holder: String,
    },
    /// The table cannot be laid out as asked.
    Layout(String),
    /// What was to be written could not be read.
    Source(String),
    /// The caller asked to stop.
    Cancelled,
}

impl WriteError {
    pub(crate) fn pack(path: &Path, source: io::Error) -> WriteError {
        WriteError::Io { path: path.into(), doing: "pack a block of", source }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Io { path, doing, source } => {
                write!(f, "{}: cannot {doing} the file: {source}", path.display())
            }
            WriteError::Full { path, written, missing } => write!(
                f,
                "{}: no room is left: {written} bytes were written, about {missing} more are \
                 needed; make room and write it again",
                path.display()
            ),
            WriteError::Taken { path, kept } => write!(
                f,
                "{}: there is a file of this name by now, and it stays; what was written is {}",
                path.display(),
                kept.display()
            ),
            WriteError::Held { folder, holder } => write!(
                f,
                "{}: {holder} is at work in this folder; wait until it is done, or use another",
                folder.display()
            ),
            WriteError::Layout(problem) => write!(f, "the table cannot be laid out: {problem}"),
            WriteError::Source(problem) => write!(f, "what was to be written: {problem}"),
            WriteError::Cancelled => f.write_str("writing was cancelled"),
        }
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WriteError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
