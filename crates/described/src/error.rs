//! What is wrong with a text, and where.

use std::fmt;

/// Why a text is not the text of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column of the word in the line, from 1, in characters.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub problem: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for TextError {}
