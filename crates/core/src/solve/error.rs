//! How far a solve has come, and why it failed.

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::ControlFlow;

/// How far long work has come: a solve, an audit, a verification, or the writing of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The current distance of a solve. `None` while the solver seeds the states, and in other work.
    pub level: Option<u32>,
    /// How many states are done: settled, or seeded, audited, verified, written. States that never settle are draws.
    pub done: u64,
    /// How many states there are to do.
    pub states: u64,
}

/// A callback for progress, of work whose callback stays on one thread.
pub(crate) type Tell<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// Why a solve failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SolveError {
    /// The solve needs more memory than the limit.
    Memory {
        /// How many bytes are enough, as far as this is known. The lists of a level may take less. Before the solve has
        /// begun, exits and distances of hundreds of plies are unknown, and may take more.
        needed: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The system did not start this number of threads.
    Threads {
        /// How many threads the caller asked for.
        threads: usize,
        /// The error of the system.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The progress callback asked to stop.
    Cancelled,
    /// The snapshot to resume from belongs to another game, engine or options.
    Snapshot,
    /// The snapshot to resume from is damaged, or is no snapshot.
    Damaged,
    /// Something that the solve depends on has failed: a file, another process.
    Outside(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Memory { needed, limit } => {
                write!(f, "the solve takes up to {needed} bytes of memory; the limit is {limit}")
            }
            SolveError::Threads { threads, source } => {
                write!(f, "the system refuses to start {threads} threads ({source}); use fewer")
            }
            SolveError::Cancelled => write!(f, "the solve was stopped"),
            SolveError::Snapshot => {
                write!(
                    f,
                    "the snapshot belongs to another game or engine, or to a solve that differs in whether it keeps distances; solve from the start, or resume from another snapshot"
                )
            }
            SolveError::Damaged => {
                write!(
                    f,
                    "a checksum is wrong: this is a damaged snapshot, or no snapshot; solve from the start, or resume from another snapshot"
                )
            }
            SolveError::Outside(error) => error.fmt(f),
        }
    }
}

impl Error for SolveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SolveError::Threads { source, .. } => Some(&**source),
            SolveError::Outside(error) => error.source(),
            _ => None,
        }
    }
}

/// Why the distances of a solution cannot be read, or its values: they are in a store.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// The store failed.
    Store(io::Error),
    /// A block is not what the solve wrote.
    Damaged {
        /// The number of the block.
        block: u64,
    },
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::Store(error) => write!(f, "the log of distances cannot be read: {error}"),
            LogError::Damaged { block } => {
                write!(f, "block {block} of the log of distances is damaged: a checksum is wrong")
            }
        }
    }
}

impl Error for LogError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            LogError::Store(error) => Some(error),
            LogError::Damaged { .. } => None,
        }
    }
}

impl From<LogError> for SolveError {
    fn from(error: LogError) -> SolveError {
        SolveError::Outside(Box::new(error))
    }
}
