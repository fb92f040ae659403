//! A running build: solves region after region, writes each table and records it.

use std::collections::HashMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use retrograde::checks::{Verifier, VerifyError};
use retrograde::{Histogram, Probe, SolveError, Solver};
use retrograde_disk::{Disk, DiskError};
use retrograde_files::{FileError, Lease, Leases, remove_file, remove_folder, sync_folder};
use retrograde_table::{About, Folder, Options, Table, TableError, WriteError};
use serde_json::{Value as Json, json};

use crate::build::build_error::BuildError;
use crate::build::copies::Copies;
use crate::build::plan::{CACHES_SHARE, Fit, Plan, Planned, exits_bytes};
use crate::build::schedule::{self, Job, REGIONS_AT_A_TIME};
use crate::build::setup::{Callback, Event, Setup, unique};
use crate::build::solvable::SolvableRegion;
use crate::build::work::Work;
use crate::error::{Cause, RegionError};
use crate::facts::SideFacts;
use crate::manifest::{Entry, Manifest};
use crate::moves::complete;
use crate::named_regions::{AnyValues, NamedRegions, header};
use crate::solved::{self, EXITS_BYTES};
use crate::tables::share_evenly;
use crate::verify;

/// Builds the regions of a plan that are not done.
pub(crate) fn build(
    setup: &Setup<'_>,
    plan: &Plan,
    (manifest, leases): (Manifest, Leases),
    progress: Callback<'_>,
) -> Result<(), BuildError> {
    let temporary = setup.temporary().to_owned();
    // As long as this builder is there, builders with other plans keep its copies.
    let here = format!("builder-{}", unique());
    let _here = leases.take(&here, 0)?;
    let mut ours = HashMap::new();
    if setup.elsewhere.is_some() {
        // The other processes follow this plan, so no other builder may take a region of it.
        for (place, planned) in plan.regions.iter().enumerate() {
            if planned.table_bytes.is_none() {
                ours.insert(place, setup.lease(&leases, &planned.region)?);
            }
        }
    }
    let places = plan.regions.iter().enumerate();
    let places = places.map(|(place, planned)| (planned.region.clone(), place)).collect();
    let build = Build {
        setup,
        plan,
        places,
        leases,
        ours: Mutex::new(ours),
        reopened: Mutex::default(),
        copies: Copies::new(plan, temporary),
        manifest: Mutex::new(manifest),
        progress: Mutex::new(progress),
        stopped: AtomicBool::new(false),
    };
    build.sweep();
    let at_a_time = if setup.elsewhere.is_some() { 1 } else { REGIONS_AT_A_TIME };
    let most = (setup.memory_max, setup.tables_max);
    let done = schedule::run(plan, at_a_time, setup.threads(), most, Some(&build), |job| {
        // The files of copies that a solve has opened take room until it ends. So it is repeated then.
        let solved = match build.with_room(|| build.solve(job)) {
            Err(BuildError::Cancelled) if build.has_lost(job) => {
                build.tell(Event::Lost(&plan.regions[job.place].region)).map(|()| None)
            }
            // A stopped builder works on it.
            Err(error) if is_held(&error) => Ok(None),
            solved => solved.map(Some),
        };
        if solved.is_err() {
            build.stopped.store(true, Ordering::Relaxed);
        }
        solved
    });
    build.sweep();
    build.copies.sweep(&build.leases);
    let _ = build.leases.sweep();
    if let Some(folder) = &setup.disk {
        // The folder stays if it has files.
        remove_folder(folder);
    }
    done
}

/// Opens the table of a region that another region needs, and the tables that its values depend on.
pub(crate) fn open(
    family: &dyn NamedRegions,
    folder: &Folder,
    region: &str,
) -> Result<Arc<Table>, RegionError> {
    let table = folder.table(region);
    let table = table.map_err(|error| RegionError::new(family, region, folder.path(), error))?;
    complete(family, folder.path(), region, table, &mut |need| open(family, folder, need))
}

/// Whether another process has locked the files of a solve on disk.
pub(crate) fn is_held(error: &BuildError) -> bool {
    let BuildError::Region(RegionError { cause: Cause::Solve(error), .. }) = error else {
        return false;
    };
    let SolveError::Outside(error) = error else { return false };
    matches!(error.downcast_ref(), Some(FileError::Held { .. }))
}

/// The memory of a verification: this much, or what the solve has freed if that is more.
const VERIFIED_IN: u64 = 128 << 20;

