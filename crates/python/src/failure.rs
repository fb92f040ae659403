//! Errors on their way to Python. Each kind becomes an exception of `retrograde.errors`.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use retrograde::SolveError;
use retrograde::checks::VerifyError;
use retrograde::play::PlayError;
use retrograde_chess::{BuildError, TablebaseError};
use retrograde_files::FileError;
use retrograde_games::SetupError;
use retrograde_regions::{Cause, RegionError};
use retrograde_table::{TableError, WriteError};

/// Why a question has no answer.
pub(crate) enum Failure {
    /// Python has raised something.
    Raised(PyErr),
    /// A table is wrong, or does not have the answer.
    Table(TableError),
    /// A table could not be written.
    Unwritten(WriteError),
    /// Something takes more memory than it may.
    Memory { what: String, needed: u64, limit: u64 },
    /// A solve failed.
    Unsolved(SolveError),
    /// A value does not follow from the rules.
    Broken(VerifyError<TableError>),
    /// The values do not give a move or a line of play.
    Unplayed(PlayError<TableError>),
    /// A folder of endgames cannot be opened, or cannot answer.
    Tablebase(TablebaseError),
    /// A build of endgames failed.
    Unbuilt(BuildError),
    /// There is no such game: a board, a graph or a parameter is wrong.
    Setup(SetupError),
    /// No open table has the position: its material, and the command that makes the table, if tables have such positions.
    NoTable { problem: String, material: String, command: String },
    /// Another argument is wrong.
    Input(String),
    /// There is no such state, or it is invalid.
    State(String),
    /// The rules contradict themselves.
    Rules(String),
    /// This package does not have the rules of the game.
    NoRules(String),
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| failure.exception(py))
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Table(error)
    }
}

