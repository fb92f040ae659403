//! `retrograde-mpi build`: all ranks solve each region together, and the first writes its table. All of them open the tables
//! of the same folder. They save their states in it, beside the table in the making, so that a build that is stopped
//! continues inside a region.

use std::path::Path;

use retrograde_catalog::{Checkpoints, Job, JobError, JobReport, Keep, Output, Ranks, Task};
use retrograde_regions::{BuildError, Event, Planned, Tell};

use super::Build;
use crate::source::ranks;
use crate::term::failure::Failure;
use crate::term::progress::note;
use crate::term::stop;

/// The job of a region. Its table goes to a path.
fn job(build: &Build, ranks: &dyn Ranks, family: &str, region: &str, path: &Path) -> Job {
    let folder = build.of.out.clone();
    let kept = folder.join(format!("{region}.checkpoint"));
    let task = Task::Region { family: family.into(), region: region.into(), folder };
    let out = Output {
        path: path.into(),
        replace: true,
        compression: build.packing.compression,
        keep: if build.both_sides { Keep::All } else { Keep::OneSide },
    };
    let checkpoint = Some(Checkpoints { folder: kept, interval: build.checkpoint_interval.time() });
    let job = ranks::job(ranks, task, out, (build.memory, build.threads));
    Job { distances: !build.no_distance, checkpoint, ..job }
}

/// Lets all ranks solve a region. The first rank calls this, and the others [follow](follow).
pub(super) fn solve(
    build: &Build,
    ranks: &dyn Ranks,
    (family, planned): (&str, &Planned),
    path: &Path,
    tell: Tell<'_>,
) -> Result<(), BuildError> {
    let region = &planned.region;
    let failed = |problem: String| {
        let problem = format!("{problem}; finished tables stay, and the same command continues");
        BuildError::Elsewhere { region: region.clone(), problem }
    };
    ranks.tell(region).map_err(failed)?;
    let job = job(build, ranks, family, region, path);
    let solved = ranks::run(ranks, &job, &|report| match report {
        JobReport::Solved(progress) => tell(Event::Solving(region, &progress)),
        JobReport::Written(progress) => {
            tell(Event::Writing(region, progress.done, progress.states))
        }
        JobReport::Note(text) => {
            note(&text);
            stop::or_go_on()
        }
        JobReport::Begun { .. } => stop::or_go_on(),
    });
    match solved {
        _ if stop::is_asked() => Err(BuildError::Cancelled),
        Ok(_) => Ok(()),
        Err(JobError::Stopped) => Err(BuildError::Cancelled),
        Err(JobError::Failed(problem)) => Err(failed(problem)),
    }
}

/// Solves the regions that the first rank names, until it names none.
pub(super) fn follow(build: &Build, ranks: &dyn Ranks, family: &str) -> Result<(), Failure> {
    loop {
        let region = ranks.tell("").map_err(Failure::Input)?;
        if region.is_empty() {
            return Ok(());
        }
        // The first rank writes the table.
        let job = job(build, ranks, family, &region, Path::new(""));
        let heard = ranks::run(ranks, &job, &|report| {
            if let JobReport::Note(text) = report {
                note(&text);
            }
            stop::or_go_on()
        });
        match heard {
            Ok(_) => {}
            Err(JobError::Stopped) => return Ok(()),
            Err(JobError::Failed(problem)) => {
                return Err(Failure::Input(format!("{region}: {problem}")));
            }
        }
    }
}
