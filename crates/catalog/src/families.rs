//! The families of regions by name. A new family needs a crate, and two lines here.

use std::path::Path;

use retrograde_regions::{AnyFamily, Oracle, TablebaseError};
use retrograde_table::{About, Options};

/// All families.
pub static FAMILIES: &[&AnyFamily] =
    &[&retrograde_chess::FAMILY, &retrograde_morris::FAMILY, &retrograde_tapatan::FAMILY];

/// Calls a macro with the types of all families. Most code needs only [`FAMILIES`]. This is for code that is compiled for
/// each family.
#[macro_export]
macro_rules! each_family {
    ($call:ident) => {
        $call! {
            $crate::families::Chess,
            $crate::families::Morris,
            $crate::families::Tapatan
        }
    };
}

pub use retrograde_chess::Chess;
pub use retrograde_morris::Morris;
pub use retrograde_tapatan::Tapatan;

/// The family of a table, according to its header.
pub fn family_of(about: &About) -> Option<&'static AnyFamily> {
    family_named(&about.game)
}

/// The family of this game.
pub fn family_named(game: &str) -> Option<&'static AnyFamily> {
    FAMILIES.iter().copied().find(|family| family.spec.name == game)
}

/// Opens a folder of tables of any family. `None` if the folder has no manifest of a family.
pub fn open_family(path: &Path, options: Options) -> Result<Option<Oracle>, TablebaseError> {
    for family in FAMILIES {
        if let Some(tables) = family.open(path, options)? {
            return Ok(Some(tables));
        }
    }
    Ok(None)
}
