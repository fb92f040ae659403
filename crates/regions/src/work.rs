//! Solves a region whose distances are in a log. The log lies in a folder with a snapshot beside it. If a build stops, the next
//! one continues the region from there.
//!
//! Two builders may solve one region, so each locks a folder of its own. A builder that continues takes the first folder
//! that no other has locked.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use retrograde::bit_parallel::LogError;
use retrograde::{Snapshot, SolveError};
use retrograde_disk::{Disk, LogFile, SnapshotFile};
use retrograde_files::{
    FileError, FolderLock, create_folders, exists, list, remove_file, remove_folder,
    sweep_temp_files,
};
use retrograde_table::WriteError;
use serde_json::Value as Json;

use crate::build::Build;
use crate::build_error::BuildError;
use crate::builder::Event;
use crate::error::{Cause, RegionError};
use crate::facts::header_of;
use crate::family::Family;
use crate::plan::{CACHES_SHARE, Planned};
use crate::schedule::Job;
use crate::solved;
use crate::words::SolveLogged;

const LOG: &str = "log";
const SNAPSHOT: &str = "snapshot";
/// The names of folders have this after the name of the region, and perhaps a number.
const ENDING: &str = ".work";

/// The files of a region, for one builder.
pub(crate) struct Work {
    folder: PathBuf,
    snapshot: SnapshotFile,
    lock: FolderLock,
}

