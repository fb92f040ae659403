//! A family without its types: titles, commands, plans and builds of regions by name.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use retrograde_table::Compression;

use crate::build_error::BuildError;
use crate::builder::Builder;
use crate::family::Family;
use crate::plan::{Plan, Planned, Rates};
use crate::setup::{Event, Tell};
use crate::tablebase::FamilyTexts;

/// The options of a build: see [`Builder`].
#[derive(Clone, Debug)]
pub struct How {
    /// The folder for the tables.
    pub folder: PathBuf,
    /// How many threads to use.
    pub threads: usize,
    /// Whether to keep distances.
    pub distances: bool,
    /// The compression of tables.
    pub compression: Compression,
    /// Whether tables keep both sides to move.
    pub both_sides: bool,
    /// Whether to verify each solution.
    pub verify: bool,
    /// The most bytes of memory to use.
    pub memory_max: Option<u64>,
    /// The folder for the arrays of regions that exceed memory.
    pub disk: Option<PathBuf>,
    /// The most bytes for all tables of the folder. The build stops before they take more.
    pub tables_max: Option<u64>,
    /// How often to renew the leases of regions.
    pub lease_interval: Duration,
}

/// Receives the events of a build. `Break` cancels the build.
pub type Hear<'a> = dyn FnMut(Event<'_, String>) -> ControlFlow<()> + Send + 'a;

/// Solves a region in other processes, and writes its table to a path.
pub type Elsewhere<'a> =
    dyn Fn(&Planned<String>, &Path, Tell<'_, String>) -> Result<(), BuildError> + Send + Sync + 'a;

/// A family whose regions have names. It does what [`Builder`] does.
///
/// # Panics
///
/// If a name is not one of a region of this family.
pub trait AnyRegions: Send + Sync {
    /// The name of the family in manifests.
    fn name(&self) -> &str;

    /// The plan of a build.
    fn plan(&self, regions: &[String], how: &How) -> Result<Plan<String>, BuildError>;

    /// The plan, and the speed. If regions are left to build, trials measure the speed.
    fn measure(
        &self,
        regions: &[String],
        how: &How,
        time: Duration,
        hear: &mut Hear<'_>,
    ) -> Result<(Plan<String>, Rates), BuildError>;

    /// Builds the tables.
    fn build(
        &self,
        regions: &[String],
        how: &How,
        elsewhere: Option<&Elsewhere<'_>>,
        hear: &mut Hear<'_>,
    ) -> Result<(), BuildError>;

    /// Writes all tables again without solving.
    fn repack(&self, regions: &[String], how: &How, hear: &mut Hear<'_>) -> Result<(), BuildError>;
}

impl<F: FamilyTexts> AnyRegions for F {
    fn name(&self) -> &str {
        Family::name(self)
    }

    fn plan(&self, regions: &[String], how: &How) -> Result<Plan<String>, BuildError> {
        Ok(plan_by_name(builder(self, how).plan(&named(self, regions))?))
    }

    fn measure(
        &self,
        regions: &[String],
        how: &How,
        time: Duration,
        hear: &mut Hear<'_>,
    ) -> Result<(Plan<String>, Rates), BuildError> {
        let plan = builder(self, how).plan(&named(self, regions))?;
        let rates = match plan.states_left() {
            0 => Rates::default(),
            _ => {
                let builder = builder(self, how).progress(|event| by_name(event, hear));
                builder.measure(&plan, time)?
            }
        };
        Ok((plan_by_name(plan), rates))
    }

    fn build(
        &self,
        regions: &[String],
        how: &How,
        elsewhere: Option<&Elsewhere<'_>>,
        hear: &mut Hear<'_>,
    ) -> Result<(), BuildError> {
        let mut builder = builder(self, how);
        if let Some(solve) = elsewhere {
            builder = builder.elsewhere(move |planned, path, tell| {
                let region = &planned.region;
                solve(&planned_by_name(planned), path, &|event| match event {
                    Event::Solving(_, progress) => tell(Event::Solving(region, progress)),
                    Event::Writing(_, done, of) => tell(Event::Writing(region, done, of)),
                    _ => ControlFlow::Continue(()),
                })
            });
        }
        let builder = builder.progress(|event| by_name(event, hear));
        builder.build(&named(self, regions)).map(drop)
    }

    fn repack(&self, regions: &[String], how: &How, hear: &mut Hear<'_>) -> Result<(), BuildError> {
        let builder = builder(self, how).progress(|event| by_name(event, hear));
        builder.repack(&named(self, regions))
    }
}

/// The regions of these names.
fn named<F: FamilyTexts>(family: &F, names: &[String]) -> Vec<<F as Family>::Region> {
    let named = |name: &String| family.region_named(name).unwrap_or_else(|error| panic!("{error}"));
    names.iter().map(named).collect()
}

fn builder<'a, F: FamilyTexts>(family: &'a F, how: &How) -> Builder<'a, F> {
    let mut builder = Builder::new(family, &how.folder)
        .threads(how.threads)
        .distances(how.distances)
        .compression(how.compression)
        .both_sides(how.both_sides)
        .verify(how.verify)
        .lease_interval(how.lease_interval);
    if let Some(bytes) = how.memory_max {
        builder = builder.memory_max(bytes);
    }
    if let Some(folder) = &how.disk {
        builder = builder.disk(folder);
    }
    if let Some(bytes) = how.tables_max {
        builder = builder.tables_max(bytes);
    }
    builder
}

/// Passes an event on, with the name of its region.
fn by_name<R: Display>(event: Event<'_, R>, hear: &mut Hear<'_>) -> ControlFlow<()> {
    match event {
        Event::Checking(region) => hear(Event::Checking(&region.to_string())),
        Event::Repairing(region, error) => hear(Event::Repairing(&region.to_string(), error)),
        Event::Begun(planned) => hear(Event::Begun(&planned_by_name(planned))),
        Event::Solving(region, progress) => hear(Event::Solving(&region.to_string(), progress)),
        Event::Verifying(region, done, of) => hear(Event::Verifying(&region.to_string(), done, of)),
        Event::Writing(region, done, of) => hear(Event::Writing(&region.to_string(), done, of)),
        Event::Finished(region, entry, time) => {
            hear(Event::Finished(&region.to_string(), entry, time))
        }
        Event::Found(region, entry) => hear(Event::Found(&region.to_string(), entry)),
        Event::Waiting(region, holder) => hear(Event::Waiting(&region.to_string(), holder)),
        Event::Lost(region) => hear(Event::Lost(&region.to_string())),
    }
}

fn plan_by_name<R: Display>(plan: Plan<R>) -> Plan<String> {
    Plan { regions: plan.regions.iter().map(planned_by_name).collect() }
}

fn planned_by_name<R: Display>(planned: &Planned<R>) -> Planned<String> {
    Planned {
        region: planned.region.to_string(),
        needs: planned.needs.clone(),
        states: planned.states,
        memory_least: planned.memory_least,
        memory_distances: planned.memory_distances,
        memory: planned.memory,
        memory_used: planned.memory_used,
        table_bytes: planned.table_bytes,
        leaves_out: planned.leaves_out,
    }
}
