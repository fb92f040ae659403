//! What the program must provide for play, and the errors of play.

use std::fmt;
use std::io::{self, Write};

use retrograde_catalog::OracleError;

/// What the program must provide for play.
pub trait Host {
    /// Writes a drawing, with its colours.
    fn draw(&self, out: &mut dyn Write, drawing: &str) -> io::Result<()>;

    /// Makes the first stop signal ask only. Calls `act` before the program ends.
    fn before_end(&self, act: fn());

    /// Whether a stop signal has come.
    fn is_stopped(&self) -> bool;
}

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
