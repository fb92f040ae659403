//! The families that `build` knows: each compiles its engine in a crate of its own.

use std::fmt::Display;
use std::time::Duration;

use retrograde_chess::{Chess, Material};
use retrograde_morris::{Morris, Region};
use retrograde_regions::{BuildError, Builder, Family, Plan, Planned, Rates};

/// A family, with what is compiled for it elsewhere: see [`Builder`].
pub(super) trait Built: Family + Sized {
    fn build(
        builder: Builder<'_, Self>,
        targets: &[Self::Region],
    ) -> Result<Plan<Self::Region>, BuildError>;

    fn plan(
        builder: &Builder<'_, Self>,
        targets: &[Self::Region],
    ) -> Result<Plan<Self::Region>, BuildError>;

    fn measure(
        builder: Builder<'_, Self>,
        plan: &Plan<Self::Region>,
        time: Duration,
    ) -> Result<Rates, BuildError>;
}

/// Passes everything on to the functions of a crate.
macro_rules! built {
    ($family:ty, $region:ty, $home:ident) => {
        impl Built for $family {
            fn build(
                builder: Builder<'_, Self>,
                targets: &[$region],
            ) -> Result<Plan<$region>, BuildError> {
                $home::build(builder, targets)
            }

            fn plan(
                builder: &Builder<'_, Self>,
                targets: &[$region],
            ) -> Result<Plan<$region>, BuildError> {
                $home::plan(builder, targets)
            }

            fn measure(
                builder: Builder<'_, Self>,
                plan: &Plan<$region>,
                time: Duration,
            ) -> Result<Rates, BuildError> {
                $home::measure(builder, plan, time)
            }
        }
    };
}

built!(Chess, Material, retrograde_chess);
built!(Morris, Region, retrograde_morris);

/// A plan with its regions by name, so that what prints it is compiled once.
pub(super) fn named<R: Display>(plan: Plan<R>) -> Plan<String> {
    let regions = plan.regions.into_iter().map(|planned| Planned {
        region: planned.region.to_string(),
        needs: planned.needs,
        states: planned.states,
        memory_least: planned.memory_least,
        memory_distances: planned.memory_distances,
        memory: planned.memory,
        memory_used: planned.memory_used,
        table_bytes: planned.table_bytes,
    });
    Plan { regions: regions.collect() }
}
