//! The errors of regions. Each says which region, which file, and which command helps.

use std::fmt;
use std::path::{Path, PathBuf};

use retrograde::SolveError;
use retrograde_table::{Table, TableError};

use crate::named_regions::NamedRegions;

/// A region cannot be used, because its table is missing, damaged, or belongs to another region.
#[derive(Debug)]
pub struct RegionError {
    /// The region.
    pub region: String,
    /// The command that makes its table.
    pub command: String,
    /// The problem.
    pub cause: Cause,
}

/// The problem of a region's table.
#[derive(Debug)]
#[non_exhaustive]
pub enum Cause {
    /// The table does not exist, or is not finished.
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// The file is not the one in the manifest.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The table was made from another table of a region that it needs.
    Outdated {
        /// The file.
        path: PathBuf,
        /// The region that it needs.
        need: String,
    },
    /// Another builder made another table of the same region, from the same tables.
    Differs {
        /// The file.
        path: PathBuf,
        /// The checksums of both tables.
        checksums: [String; 2],
    },
    /// The file is the table of another region.
    Other {
        /// The file.
        path: PathBuf,
        /// The region in its header.
        found: String,
    },
    /// The table gives this error.
    Table(TableError),
    /// A value does not follow from the rules. The text says which value, and what follows.
    Broken(String),
    /// The solver failed.
    Solve(SolveError),
}

impl RegionError {
    /// Whether the table is missing, rather than wrong.
    pub fn is_missing(&self) -> bool {
        matches!(self.cause, Cause::Missing { .. } | Cause::Table(TableError::Missing { .. }))
    }

    pub(crate) fn new(
        family: &dyn NamedRegions,
        region: &str,
        folder: &Path,
        cause: impl Into<Cause>,
    ) -> RegionError {
        RegionError {
            region: region.to_owned(),
            command: family.command(region, folder),
            cause: cause.into(),
        }
    }
}

impl Cause {
    /// Checks that the header of a table names the region. Looks at nothing else.
    pub(crate) fn of_name(family: &dyn NamedRegions, region: &str, table: &Table) -> Option<Cause> {
        let found = table.header().about.parameters[family.entry()].as_str()?.to_owned();
        (found != region).then(|| Cause::Other { path: table.path().into(), found })
    }
}

impl From<TableError> for Cause {
    fn from(error: TableError) -> Cause {
        Cause::Table(error)
    }
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RegionError { region, command, cause } = self;
        match cause {
            Cause::Missing { folder } => {
                write!(f, "there is no finished table of {region} in {}", folder.display())?;
            }
            Cause::Changed { path } => write!(
                f,
                "{}: this is not the table of {region} that was built here: its checksum differs \
                 from the manifest's",
                path.display()
            )?,
            Cause::Outdated { path, need } => write!(
                f,
                "{}: this table was made from another table of {need} than the one that is here",
                path.display()
            )?,
            Cause::Differs { path, checksums: [ours, theirs] } => write!(
                f,
                "{}: another builder made another table of {region}, with the checksum {theirs} \
                 in place of {ours}: one of the machines fails, or the programs differ",
                path.display()
            )?,
            Cause::Other { path, found } => {
                write!(f, "{}: this is the table of {found}, not of {region}", path.display())?;
            }
            Cause::Table(error) => error.fmt(f)?,
            Cause::Broken(problem) => write!(f, "the solution of {region} is wrong: {problem}")?,
            Cause::Solve(error) => write!(f, "{region} could not be solved: {error}")?,
        }
        match cause {
            // The file itself is not wrong.
            Cause::Table(TableError::Io { .. }) | Cause::Solve(_) => Ok(()),
            // Every byte is as written, so a build takes the file for finished.
            Cause::Broken(_)
            | Cause::Other { .. }
            | Cause::Table(
                TableError::Header { .. } | TableError::Histogram { .. } | TableError::Game { .. },
            ) => write!(f, "; to make it again, remove {region}.table, and then: {command}"),
            _ => write!(f, "; to make it: {command}"),
        }
    }
}

impl std::error::Error for RegionError {}
