//! What the program around gives, and what goes wrong.

use std::fmt;
use std::io::{self, Write};

use retrograde_catalog::OracleError;

/// What the program around gives to a game that is played.
pub trait Host {
    /// Writes what was drawn, colours and all.
    fn draw(&self, out: &mut dyn Write, drawing: &str) -> io::Result<()>;

    /// Has the program end gently when a signal asks for it, with `act` called before.
    fn before_end(&self, act: fn());

    /// Whether a signal asks to stop.
    fn is_stopped(&self) -> bool;
}

/// Why play cannot go on.
#[derive(Debug)]
pub enum PlayError {
    /// What was typed, or a table, is at fault.
    Input(String),
    /// A table gives a wrong answer.
    Wrong(String),
    /// The output takes nothing more.
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
