//! Solves a region whose distances are in a log, and goes on from the snapshot of an earlier build.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use retrograde::SolveError;
use retrograde::bit_parallel::LogError;
use retrograde_disk::Disk;
use retrograde_files::exists;
use retrograde_table::WriteError;

use crate::build::build_error::BuildError;
use crate::build::plan::{CACHES_SHARE, Planned};
use crate::build::running::Build;
use crate::build::schedule::Job;
use crate::build::setup::Event;
use crate::build::solvable::SolvableRegion;
use crate::build::work::Work;
use crate::error::{Cause, RegionError};
use crate::named_regions::header;
use crate::solved;

impl Build<'_> {
    /// Removes the files that stopped builds have left of finished regions.
    pub(crate) fn sweep(&self) {
        let (setup, finished) = (self.setup, self.manifest().regions.clone());
        Work::sweep(setup.temporary(), |region| finished.contains_key(region));
        let regions = self.plan.regions.iter();
        let done = regions.filter(|planned| finished.contains_key(&planned.region));
        done.for_each(|planned| self.clear_arrays(planned));
    }

    /// Removes the arrays of a finished region, unless they are of another program.
    pub(crate) fn clear_arrays(&self, planned: &Planned) {
        let arrays = self.setup.disk.as_ref().map(|disk| disk.join(&planned.region));
        if let Some(arrays) = arrays.filter(|arrays| exists(arrays)) {
            let disk = Disk::new(arrays).distances(self.setup.distances);
            let _ = disk.identity(self.identity(planned).to_string()).clear();
        }
    }

    /// Solves a region with its distances in a log, and writes its table. Continues where an earlier build has stopped.
    pub(crate) fn solve_with_log(
        &self,
        planned: &Planned,
        job: &Job,
        game: &dyn SolvableRegion,
        failure: &solved::Failure,
    ) -> Result<(), BuildError> {
        let work = Work::open(self.setup.temporary(), &planned.region, self.identity(planned))?;
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
        (planned, job): (&Planned, &Job),
        (game, failure): (&dyn SolvableRegion, &solved::Failure),
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
        let solution = game.solve_logged(solver, Box::new(work.log()?)).map_err(unsolved)?;
        self.verify_solved(planned, job, (game, failure), &solution)?;
        let about = header(game, &solution);
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
