//! Checks that every value of a region's table follows from its moves, and that its header agrees with its
//! values.

use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde_table::{About, Partial, Table, TableError, WithRules};

use crate::family::{Family, header_of};
use crate::moves::RegionExits;
use crate::solved::Failure;

/// Checks a whole table of a region, given its game. First recovers all values that the table does not keep.
/// The kept values must then follow from the recovered ones. So the check proves as much as for a table that
/// keeps all states.
pub(crate) fn verify<F: Family>(
    family: &F,
    region: &F::Region,
    table: &Table,
    (game, failure): (&F::Game<'_>, &Failure),
    verifier: Verifier<'_>,
) -> Result<Verified, VerifyError<TableError>> {
    if table.is_complete() {
        return verify_values(family, region, table, game, verifier);
    }
    // The game has larger caches than the table itself.
    let exits = RegionExits::<F>::new(game, table.path(), failure);
    // It has as many states as the rules, so no file makes it larger.
    let bytes = table.load_bytes().map_err(VerifyError::Probe)?;
    let loaded = table.load_by(Some(&exits), bytes).map_err(VerifyError::Probe)?;
    verify_values(family, region, &loaded, game, verifier)
}

fn verify_values<F: Family>(
    family: &F,
    region: &F::Region,
    table: &impl Partial,
    game: &F::Game<'_>,
    verifier: Verifier<'_>,
) -> Result<Verified, VerifyError<TableError>> {
    let values = WithRules::new(game, table).map_err(VerifyError::Probe)?.as_stored();
    let table = table.table();
    let verified = family.verify(game, &values, verifier)?;
    let counted = values.check_counts(&[], |_| (0, u64::MAX));
    counted.map_err(VerifyError::Probe)?;
    let about = &table.header().about;
    let found = header_of(family, region, game, &values).map_err(VerifyError::Probe)?;
    match difference(about, &found) {
        None => Ok(verified),
        Some(problem) => {
            let path = table.path().into();
            Err(VerifyError::Probe(TableError::Header { path, problem }))
        }
    }
}

/// What is wrong with a header, given the one that the values have. Old headers have no counts.
fn difference(said: &About, found: &About) -> Option<String> {
    let found_entries = found.parameters.as_object().into_iter().flatten();
    for (name, found) in found_entries {
        let said = &said.parameters[name];
        if said != found {
            return Some(format!("for {name} it says {said}, but there is {found}"));
        }
    }
    if said.parameters != found.parameters {
        let (said, found) = (&said.parameters, &found.parameters);
        return Some(format!("it says {said}, but there is {found}"));
    }
    let counted = said.counts.is_empty() || said.counts == found.counts;
    (!counted).then(|| "its counts of states are wrong".into())
}
