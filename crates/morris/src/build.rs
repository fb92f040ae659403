//! What builds the tables of morris. Its engine takes long to compile. So it compiles once in this crate, and not in each program
//! that builds tables.

use std::path::Path;

use retrograde_regions::{AnyFamily, Builder};

use crate::family::Morris;

impl Morris {
    /// A builder of tables in a folder.
    pub fn builder(&self, folder: &Path) -> Builder<'_> {
        Builder::new(self, folder)
    }
}

/// Morris, for programs that know several families.
pub static FAMILY: AnyFamily = AnyFamily::new::<Morris>();
