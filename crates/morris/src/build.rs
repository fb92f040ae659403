//! Functions to build tables. The engine for morris takes long to compile. So it compiles once in this crate,
//! and not in each program that builds tables.

use std::time::Duration;

use retrograde_regions::{AnyFamily, BuildError, Builder, Plan, Rates};

use crate::family::Morris;
use crate::region::Region;

/// Builds the tables of these regions and of all regions that they need, unless they exist: see
/// [`Builder::build`].
pub fn build(builder: Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.build(targets)
}

/// The plan of such a build: see [`Builder::plan`].
pub fn plan(builder: &Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.plan(targets)
}

/// The speed of a build, measured by trials: see [`Builder::measure`].
pub fn measure(
    builder: Builder<'_, Morris>,
    plan: &Plan<Region>,
    time: Duration,
) -> Result<Rates, BuildError> {
    builder.measure(plan, time)
}

/// Morris, for programs that know several families.
pub static FAMILY: AnyFamily = AnyFamily::new::<Morris>();
