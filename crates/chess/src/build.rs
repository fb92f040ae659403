//! Building, compiled once in this crate. The engines for endgames take long to compile, and programs that
//! build tables need not repeat it.

use std::time::Duration;

use retrograde_regions::{BuildError, Builder, Plan, Rates};

use crate::family::Chess;
use crate::material::Material;

/// Builds the tables of these materials and of all they need, unless they exist: see [`Builder::build`].
pub fn build(
    builder: Builder<'_, Chess>,
    targets: &[Material],
) -> Result<Plan<Material>, BuildError> {
    builder.build(targets)
}

/// What such a build takes: see [`Builder::plan`].
pub fn plan(
    builder: &Builder<'_, Chess>,
    targets: &[Material],
) -> Result<Plan<Material>, BuildError> {
    builder.plan(targets)
}

/// How long it takes, by trial: see [`Builder::measure`].
pub fn measure(
    builder: Builder<'_, Chess>,
    plan: &Plan<Material>,
    time: Duration,
) -> Result<Rates, BuildError> {
    builder.measure(plan, time)
}
