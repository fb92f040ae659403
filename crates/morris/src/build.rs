//! Building, compiled here once: the engine for morris takes long to compile, and whoever builds tables need not.

use std::time::Duration;

use retrograde_regions::{BuildError, Builder, Plan, Rates};

use crate::family::Morris;
use crate::region::Region;

/// Builds the tables of these regions and of all they need, except what is done: see [`Builder::build`].
pub fn build(builder: Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.build(targets)
}

/// What that takes: see [`Builder::plan`].
pub fn plan(builder: &Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.plan(targets)
}

/// How long it takes, tried for a while: see [`Builder::measure`].
pub fn measure(
    builder: Builder<'_, Morris>,
    plan: &Plan<Region>,
    time: Duration,
) -> Result<Rates, BuildError> {
    builder.measure(plan, time)
}
