//! Tables with a wrong value, told apart from tables that cannot be read.

use retrograde_catalog::OracleError;
use retrograde_regions::{Cause, RegionError, TablebaseError};
use retrograde_table::TableError;

use crate::term::failure::{Failure, input};

/// An unanswered question. If the table cannot answer, the table is at fault, whatever the cause.
pub(crate) fn failed(error: OracleError) -> Failure {
    match error {
        OracleError::Wrong(problem) => Failure::Wrong(problem),
        error => input(error),
    }
}

/// The result of a check: a wrong answer, or a table that cannot be read.
pub(crate) fn found(error: OracleError) -> Failure {
    match error {
        OracleError::Table(error) => wrong_table(error),
        OracleError::Tables(TablebaseError::Region(error)) => wrong_region(&error),
        error => failed(error),
    }
}

/// A damaged table, or one that the system does not let us read.
pub(crate) fn wrong_table(error: TableError) -> Failure {
    match is_wrong(&error) {
        true => Failure::Wrong(error.to_string()),
        false => input(error),
    }
}

/// The same for the table of a region.
fn wrong_region(error: &RegionError) -> Failure {
    let wrong = match &error.cause {
        Cause::Changed { .. }
        | Cause::Outdated { .. }
        | Cause::Differs { .. }
        | Cause::Other { .. }
        | Cause::Broken(_) => true,
        Cause::Table(error) => is_wrong(error),
        _ => false,
    };
    if wrong { Failure::Wrong(error.to_string()) } else { input(error) }
}

fn is_wrong(error: &TableError) -> bool {
    use TableError::{Damaged, Game, Header, Histogram, Length};
    matches!(error, Damaged { .. } | Length { .. } | Header { .. } | Histogram { .. } | Game { .. })
}
