//! Builds the tables of regions: options, plan, trials, and the start of a build.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use retrograde::internal::Thresholds;
use retrograde::internal::checksum::Sum;
use retrograde_files::{
    File, FileError, FolderLock, Leases, Take, Unfinished, create_folders, sync_folder,
};
use retrograde_table::{Compression, TableError};

use crate::build::build_error::BuildError;
use crate::build::order::in_order;
use crate::build::plan::{Plan, Planned, Rates};
use crate::build::running::build;
use crate::build::setup::{Callback, Event, Setup, Tell, unique};
use crate::build::solvable::SolvableRegions;
use crate::error::{Cause, RegionError};
use crate::manifest::{Entry, Manifest};

/// How to build the tables of a family in a folder.
///
/// A build never loses finished tables. If a build stops for any reason, start it again. It continues where it stopped,
/// and writes the same files, byte for byte.
pub struct Builder<'a> {
    pub(crate) setup: Setup<'a>,
    pub(crate) progress: Callback<'a>,
}

impl<'a> Builder<'a> {
    /// A builder that uses all threads and standard compression, keeps distances, has no limits and verifies nothing.
    pub fn new(family: &'a dyn SolvableRegions, folder: impl Into<PathBuf>) -> Builder<'a> {
        let setup = Setup {
            family,
            folder: folder.into(),
            threads: 0,
            distances: true,
            compression: Compression::default(),
            both_sides: false,
            verify: false,
            memory_max: isize::MAX as u64,
            tables_max: u64::MAX,
            disk: None,
            elsewhere: None,
            lease_interval: Duration::from_secs(5),
            checkpoint_interval: Duration::from_secs(600),
            thresholds: Thresholds::default(),
        };
        Builder { setup, progress: Box::new(|_| ControlFlow::Continue(())) }
    }

    /// How many threads to use. The default is 0, which means all threads of rayon's current pool.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.setup.threads = threads;
        self
    }

    /// Whether the tables have distances.
    #[must_use]
    pub fn distances(mut self, distances: bool) -> Self {
        self.setup.distances = distances;
        self
    }

