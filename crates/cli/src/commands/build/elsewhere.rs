//! `retrograde build --processes` and `--hosts`: several processes solve each region together, and the first process
//! writes its table. All processes open the tables of the same folder. They save their states in it, beside the table in
//! the making, so that a build that is stopped continues inside a region.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use retrograde::Progress;
use retrograde_catalog::{Checkpoints, End, Job, Keep, Output, Selection, Task};
use retrograde_regions::{BuildError, Event, Manifest, Planned, Tell};

use super::Build;
use crate::source::cluster::{Said, run};
use crate::term::failure::Failure;
use crate::term::stop;

/// The job of a build. Each region adds its name, the path of its table and the folder of its checkpoints.
pub(super) fn job(build: &Build, family: &str) -> Result<Job, Failure> {
    let folder = build.out.clone();
    let task = Task::Region { family: family.into(), region: String::new(), folder };
    let end = End::Write(Output {
        path: PathBuf::new(),
        replace: true,
        compression: build.packing.compression,
        keep: if build.both_sides { Keep::All } else { Keep::OneSide },
    });
    let job = build.processes.job(task, end, (build.memory, build.threads))?;
    // The scalar engine alone has blocks of a chosen length.
    let bit_parallel = job.block.is_none();
    let interval_ms = build.checkpoint_interval.milliseconds();
    let checkpoint = Some(Checkpoints { folder: PathBuf::new(), interval_ms });
    Ok(Job { distances: !build.no_distance, bit_parallel, checkpoint, ..job })
}

/// Lets the processes solve a region and write its table.
pub(super) fn solve(
    job: &Job,
    planned: &Planned<String>,
    path: &Path,
    tell: Tell<'_, String>,
) -> Result<(), BuildError> {
    let Planned { region, states, .. } = planned;
    let ran = run(&of_region(job, region, path), |said| match said {
        Said::Level { level, settled } => tell(Event::Solving(
            region,
            &Progress { level: Some(level), done: settled, states: *states },
        )),
        Said::Written { done, of } => tell(Event::Writing(region, done, of)),
        Said::Memory { .. } | Said::Plan(_) | Said::Done { .. } => stop::or_go_on(),
    });
    match ran {
        // A signal from a terminal reaches all processes.
        _ if stop::is_asked() => Err(BuildError::Cancelled),
        Ok(heard) if heard.is_break() => Err(BuildError::Cancelled),
        Ok(_) => Ok(()),
        Err(problem) => {
            let problem =
                format!("{problem}; finished tables stay, and the same command continues");
            Err(BuildError::Elsewhere { region: region.clone(), problem })
        }
    }
}

fn of_region(job: &Job, name: &str, to: &Path) -> Job {
    let mut job = job.clone();
    if let (Task::Region { region, folder, .. }, End::Write(out)) = (&mut job.task, &mut job.end) {
        *region = name.into();
        out.path = to.into();
        if let Some(checkpoints) = &mut job.checkpoint {
            checkpoints.folder = folder.join(format!("{name}.checkpoint"));
        }
    }
    job
}

/// Takes part in a build whose tables another process writes. Goes through the unfinished regions in the same order as
/// that process.
pub(super) fn follow(build: &Build, chosen: &Selection) -> Result<(), Failure> {
    let Selection { family, regions } = chosen;
    let job = job(build, family.name())?;
    let plan = family.plan(regions, &build.how()).map_err(|error| build.failure(error))?;
    for planned in plan.regions.iter().filter(|planned| planned.table_bytes.is_none()) {
        let solved = solve(&job, planned, Path::new(""), &|_| stop::or_go_on());
        match solved.and_then(|()| until_noted(build, &planned.region)) {
            Ok(()) => {}
            Err(BuildError::Cancelled) => return Ok(()),
            Err(error) => return Err(build.failure(error)),
        }
    }
    Ok(())
}

/// Waits until the first process has listed a region in the manifest. Only then may this process continue with the next
/// region.
fn until_noted(build: &Build, region: &str) -> Result<(), BuildError> {
    const LONG: Duration = Duration::from_secs(10);
    let (since, mut told) = (Instant::now(), false);
    while !Manifest::read(&build.out)?.is_some_and(|found| found.regions.contains_key(region)) {
        if stop::is_asked() {
            return Err(BuildError::Cancelled);
        }
        if !told && since.elapsed() > LONG {
            let folder = build.out.display();
            build.quiet.note(&format!(
                "note: waiting for the first process to finish {region} in {folder}; all processes must see the same folder"
            ));
            told = true;
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