impl From<PlayError<TableError>> for Failure {
    fn from(error: PlayError<TableError>) -> Failure {
        Failure::Unplayed(error)
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Failure {
        Failure::Setup(error)
    }
}

impl From<TablebaseError> for Failure {
    fn from(error: TablebaseError) -> Failure {
        Failure::Tablebase(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Raised(error)
    }
}

impl Failure {
    fn exception(self, py: Python<'_>) -> PyErr {
        match self {
            Failure::Raised(error) => error,
            Failure::Table(error) => table(py, &error, error.to_string()),
            Failure::Unwritten(error) => unwritten(py, &error),
            Failure::Tablebase(error) => tablebase(py, &error),
            Failure::Unbuilt(error) => unbuilt(py, &error),
            Failure::Memory { what, needed, limit } => {
                let advice = format!(
                    "{what} {needed} bytes of memory and may take {limit}; memory_max= sets another limit, and \
                     distances=False takes less"
                );
                make(py, "MemoryLimitError", (advice, needed, limit))
            }
            Failure::Unsolved(error) => make(py, "RetrogradeError", (error.to_string(),)),
            Failure::Broken(VerifyError::Probe(error)) => table(py, &error, error.to_string()),
            Failure::Broken(error) => make(py, "VerifyError", (error.to_string(), error.state())),
            Failure::Unplayed(PlayError::Probe(error)) => table(py, &error, error.to_string()),
            Failure::Unplayed(PlayError::NoDistances(_)) => {
                let what = "the table has no distances, so best play is unknown";
                make(py, "NoRulesError", (what,))
            }
            Failure::Unplayed(error @ PlayError::State(_)) => {
                make(py, "StateError", (error.to_string(),))
            }
            Failure::Unplayed(error) => make(py, "VerifyError", (error.to_string(), error.state())),
            Failure::Setup(error) => {
                let line = match &error {
                    SetupError::File { error, .. } => error.line(),
                    _ => None,
                };
                make(py, "InputError", (error.to_string(), line))
            }
            Failure::NoTable { problem, material, command } => {
                make(py, "MissingTableError", (problem, material, command))
            }
            Failure::Input(problem) => make(py, "InputError", (problem,)),
            Failure::State(problem) => make(py, "StateError", (problem,)),
            Failure::Rules(problem) => make(py, "RulesError", (problem,)),
            Failure::NoRules(problem) => make(py, "NoRulesError", (problem,)),
        }
    }
}

fn unwritten(py: Python<'_>, error: &WriteError) -> PyErr {
    let text = error.to_string();
    match error {
        WriteError::File(
            FileError::Io { path, .. }
            | FileError::Full { path, .. }
            | FileError::Held { folder: path, .. },
        ) => make(py, "WriteError", (text, path)),
        WriteError::File(error @ (FileError::Damaged { .. } | FileError::Foreign { .. })) => {
            manifest(py, error)
        }
        _ => make(py, "WriteError", (text, py.None())),
    }
}

fn tablebase(py: Python<'_>, error: &TablebaseError) -> PyErr {
    let text = error.to_string();
    match error {
        TablebaseError::NoFolder { path, .. } => make(py, "TableMissingError", (text, path)),
        TablebaseError::Manifest(error) => manifest(py, error),
        TablebaseError::OtherGame { path, .. } => make(py, "TableForeignError", (text, path)),
        TablebaseError::Rules { path, .. } => make(py, "TableVersionError", (text, path)),
        TablebaseError::Name { path, .. } => {
            make(py, "TableDamagedError", (text, path, "the manifest"))
        }
        TablebaseError::Position(_) => make(py, "InputError", (text,)),
        TablebaseError::Region(error) => region(py, error),
        _ => make(py, "RetrogradeError", (text,)),
    }
}

fn manifest(py: Python<'_>, error: &FileError) -> PyErr {
    let text = error.to_string();
    match error {
        FileError::Io { path, .. } => make(py, "TableReadError", (text, path)),
        FileError::Damaged { path, .. } => {
            make(py, "TableDamagedError", (text, path, "the manifest"))
        }
        FileError::Foreign { path, .. } => make(py, "TableVersionError", (text, path)),
        _ => make(py, "RetrogradeError", (text,)),
    }
}

fn region(py: Python<'_>, error: &RegionError) -> PyErr {
    let text = error.to_string();
    match &error.cause {
        Cause::Missing { .. } | Cause::Table(TableError::Missing { .. }) => {
            make(py, "MissingTableError", (text, &error.region, &error.command))
        }
        Cause::Changed { path } | Cause::Outdated { path, .. } => {
            make(py, "TableDamagedError", (text, path, "the checksum"))
        }
        Cause::Table(error) => table(py, error, text),
        Cause::Broken(_) => make(py, "VerifyError", (text, py.None())),
        _ => make(py, "RetrogradeError", (text,)),
    }
}

fn unbuilt(py: Python<'_>, error: &BuildError) -> PyErr {
    let text = error.to_string();
    match error {
        BuildError::Options { .. } | BuildError::Rules { .. } => make(py, "InputError", (text,)),
        BuildError::Memory { needed, limit, .. } => {
            make(py, "MemoryLimitError", (text, needed, limit))
        }
        BuildError::Region(error) => region(py, error),
        BuildError::Write(error) => unwritten(py, error),
        _ => make(py, "RetrogradeError", (text,)),
    }
}

/// The exception for a wrong table.
fn table(py: Python<'_>, error: &TableError, text: String) -> PyErr {
    match error {
        TableError::Missing { path } => make(py, "TableMissingError", (text, path)),
        TableError::Io { path, .. } => make(py, "TableReadError", (text, path)),
        TableError::Foreign { path, .. } => make(py, "TableForeignError", (text, path)),
        TableError::Version { path, .. } => make(py, "TableVersionError", (text, path)),
        TableError::Length { path, .. } => {
            make(py, "TableDamagedError", (text, path, "the length"))
        }
        TableError::Damaged { path, part } => {
            make(py, "TableDamagedError", (text, path, part.to_string()))
        }
        TableError::Header { path, .. } => {
            make(py, "TableDamagedError", (text, path, "the header"))
        }
        TableError::Game { path, .. } => make(py, "TableGameError", (text, path)),
        TableError::NoDistances { path } => make(py, "NoDistancesError", (text, path)),
        TableError::State { .. } | TableError::NotStored { .. } => make(py, "StateError", (text,)),
        _ => make(py, "RetrogradeError", (text,)),
    }
}

/// An exception of `retrograde.errors`.
fn make<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let class = py.import("retrograde.errors").and_then(|errors| errors.getattr(class));
    match class.and_then(|class| class.call1(arguments)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
