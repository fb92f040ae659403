//! Whether every value of a region's table follows from its moves, and its header from its values.

use retrograde::{Probe, Verified, Verifier, VerifyError};
use retrograde_table::{Table, TableError, WithRules};

use crate::family::Family;

/// Looks at all of a table of a region, given its game.
pub(crate) fn verify<F: Family>(
    family: &F,
    region: &F::Region,
    table: &Table,
    game: &F::Game<'_>,
    verifier: Verifier<'_>,
) -> Result<Verified, VerifyError<TableError>> {
    let values = WithRules::new(game, table).map_err(VerifyError::Probe)?.as_stored();
    let verified = family.verify(game, &values, verifier)?;
    let counted = values.check_counts(&[], |state| (0, values.states() - state));
    counted.map_err(VerifyError::Probe)?;
    let about = &table.header().about;
    match family.judge(region, about, game, &values).map_err(VerifyError::Probe)? {
        None => Ok(verified),
        Some(problem) => {
            let path = table.path().into();
            Err(VerifyError::Probe(TableError::Header { path, problem }))
        }
    }
}
