//! How a command ends when it does not succeed, and what the shell and the user get to know of it.

use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file, a board or a size is at fault: exit 1. The message says what, where and what to do.
    Input(String),
    /// The arguments do not go together: exit 2.
    Usage(String),
    /// Whoever read the results has read enough, as `head` does: quietly done.
    Closed,
}

impl Failure {
    /// Tells the user, and gives the status to leave with.
    pub(crate) fn report(self) -> ExitCode {
        let (message, status) = match self {
            Failure::Input(message) => (message, 1),
            Failure::Usage(message) => {
                (format!("{message}\n\nFor more information, try '--help'."), 2)
            }
            Failure::Closed => return ExitCode::SUCCESS,
        };
        // Where standard error is closed as well, there is nobody left to tell.
        let _ = writeln!(io::stderr(), "error: {message}");
        ExitCode::from(status)
    }
}

impl From<io::Error> for Failure {
    /// Results are the only thing written through `?`, so the output is at fault.
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Input(format!("the results could not be written: {error}")),
        }
    }
}