    /// How strongly to compress tables.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.setup.compression = compression;
        self
    }

    /// Whether tables keep the states of both sides to move, even if the family [could recover](crate::Family::grids) one side
    /// from the other. Such tables are twice as large or more. But lookups are faster for the side that tables
    /// otherwise leave out.
    #[must_use]
    pub fn both_sides(mut self, both_sides: bool) -> Self {
        self.setup.both_sides = both_sides;
        self
    }

    /// Whether to verify each solution before writing it. A verification checks that every value follows from the
    /// moves. It takes about as long as the solve.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.setup.verify = verify;
        self
    }

    /// Limits the memory of the build to about `bytes` bytes.
    #[must_use]
    pub fn memory_max(mut self, bytes: u64) -> Self {
        self.setup.memory_max = bytes.min(isize::MAX as u64);
        self
    }

    /// Limits the total size of all tables to `bytes` bytes, including finished ones. The build stops before it exceeds
    /// the limit. It estimates the size of a new table from the largest finished one.
    #[must_use]
    pub fn tables_max(mut self, bytes: u64) -> Self {
        self.setup.tables_max = bytes;
        self
    }

    /// If a region needs more memory than [`memory_max`](Builder::memory_max), keeps its arrays in files under this
    /// folder. Each such region has a folder of its own there. This is slower and gives the same bytes. If such a build
    /// stops, it later continues in the middle of the region. When the table of a region is complete, the build removes
    /// the files of the region. Logs of distances also lie in this folder. Without this option, the logs lie beside the
    /// tables.
    #[must_use]
    pub fn disk(mut self, folder: impl Into<PathBuf>) -> Self {
        self.setup.disk = Some(folder.into());
        self
    }

    /// Sets a function that solves each region and writes its table to the given path. For example, it may use several
    /// processes. It must write the same bytes as the builder. The build then solves one region at a time. To verify a
    /// region, the build reads the new table.
    #[must_use]
    pub fn elsewhere(
        mut self,
        solve: impl Fn(&Planned, &Path, Tell<'_>) -> Result<(), BuildError> + Send + Sync + 'a,
    ) -> Self {
        self.setup.elsewhere = Some(Box::new(solve));
        self
    }

    /// How often to renew the [lease](Leases) of a region. If a lease is not renewed for six intervals, another builder
    /// takes the region. The default is 5 seconds.
    #[must_use]
    pub fn lease_interval(mut self, interval: Duration) -> Self {
        self.setup.lease_interval = interval;
        self
    }

    /// How often to save the state of a region whose distances are in a log, at the end of a level. The default is 10
    /// minutes. A build that the callback stops saves it, too.
    #[must_use]
    pub fn checkpoint_interval(mut self, interval: Duration) -> Self {
        self.setup.checkpoint_interval = interval;
        self
    }

    /// For tests of the builder.
    #[doc(hidden)]
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.setup.thresholds = thresholds;
        self
    }

    /// Calls `progress` with each event. If it returns `Break`, the build stops.
    #[must_use]
    pub fn progress(
        mut self,
        progress: impl FnMut(Event<'_>) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Estimates the cost of building these regions and all regions that they need. Writes nothing. Of a finished
    /// table, it reads only the length of the file.
    ///
    /// Targets are regions of the family or their names, here and wherever a method takes some.
    pub fn plan(&self, targets: &[impl ToString]) -> Result<Plan, BuildError> {
        let targets = &self.names(targets)?;
        let mut manifest = self.setup.manifest()?;
        manifest.regions.retain(|name, entry| {
            let bytes = File::open(&self.setup.file(name)).and_then(|file| file.len());
            bytes.is_ok_and(|bytes| bytes == entry.bytes)
        });
        Ok(self.setup.plan(targets, &manifest))
    }

    /// Measures the time that small regions of a plan take, and the bytes of their tables. It builds them in a
    /// temporary folder, even if they are finished, and then removes the folder. It leaves out large regions, and
    /// regions that need more memory than [`memory_max`](Builder::memory_max). It stops after `time`, or after twice
    /// that if no region is finished by then. The callback may stop it sooner. Then it returns the rates that it has
    /// measured so far.
    pub fn measure(self, plan: &Plan, time: Duration) -> Result<Rates, BuildError> {
        // The time counts from the first event, so that it leaves out the time to plan the regions.
        let mut begun = None;
        let tried = self.tried(plan);
        // The larger a region is, the further its moves and exits lead in memory, least if exits are in order. Measured for 27 regions of
        // nine men's morris with 1.5 million to a billion states, and for endgames with 4 million to 16 billion states.
        let growth = if self.setup.family.exit_costs().in_order { 0.06 } else { 0.11 };
        if tried.is_empty() {
            return Ok(Rates::default());
        }
        sweep_measured();
        let folder = std::env::temp_dir().join(format!("{MEASURED}{}", unique()));
        let trial = Unfinished::folder(folder.clone());
        let mut finished = Vec::new();
        let mut progress = self.progress;
        // The time that passed, and the sum of the times of all regions. Two regions may be solved at a time.
        let (mut elapsed, mut busy) = (Duration::ZERO, Duration::ZERO);
        let built = Builder {
            setup: Setup { folder, ..self.setup },
            progress: Box::new(|event| {
                let begun = *begun.get_or_insert_with(Instant::now);
                if let Event::Finished(_, entry, time) = event {
                    finished.push((entry.states, entry.bytes, time));
                    (elapsed, busy) = (begun.elapsed(), busy + time);
                }
                let enough = if finished.is_empty() { 2 * time } else { time };
                match begun.elapsed() < enough {
                    true => progress(event),
                    false => ControlFlow::Break(()),
                }
            }),
        }
        .build_named(&tried);
        drop(trial);
        match built {
            Ok(_) | Err(BuildError::Cancelled) => {}
            Err(error) => return Err(error),
        }
        let share = elapsed.as_secs_f64() / busy.as_secs_f64().max(f64::MIN_POSITIVE);
        let rates = Rates::of(&finished);
        Ok(Rates { time: rates.time.mul_f64(share), growth, ..rates })
    }

    /// The regions of a plan that are small and fit in memory, if all regions that they need are also small and fit.
    fn tried(&self, plan: &Plan) -> Vec<String> {
        /// A region with more states might need more than a few seconds to finish, or to stop. All endgames of four pieces count: their
        /// tables take about as many bytes a state as those of five.
        const STATES_MAX: u64 = 1 << 24;
        let mut fits: Vec<bool> = Vec::new();
        for planned in &plan.regions {
            let small = planned.states <= STATES_MAX;
            let needs_fit = planned.needs.iter().all(|&need| fits[need]);
            fits.push(small && needs_fit && planned.memory_least <= self.setup.memory_max);
        }
        let tried = plan.regions.iter().zip(fits).filter(|(_, fits)| *fits);
        tried.map(|(planned, _)| planned.region.clone()).collect()
    }

    /// Builds these regions and all regions that they need, except finished ones. It reads each finished table once, to
    /// check that it is whole. Returns the plan of this build.
    ///
    /// Other builders may work in the same folder, on this machine or on others. They share the regions, and those on one
    /// machine share its memory. The build ends when all its regions are finished.
    pub fn build(self, targets: &[impl ToString]) -> Result<Plan, BuildError> {
        let targets = self.names(targets)?;
        self.build_named(&targets)
    }

    /// The names of regions.
    pub(super) fn names(&self, regions: &[impl ToString]) -> Result<Vec<String>, BuildError> {
        let names: Vec<String> = regions.iter().map(ToString::to_string).collect();
        let checked = names.iter().try_for_each(|name| self.setup.family.check(name));
        checked.map(|()| names).map_err(BuildError::Name)
    }

    fn build_named(mut self, targets: &[String]) -> Result<Plan, BuildError> {
        let setup = &self.setup;
        let folder = &setup.folder;
        create_folders(folder)?;
        // A builder that was killed may have named files a moment ago.
        sync_folder(folder).map_err(|error| FileError::new(folder, "sync", error))?;
        let regions = in_order(setup.family, targets);
        let mut sum = Sum::new();
        regions.iter().for_each(|region| sum.update(format!("{region}\n").as_bytes()));
        let leases = Leases::new(folder, &format!("{:016x}", sum.value()), setup.lease_interval);
        // The files of killed builders take room.
        leases.sweep()?;
        let mut manifest = setup.manifest()?;
        for region in &regions {
            forget_unless_whole(setup, (&mut manifest, &leases), region, &mut self.progress)?;
        }
        let plan = setup.plan(targets, &manifest);
        let limit = setup.memory_max;
        let mut left = plan.regions.iter().filter(|planned| planned.table_bytes.is_none());
        let beyond = |planned: &&Planned| planned.memory_least > limit;
        if setup.disk.is_none()
            && let Some(planned) = left.find(beyond)
        {
            let (region, needed) = (planned.region.clone(), planned.memory_least);
            return Err(BuildError::Memory { region, needed, limit });
        }
        if Manifest::options(folder)?.is_none() {
            manifest.write(folder)?;
        }
        build(setup, &plan, (manifest, leases), self.progress)?;
        Ok(plan)
    }
}

/// Removes a region from the manifest if its table is missing, has changed, or was made from other tables.
fn forget_unless_whole(
    setup: &Setup<'_>,
    (manifest, leases): (&mut Manifest, &Leases),
    region: &str,
    progress: &mut Callback<'_>,
) -> Result<(), BuildError> {
    let mut tell = |event| match progress(event) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(BuildError::Cancelled),
    };
    let Some(entry) = manifest.regions.get(region) else { return Ok(()) };
    tell(Event::Checking(region))?;
    let path = setup.file(region);
    let cause = match Entry::of_file(&path, entry.states) {
        Ok(found) if found.same_file(entry) => match manifest.disagreement(entry) {
            None => return Ok(()),
            Some(need) => Cause::Outdated { path, need: need.clone() },
        },
        Ok(_) => Cause::Changed { path },
        Err(TableError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Cause::Missing { folder: setup.folder.clone() }
        }
        Err(error) => {
            return Err(RegionError::new(setup.family, region, &setup.folder, error).into());
        }
    };
    let Take::Ours(_lease) = leases.take(region, 0)? else {
        // Another builder is making it again.
        manifest.reread(region);
        return Ok(());
    };
    manifest.forget(&setup.folder, region)?;
    tell(Event::Repairing(region, &RegionError::new(setup.family, region, &setup.folder, cause)))
}

/// The names of the temporary folders of [`Builder::measure`] begin with this.
const MEASURED: &str = "retrograde-measure-";

/// Removes the folders of killed measurements. They are older than a minute, and no process has locked them.
fn sweep_measured() {
    const WHILE: Duration = Duration::from_secs(60);
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let made = entry.metadata().and_then(|found| found.modified());
        let old = made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > WHILE));
        let is_measured = entry.file_name().to_string_lossy().starts_with(MEASURED);
        if is_measured && old && FolderLock::acquire(&entry.path()).is_ok() {
            // A file that this process may not remove stays for its owner.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
