//! Functions to build tables. The engines for endgames take long to compile. So they compile once in this
//! crate, and not in each program that builds tables.

use std::time::Duration;

use retrograde_regions::{AnyFamily, BuildError, Builder, Plan, Rates};

use crate::family::Chess;
use crate::material::Material;

/// Builds the tables of these materials and of all materials that they need, unless they exist: see
/// [`Builder::build`].
pub fn build(
    builder: Builder<'_, Chess>,
    targets: &[Material],
) -> Result<Plan<Material>, BuildError> {
    builder.build(targets)
}

/// The plan of such a build: see [`Builder::plan`].
pub fn plan(
    builder: &Builder<'_, Chess>,
    targets: &[Material],
) -> Result<Plan<Material>, BuildError> {
    builder.plan(targets)
}

/// The speed of a build, measured by trials: see [`Builder::measure`].
pub fn measure(
    builder: Builder<'_, Chess>,
    plan: &Plan<Material>,
    time: Duration,
) -> Result<Rates, BuildError> {
    builder.measure(plan, time)
}

/// Chess, for programs that know several families.
pub static FAMILY: AnyFamily = AnyFamily::new::<Chess>();
