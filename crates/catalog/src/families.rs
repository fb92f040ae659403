//! The families of regions.

use std::path::Path;

use retrograde_chess::Chess;
use retrograde_morris::Morris;
use retrograde_regions::{AnyTablebase, Tablebase, TablebaseError};
use retrograde_table::Options;

/// Opens a folder of tables of any family. `None` if the folder has no manifest of a family.
pub fn open_family(
    path: &Path,
    options: Options,
) -> Result<Option<Box<dyn AnyTablebase>>, TablebaseError> {
    macro_rules! first_of {
        ($($family:ty),*) => {
            $(if Tablebase::<$family>::is_at(path)? {
                return Ok(Some(Box::new(Tablebase::<$family>::open_with(path, options)?)));
            })*
        };
    }
    first_of!(Chess, Morris);
    Ok(None)
}
