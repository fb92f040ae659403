//! How a command ends if it fails: the exit code for the shell, the message for the user.

use std::io;
use std::process::ExitCode;

use retrograde_catalog::shortened;

use crate::term::progress::note;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An answer is wrong: exit 1. A value does not follow from the rules, a checksum does not match, or the rules
    /// contradict themselves.
    Wrong(String),
    /// The arguments do not fit together: exit 2.
    Usage(String),
    /// A file, a board or a size is wrong: exit 3. The message says what, where and what to do.
    Input(String),
    /// The reader of the results has closed the pipe, as `head` does: end without a message.
    Closed,
}

impl Failure {
    /// The message.
    pub(crate) fn message(&self) -> &str {
        match self {
            Failure::Wrong(message) | Failure::Usage(message) | Failure::Input(message) => message,
            Failure::Closed => "the reader has gone away",
        }
    }

    /// The exit code.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::Wrong(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Input(_) => 3,
        }
    }

    /// Prints the message, and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let status = ExitCode::from(self.status());
        let message = match self {
            Failure::Closed => return status,
            Failure::Usage(message) => format!("{message}\n\nFor more information, try '--help'."),
            Failure::Wrong(message) | Failure::Input(message) => message,
        };
        note(&format!("error: {}", shortened(&message)));
        status
    }
}

impl From<io::Error> for Failure {
    /// Only results are written through `?`, so the error is one of the output.
    fn from(error: io::Error) -> Failure {
        /// What Windows says of a pipe whose reader has gone: it is being closed, or not connected.
        const GONE: [i32; 2] = [232, 233];
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ if cfg!(windows) && error.raw_os_error().is_some_and(|code| GONE.contains(&code)) => {
                Failure::Closed
            }
            _ => Failure::Input(format!("the results could not be written: {error}")),
        }
    }
}

/// An error of a table or a folder. Its message says how to make the table again.
pub(crate) fn input(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}
