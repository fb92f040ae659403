//! The families of regions by name. A new family needs a crate, and one line here.

use std::path::Path;

use retrograde_regions::{AnyFamily, Oracle, TablebaseError};
use retrograde_table::{About, Options};

use crate::text_family::TEXTS;

/// Makes the list of families from their types and crates. `$d` is a dollar sign, for the macro that it makes.
macro_rules! families {
    ($d:tt $($family:ident of $from:ident,)*) => {
        /// All families.
        pub static FAMILIES: &[&AnyFamily] = &[$(&$from::FAMILY),*];

        $(pub use $from::$family;)*

        /// Calls a macro with the types of all families. Most code needs only [`FAMILIES`]. This is for code that is compiled
        /// for each family.
        #[macro_export]
        macro_rules! each_family {
            ($d call:ident) => { $d call! { $($crate::families::$family),* } };
        }
    };
}

families! { $
    Chess of retrograde_chess,
    Morris of retrograde_morris,
}

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
