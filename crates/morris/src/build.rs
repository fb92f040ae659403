//! Building, compiled once in this crate. The engine for morris takes long to compile, and programs that
//! build tables need not repeat it.

use std::time::Duration;

use retrograde_regions::{BuildError, Builder, Plan, Rates};

use crate::family::Morris;
use crate::region::Region;

/// Builds the tables of these regions and of all they need, unless they exist: see [`Builder::build`].
pub fn build(builder: Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.build(targets)
}

/// What such a build takes: see [`Builder::plan`].
pub fn plan(builder: &Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.plan(targets)
}

/// How long it takes, by trial: see [`Builder::measure`].
pub fn measure(
    builder: Builder<'_, Morris>,
    plan: &Plan<Region>,
    time: Duration,
) -> Result<Rates, BuildError> {
    builder.measure(plan, time)
}