/// In a solve on disk, this share of the memory goes to the tables that exits lead to.
const EXITS_SHARE: u64 = 4;

/// A running build.
pub(crate) struct Build<'b> {
    pub(crate) setup: &'b Setup<'b>,
    pub(crate) plan: &'b Plan,
    /// The places of regions in the plan.
    pub(crate) places: HashMap<String, usize>,
    pub(crate) leases: Leases,
    /// Leases that this builder has taken before it needs them.
    pub(crate) ours: Mutex<HashMap<usize, Lease>>,
    /// Finished regions that are to be solved again, because a table that they need has changed.
    pub(crate) reopened: Mutex<Vec<usize>>,
    pub(crate) copies: Copies,
    /// The finished regions, as far as this builder knows.
    pub(crate) manifest: Mutex<Manifest>,
    progress: Mutex<Callback<'b>>,
    /// Whether a region has failed or the callback asked to stop. Then all other regions stop too.
    pub(crate) stopped: AtomicBool,
}

impl Build<'_> {
    /// Solves a region, writes its table, and lists it in the manifest. Returns the length of the table in bytes.
    fn solve(&self, job: &Job) -> Result<u64, BuildError> {
        let begun = Instant::now();
        let setup = self.setup;
        let Setup { family, folder, .. } = setup;
        let planned = &self.plan.regions[job.place];
        let region = &planned.region;
        self.tell(Event::Begun(planned))?;
        let needs: Vec<&String> =
            planned.needs.iter().map(|&need| &self.plan.regions[need].region).collect();
        let from = self.checksums(&self.manifest(), planned);
        let failed = |region: &str, error: TableError| {
            BuildError::Region(RegionError::new(*family, region, folder, error))
        };
        let on_disk = setup.arrays_of(planned);
        let caches = match &on_disk {
            Some(_) => job.memory_max / EXITS_SHARE,
            None if planned.is_logged(job.fit) => job.memory_max / CACHES_SHARE,
            None => u64::MAX,
        };
        let states = planned.needs.iter().map(|&need| self.plan.regions[need].states);
        let cache = EXITS_BYTES.min(share_evenly(caches, states.collect()));
        let options = Options::new().cache_bytes(cache);
        let opened = Folder::with_options(folder, options);
        let open = |need: &&String| open(*family, &opened, need).map_err(BuildError::from);
        let copy =
            |need: &&String| self.copies.open(need, self.manifest().regions.get(*need)?, options);
        let copy_or_table = |need: &&String| copy(need).map_or_else(|| open(need), Ok);
        let tables = needs.iter().map(copy_or_table).collect::<Result<Vec<_>, _>>()?;
        let path = setup.file(region);
        let load =
            job.fit == Fit::Whole && !family.exit_costs().in_order && setup.elsewhere.is_none();
        if let Some(solve) = &setup.elsewhere {
            solve(planned, &path, &|event| self.tell_on(event))?;
        }
        let load = load.then_some(job.memory_max);
        solved::with_solved(&tables, load, |solved, failure| {
            let game = &*family.solvable(region, solved);
            match (&on_disk, &setup.elsewhere) {
                (None, None) if planned.is_logged(job.fit) => {
                    return self.solve_with_log(planned, job, game, failure);
                }
                (None, None) => return self.solve_and_write(planned, job, game, failure),
                (Some(arrays), None) => self.solve_on_disk(planned, job, game, failure, arrays)?,
                (_, Some(_)) => {}
            }
            match setup.verify {
                true => self.verify_written(region, &*open(&region)?, (game, failure)),
                false => open(&region).map(drop),
            }
        })
        // A damaged table explains any other error. If it is a copy, the next build does without.
        .map_err(|(number, error)| {
            self.copies.remove(needs[number]);
            failed(needs[number], error)
        })??;
        drop(tables);

        let entry =
            Entry::of_file(&path, planned.states).map_err(|error| self.failed(region, error))?;
        let entry = Entry { needs: from, ..entry };
        self.note(planned, &entry)?;
        Work::sweep(setup.temporary(), |name| name == *region);
        self.clear_arrays(planned);
        self.copies.finished(self.plan, job.place, &self.leases);
        self.tell(Event::Finished(region, &entry, begun.elapsed()))?;
        Ok(entry.bytes)
    }

    /// Solves a region in memory, and writes its table. `solve_with_log` is in `logged.rs`.
    fn solve_and_write(
        &self,
        planned: &Planned,
        job: &Job,
        game: &dyn SolvableRegion,
        failure: &solved::Failure,
    ) -> Result<(), BuildError> {
        let region = &planned.region;
        let loaded = planned.needs_bytes(job.fit);
        let solver = self.solver(job, loaded).progress(|progress| match failure.happened() {
            true => ControlFlow::Break(()),
            false => self.tell_of(job, Event::Solving(region, progress)),
        });
        let solution = game.solve(solver).map_err(|error| self.unsolved(region, error, loaded))?;
        self.verify_solved(planned, job, (game, failure), &solution)?;
        let sides = || SideFacts::of_solution(&game.runs(), &solution);
        let about = || game.about(&sides());
        self.write(job, (game, failure), (&solution, solution.histogram()), about)
    }

    /// A solver with the memory of a job, without that of the tables that exits lead to.
    pub(crate) fn solver<'s>(&self, job: &Job, loaded: u64) -> Solver<'s> {
        let solver = Solver::new().threads(job.threads).distances(self.setup.distances);
        let solver = solver.thresholds(self.setup.thresholds);
        solver.memory_max(job.memory_max.saturating_sub(loaded))
    }

    /// What a solve of a region depends on.
    pub(crate) fn identity(&self, planned: &Planned) -> Json {
        json!({
            "version of the program": env!("CARGO_PKG_VERSION"),
            "game": self.setup.family.name(),
            "region": planned.region,
            "distances": self.setup.distances,
            "needs": self.checksums(&self.manifest(), planned),
        })
    }

    /// Verifies a solution that is still in memory, if the options say so.
    pub(crate) fn verify_solved<P: Probe<Error: Error + Send + Sync + 'static>>(
        &self,
        planned: &Planned,
        job: &Job,
        (game, failure): (&dyn SolvableRegion, &solved::Failure),
        solution: &P,
    ) -> Result<(), BuildError> {
        let (region, states) = (&planned.region, planned.states);
        if !self.setup.verify {
            return Ok(());
        }
        self.tell(Event::Verifying(region, 0, states))?;
        // The memory that the solution still takes: two bits a state with a log, or else up to two bytes.
        let left = if planned.is_logged(job.fit) { states / 4 } else { 2 * states };
        let free = job.memory.saturating_sub(planned.needs_bytes(job.fit) + left);
        let verifier = Verifier::new().memory_max(free.max(VERIFIED_IN)).progress(|progress| {
            match failure.happened() {
                true => ControlFlow::Break(()),
                false => self.tell_of(job, Event::Verifying(region, progress.done, states)),
            }
        });
        let verified = game.verify(&AnyValues(solution), verifier);
        verified.map(drop).map_err(|broken| match broken {
            VerifyError::Cancelled => BuildError::Cancelled,
            broken => self.failed(region, Cause::Broken(broken.to_string())),
        })
    }

    /// Solves a region that does not fit with its arrays in files of this folder, and writes its table.
    fn solve_on_disk(
        &self,
        planned: &Planned,
        job: &Job,
        game: &dyn SolvableRegion,
        failure: &solved::Failure,
        arrays: &Path,
    ) -> Result<(), BuildError> {
        let setup = self.setup;
        let region = &planned.region;
        let disk = Disk::new(arrays)
            .threads(job.threads)
            .memory_max(job.memory_max - job.memory_max / EXITS_SHARE)
            .exit_bytes(exits_bytes(&game.rules(), |states| 16 * states))
            .distances(setup.distances)
            .identity(self.identity(planned).to_string());
        let solver = Solver::new().progress(|progress| match failure.happened() {
            true => ControlFlow::Break(()),
            false => self.tell_of(job, Event::Solving(region, progress)),
        });
        let solution = disk.solve_while(&game.rules(), solver, &|| !failure.happened());
        let solution = solution.map_err(|error| match self.unsolved(region, error, 0) {
            BuildError::Memory { region, needed, .. } => {
                // The share of the tables comes on top.
                let needed = needed + needed.div_ceil(EXITS_SHARE - 1);
                BuildError::Memory { region, needed, limit: job.memory_max }
            }
            error => error,
        })?;
        let about = header(game, &solution);
        let about = about.map_err(|error| self.unsolved(region, error.into(), 0))?;
        self.write(job, (game, failure), (&solution, solution.histogram()), || about)
    }

    /// Why a region has no solution, given the memory that other data takes.
    pub(crate) fn unsolved(&self, region: &str, error: SolveError, elsewhere: u64) -> BuildError {
        let memory = |needed, limit| {
            let (needed, limit) = (needed + elsewhere, limit + elsewhere);
            BuildError::Memory { region: region.to_string(), needed, limit }
        };
        match error {
            SolveError::Memory { needed, limit } => memory(needed, limit),
            SolveError::Threads { threads, source } => BuildError::Threads { threads, source },
            SolveError::Cancelled => BuildError::Cancelled,
            SolveError::Outside(error) => match error.downcast_ref() {
                Some(&DiskError::Memory { needed, limit }) => memory(needed, limit),
                _ => self.failed(region, Cause::Solve(SolveError::Outside(error))),
            },
            error => self.failed(region, Cause::Solve(error)),
        }
    }

    pub(crate) fn failed(&self, region: &str, cause: impl Into<Cause>) -> BuildError {
        RegionError::new(self.setup.family, region, &self.setup.folder, cause).into()
    }

    /// Writes the table of a region.
    pub(crate) fn write<P: Probe>(
        &self,
        job: &Job,
        (game, failure): (&dyn SolvableRegion, &solved::Failure),
        (values, histogram): (&P, &Histogram),
        about: impl FnOnce() -> About,
    ) -> Result<(), BuildError> {
        let (setup, planned) = (self.setup, &self.plan.regions[job.place]);
        let region = &planned.region;
        // This may look up exits, so it comes before the last check for a failure.
        let (about, rows) = (about(), game.grids());
        if failure.happened() {
            // `with_solved` returns the failure instead of this.
            return Err(BuildError::Cancelled);
        }
        if Manifest::noted(&setup.folder, region)?.is_some() {
            // Another builder was faster.
            return Ok(());
        }
        let path = setup.file(region);
        let exits = game.exits(&path, failure);
        let write = || {
            let writer = setup.writer(about.clone(), rows.clone(), &*exits).histogram(histogram);
            let writer = writer.progress(|progress| match failure.happened() {
                true => ControlFlow::Break(()),
                false => self.tell_of(job, Event::Writing(region, progress.done, progress.states)),
            });
            writer.write(&path, values)
        };
        let written = self.with_room(|| Ok(write()?))?;
        if !written.durable {
            // The file beside the table says that it is finished, so it must not come before the table.
            sync_folder(&setup.folder)
                .map_err(|error| FileError::new(&path, "sync the folder of", error))?;
        }
        if planned.leaves_out && !setup.both_sides && self.copies.is_needed(job.place) {
            let entry = Entry::of_file(&path, planned.states);
            let entry = entry.map_err(|error| self.failed(region, error))?;
            let stopped = || self.stopped.load(Ordering::Relaxed);
            self.copies.write(region, &entry, values, stopped);
        }
        Ok(())
    }

    /// Repeats what fails for lack of room without the copies: a table is worth more than all of them.
    pub(crate) fn with_room<T>(
        &self,
        act: impl Fn() -> Result<T, BuildError>,
    ) -> Result<T, BuildError> {
        let before = self.copies.evicted();
        match act() {
            Err(BuildError::Write(WriteError::File(error))) if error.is_full() => {
                self.copies.evict();
                let has_room = self.copies.evicted() > before;
                if has_room { act() } else { Err(BuildError::Write(error.into())) }
            }
            done => done,
        }
    }

    /// Verifies a table that another process has written. Removes it if it is wrong.
    fn verify_written(
        &self,
        region: &str,
        table: &Table,
        (game, failure): (&dyn SolvableRegion, &solved::Failure),
    ) -> Result<(), BuildError> {
        let states = table.states();
        let verifier = Verifier::new()
            .memory_max(VERIFIED_IN.min(self.setup.memory_max / 2))
            .progress(|progress| self.tell_on(Event::Verifying(region, progress.done, states)));
        let verified = verify::verify(table, game, failure, verifier);
        verified.map(drop).map_err(|broken| {
            // The error says why the table is wrong. An error of this removal would say less.
            let _ = remove_file(table.path());
            match self.stopped.load(Ordering::Relaxed) {
                true => BuildError::Cancelled,
                false => self.failed(region, broken),
            }
        })
    }

    pub(crate) fn manifest(&self) -> MutexGuard<'_, Manifest> {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tell_on(&self, event: Event<'_>) -> ControlFlow<()> {
        self.tell(event).map_or(ControlFlow::Break(()), |()| ControlFlow::Continue(()))
    }

    pub(crate) fn tell(&self, event: Event<'_>) -> Result<(), BuildError> {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if self.stopped.load(Ordering::Relaxed) || progress(event).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
            return Err(BuildError::Cancelled);
        }
        Ok(())
    }
}
