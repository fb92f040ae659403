//! What builds the tables of endgames. The engines for them take long to compile. So they compile once in this crate, and not in
//! each program that builds tables.

use std::path::PathBuf;

use retrograde_regions::{AnyFamily, Builder, SolvableRegions};

use crate::family::Chess;

static REGIONS: &dyn SolvableRegions = &Chess;

/// A builder of endgames in a folder. Materials are its regions.
pub fn builder<'a>(folder: impl Into<PathBuf>) -> Builder<'a> {
    Builder::new(REGIONS, folder)
}

/// Chess, for programs that know several families.
pub static FAMILY: AnyFamily = AnyFamily::new::<Chess>();
