//! The error of a reader that cannot use a file or an argument. It has the number of the line. The caller
//! adds the name of the file.

use std::fmt;

/// What is wrong with a text or an argument, in which line, and how to correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    line: Option<u64>,
    column: Option<u64>,
    message: String,
}

impl ReadError {
    /// An error about one line; the first is line 1.
    pub fn at(line: u64, message: impl Into<String>) -> ReadError {
        ReadError { line: Some(line), column: None, message: message.into() }
    }

    /// The same error, about one column of the line; the first is column 1.
    pub fn column(self, column: u64) -> ReadError {
        ReadError { column: Some(column), ..self }
    }

    /// An error about the whole text, or about an argument that has no lines.
    pub fn whole(message: impl Into<String>) -> ReadError {
        ReadError { line: None, column: None, message: message.into() }
    }

    /// The line of the error, if it is about one line.
    pub fn line(&self) -> Option<u64> {
        self.line
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => {
                write!(f, "line {line}, column {column}: {}", self.message)
            }
            (Some(line), None) => write!(f, "line {line}: {}", self.message),
            (None, _) => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ReadError {}
