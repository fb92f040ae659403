//! Questions that have no answer.

use std::fmt;

use retrograde_catalog::OracleError;
use retrograde_regions::TablebaseError;
use retrograde_table::TableError;

/// Why a question has no answer, as text that says what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    kind: ProblemKind,
    text: String,
}

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The question makes no sense.
    Bad,
    /// There is no such thing.
    Missing,
    /// It asks for too many states at once.
    TooMany,
    /// It makes sense, but asks for too much or for something that does not exist.
    Refused,
    /// The time for it is up.
    Busy,
    /// A table or a game is broken. The text is for the owner of the table, and may name files.
    Fault,
}

impl ProblemKind {
    /// The status of HTTP with this meaning.
    pub fn status(self) -> u16 {
        match self {
            ProblemKind::Bad => 400,
            ProblemKind::Missing => 404,
            ProblemKind::TooMany => 413,
            ProblemKind::Refused => 422,
            ProblemKind::Fault => 500,
            ProblemKind::Busy => 503,
        }
    }
}

impl Problem {
    /// A problem.
    pub fn new(kind: ProblemKind, text: impl Into<String>) -> Problem {
        Problem { kind, text: text.into() }
    }

    pub(crate) fn bad(text: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Bad, text)
    }

    pub(crate) fn refused(text: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Refused, text)
    }

    pub(crate) fn missing(text: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Missing, text)
    }

    pub(crate) fn fault(cause: impl fmt::Display) -> Problem {
        Problem::new(ProblemKind::Fault, cause.to_string())
    }

    /// Whose fault it is.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// What went wrong, and what to do about it.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Problem {}

impl From<TableError> for Problem {
    fn from(error: TableError) -> Problem {
        Problem::fault(error)
    }
}

impl From<OracleError> for Problem {
    fn from(error: OracleError) -> Problem {
        match error {
            OracleError::State(problem) => Problem::bad(problem),
            OracleError::Tables(error) => error.into(),
            error => Problem::fault(error),
        }
    }
}

impl From<TablebaseError> for Problem {
    fn from(error: TablebaseError) -> Problem {
        match error {
            TablebaseError::Position(problem) => Problem::bad(problem),
            TablebaseError::Region(error) if error.is_missing() => {
                Problem::missing(format!("there is no table of {} here", error.region))
            }
            error => Problem::fault(error),
        }
    }
}