impl Work {
    /// Takes the files of a region in a folder, or makes them.
    pub(crate) fn open(within: &Path, region: &str, about: Json) -> Result<Work, BuildError> {
        let mut number = 0;
        loop {
            let name = match number {
                0 => format!("{region}{ENDING}"),
                number => format!("{region}{ENDING}.{number}"),
            };
            let folder = within.join(name);
            create_folders(&folder)?;
            match FolderLock::acquire(&folder) {
                Ok(lock) => {
                    let snapshot = SnapshotFile::new(folder.join(SNAPSHOT), about);
                    return Ok(Work { folder, snapshot, lock });
                }
                Err(FileError::Held { .. }) => number += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The log. Blocks of an earlier build are still there.
    pub(crate) fn log(&self) -> Result<LogFile, BuildError> {
        let path = self.folder.join(LOG);
        LogFile::open(&path).map_err(|error| FileError::new(&path, "open", error).into())
    }

    /// The snapshot of an earlier build, if there is one. That of another solve counts as none.
    pub(crate) fn snapshot(&self) -> Option<Box<dyn Read + Send>> {
        let found = self.snapshot.read().ok().flatten();
        found.map(|(snapshot, _)| -> Box<dyn Read + Send> { Box::new(snapshot) })
    }

    /// Replaces the snapshot. If that fails, the solve goes on: hours of work are worth more.
    pub(crate) fn keep(&self, snapshot: &Snapshot<'_>) {
        let _ = self.snapshot.write(snapshot);
    }

    /// Removes the snapshot. The next solve begins at the first level.
    pub(crate) fn forget(&self) -> Result<(), BuildError> {
        Ok(self.snapshot.remove()?)
    }

    /// Removes all files, because the table is finished.
    pub(crate) fn remove(self) {
        let Work { folder, snapshot, lock } = self;
        sweep_temp_files(&folder);
        // The snapshot first: it names blocks of the log.
        if snapshot.remove().is_ok() && remove_file(&folder.join(LOG)).is_ok() {
            drop(lock);
            remove_folder(&folder);
        }
    }

    /// Removes the files that stopped builds have left of finished regions.
    pub(crate) fn sweep(within: &Path, is_finished: impl Fn(&str) -> bool) {
        for name in list(within).unwrap_or_default() {
            let folder = within.join(&name);
            if region_of(&name.to_string_lossy()).is_some_and(&is_finished)
                && let Ok(lock) = FolderLock::acquire(&folder)
            {
                let snapshot = SnapshotFile::new(folder.join(SNAPSHOT), Json::Null);
                Work { folder, snapshot, lock }.remove();
            }
        }
    }
}

/// The region of a folder, if it is one of ours.
fn region_of(name: &str) -> Option<&str> {
    let numbered = name.rsplit_once('.').filter(|(_, number)| number.parse::<u32>().is_ok());
    numbered.map_or(name, |(rest, _)| rest).strip_suffix(ENDING)
}

impl<F: Family> Build<'_, F> {
    /// Removes the files that stopped builds have left of finished regions.
    pub(crate) fn sweep(&self) {
        let (setup, finished) = (self.setup, self.manifest().regions.clone());
        Work::sweep(setup.temporary(), |region| finished.contains_key(region));
        let regions = self.plan.regions.iter();
        let done = regions.filter(|planned| finished.contains_key(&planned.region.to_string()));
        done.for_each(|planned| self.clear_arrays(planned));
    }

    /// Removes the arrays of a finished region, unless they are of another program.
    pub(crate) fn clear_arrays(&self, planned: &Planned<F::Region>) {
        let arrays = self.setup.disk.as_ref().map(|disk| disk.join(planned.region.to_string()));
        if let Some(arrays) = arrays.filter(|arrays| exists(arrays)) {
            let disk = Disk::new(arrays).distances(self.setup.distances);
            let _ = disk.identity(self.identity(planned).to_string()).clear();
        }
    }

    /// Solves a region with its distances in a log, and writes its table. Continues where an earlier build has stopped.
    pub(crate) fn solve_with_log(
        &self,
        planned: &Planned<F::Region>,
        job: &Job,
        game: &F::Game<'_>,
        failure: &solved::Failure,
    ) -> Result<(), BuildError> {
        let name = planned.region.to_string();
        let work = Work::open(self.setup.temporary(), &name, self.identity(planned))?;
        let snapshot = work.snapshot();
        let resumes = snapshot.is_some();
        let mut solved = self.solve_from(snapshot, &work, (planned, job), (game, failure));
        if resumes && solved.as_ref().is_err_and(is_damage) {
            // The snapshot, or a block that it names.
            work.forget()?;
            solved = self.solve_from(None, &work, (planned, job), (game, failure));
        }
        // The files stay until the region is recorded: the table alone does not say that it is finished.
        solved
    }

    fn solve_from(
        &self,
        snapshot: Option<Box<dyn Read + Send>>,
        work: &Work,
        (planned, job): (&Planned<F::Region>, &Job),
        (game, failure): (&F::Game<'_>, &solved::Failure),
    ) -> Result<(), BuildError> {
        let (setup, region) = (self.setup, &planned.region);
        let loaded = job.memory_max / CACHES_SHARE;
        // A stop waits for the end of the level, to keep it.
        let stop = AtomicBool::new(false);
        let mut kept = Instant::now();
        let solver = self.solver(job, loaded);
        let solver = solver.progress(|progress| {
            if self.tell_of(job, Event::Solving(region, progress)).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
            if failure.happened() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let solver = solver.at_level_end(|snapshot| {
            let stops = stop.load(Ordering::Relaxed);
            // After a failed lookup, what has settled may be wrong.
            let is_due = stops || kept.elapsed() >= setup.checkpoint_interval;
            if is_due && !failure.happened() {
                work.keep(snapshot);
                kept = Instant::now();
            }
            if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let solver = match snapshot {
            Some(from) => solver.resume(from),
            None => solver,
        };
        let unsolved = |error| self.unsolved(region, error, loaded);
        let solved = F::visit_words(game, SolveLogged(solver, Box::new(work.log()?)));
        let Ok(solution) = solved else { unreachable!("the plan has a log only for words") };
        let solution = solution.map_err(unsolved)?;
        self.verify_solved(planned, job, (game, failure), &solution)?;
        let about = header_of(setup.family, region, game, &solution);
        let about = about.map_err(|error| unsolved(SolveError::Outside(error.into())))?;
        self.write(job, (game, failure), (&solution, solution.histogram()), || about)
    }
}

/// Whether an error may come from damaged files of an earlier build, and not from a full disk, for example.
fn is_damage(error: &BuildError) -> bool {
    match error {
        BuildError::Write(WriteError::Source(_)) => true,
        BuildError::Region(RegionError { cause: Cause::Broken(_), .. }) => true,
        BuildError::Region(RegionError { cause: Cause::Solve(error), .. }) => match error {
            SolveError::Snapshot | SolveError::Damaged => true,
            SolveError::Outside(error) => match error.downcast_ref() {
                Some(LogError::Damaged { .. }) => true,
                // The log is shorter than the snapshot says. Other errors of the system say nothing of the files.
                Some(LogError::Store(error)) => error.kind() == io::ErrorKind::UnexpectedEof,
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}
