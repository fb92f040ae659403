//! Checks that every value of a region's table follows from its moves, and that its header agrees with its
//! values.

use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde_table::{About, Partial, Table, TableError, WithRules};

use crate::error::Cause;
use crate::named_regions::{AnyValues, RegionGame, header};
use crate::solved::Failure;

/// Checks a whole table of a region, given its game. First recovers all values that the table does not keep.
/// The kept values must then follow from the recovered ones. So the check proves as much as for a table that
/// keeps all states.
pub(crate) fn verify(
    table: &Table,
    game: &dyn RegionGame,
    failure: &Failure,
    verifier: Verifier<'_>,
) -> Result<Verified, Cause> {
    if table.is_complete() {
        return verify_values(table, game, verifier);
    }
    // The game has larger caches than the table itself.
    let exits = game.exits(table.path(), failure);
    // It has as many states as the rules, so no file makes it larger.
    let bytes = table.load_bytes()?;
    let loaded = table.load_by(Some(&*exits), bytes)?;
    verify_values(&loaded, game, verifier)
}

fn verify_values(
    table: &impl Partial,
    game: &dyn RegionGame,
    verifier: Verifier<'_>,
) -> Result<Verified, Cause> {
    let rules = game.rules();
    let values = WithRules::new(&rules, table)?.as_stored();
    let table = table.table();
    let verified = game.verify(&AnyValues(&values), verifier).map_err(|broken| match broken {
        VerifyError::Probe(error) => match error.downcast::<TableError>() {
            Ok(error) => Cause::Table(*error),
            Err(error) => Cause::Broken(error.to_string()),
        },
        broken => Cause::Broken(broken.to_string()),
    })?;
    values.check_counts(&[], |_| (0, u64::MAX))?;
    let about = &table.header().about;
    let found = header(game, &values)?;
    match difference(about, &found) {
        None => Ok(verified),
        Some(problem) => {
            let path = table.path().into();
            Err(TableError::Header { path, problem }.into())
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
