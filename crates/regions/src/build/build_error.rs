//! Why a build stopped early.

use std::fmt;
use std::path::PathBuf;

use retrograde_files::FileError;
use retrograde_table::WriteError;

use crate::error::RegionError;

/// Why a build did not finish. Finished regions stay, and the same build continues from there.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The folder was built with other options.
    Options {
        /// The folder.
        folder: PathBuf,
        /// The option.
        option: &'static str,
        /// Its value in the folder.
        found: String,
        /// Its value now.
        wanted: String,
    },
    /// The folder was built from another text.
    Rules {
        /// The folder.
        folder: PathBuf,
    },
    /// A target is not the name of a region. The text says why.
    Name(String),
    /// A region takes more memory than the limit.
    Memory {
        /// The region.
        region: String,
        /// The bytes it takes.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// The system refuses to start this number of threads.
    Threads {
        /// The requested number.
        threads: usize,
        /// Why it refuses.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A region that another one needs cannot be used, or a solution is wrong.
    Region(RegionError),
    /// A file cannot be written, or the manifest cannot be read.
    Write(WriteError),
    /// The function of [`Builder::elsewhere`](crate::Builder::elsewhere) failed to solve a region.
    Elsewhere {
        /// The region.
        region: String,
        /// The error.
        problem: String,
    },
    /// The progress callback asked to stop.
    Cancelled,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Options { folder, option, found, wanted } => {
                // A repack keeps the game and cannot find distances.
                let repack = match *option {
                    "compression" | "both-sides" => ", write them again with --repack,",
                    _ => "",
                };
                write!(
                    f,
                    "{}: the tables here were built with {option} {found}, and now {wanted} is \
                     asked for; ask for the same{repack} or use another folder",
                    folder.display()
                )
            }
            BuildError::Rules { folder } => {
                let folder = folder.display();
                write!(
                    f,
                    "{folder}: the tables here were built with the rules of another text, or of another numbering; use another folder"
                )
            }
            BuildError::Memory { region, needed, limit } => {
                write!(f, "{region} takes {needed} bytes of memory; the limit is {limit}")
            }
            BuildError::Threads { threads, source } => {
                write!(f, "the system refuses to start {threads} threads ({source}); use fewer")
            }
            BuildError::Name(problem) => f.write_str(problem),
            BuildError::Region(error) => error.fmt(f),
            BuildError::Write(error) => error.fmt(f),
            BuildError::Elsewhere { region, problem } => write!(f, "{region}: {problem}"),
            BuildError::Cancelled => f.write_str("the build was stopped"),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<RegionError> for BuildError {
    fn from(error: RegionError) -> BuildError {
        BuildError::Region(error)
    }
}

impl From<FileError> for BuildError {
    fn from(error: FileError) -> BuildError {
        BuildError::Write(error.into())
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
