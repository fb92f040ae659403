//! The errors of play.

use std::fmt;
use std::io;

use retrograde_catalog::OracleError;

/// Why play cannot continue.
#[derive(Debug)]
pub enum PlayError {
    /// An input or a table is wrong.
    Input(String),
    /// A table gives a wrong answer.
    Wrong(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Input(problem) | PlayError::Wrong(problem) => f.write_str(problem),
            PlayError::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<io::Error> for PlayError {
    fn from(error: io::Error) -> PlayError {
        PlayError::Output(error)
    }
}

impl From<OracleError> for PlayError {
    fn from(error: OracleError) -> PlayError {
        match error {
            OracleError::Wrong(problem) => PlayError::Wrong(problem),
            error => PlayError::Input(error.to_string()),
        }
    }
}
