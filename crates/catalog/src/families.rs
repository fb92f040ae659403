//! The families of regions by name. A new family needs a crate, and two lines here.

use std::path::Path;

use retrograde_regions::{AnyFamily, Oracle, TablebaseError};
use retrograde_table::{About, Options};

use crate::text_family::TEXTS;

/// All families.
pub static FAMILIES: &[&AnyFamily] = &[&retrograde_chess::FAMILY, &retrograde_morris::FAMILY];

/// Calls a macro with the types of all families. Most code needs only [`FAMILIES`]. This is for code that is compiled for
/// each family.
#[macro_export]
macro_rules! each_family {
    ($call:ident) => {
        $call! {
            $crate::families::Chess,
            $crate::families::Morris
        }
    };
}

pub use retrograde_chess::Chess;
pub use retrograde_morris::Morris;

/// The family of a table, according to its header.
pub fn family_of(about: &About) -> Option<&'static AnyFamily> {
    let of_text = || TEXTS.region(about).is_some().then_some(&TEXTS);
    family_named(&about.game).or_else(of_text)
}

/// The family of this game.
pub fn family_named(game: &str) -> Option<&'static AnyFamily> {
    FAMILIES.iter().copied().find(|family| family.spec.name == game)
}

/// Opens a folder of tables of any family. `None` if the folder has no manifest of a family.
pub fn open_family(
    path: &Path,
    options: Options,
) -> Result<Option<(&'static AnyFamily, Oracle)>, TablebaseError> {
    for family in FAMILIES.iter().copied().chain([&TEXTS]) {
        if let Some(tables) = family.open(path, options)? {
            return Ok(Some((family, tables)));
        }
    }
    Ok(None)
}
