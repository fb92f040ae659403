//! `retrograde-mpi`: the same commands on several ranks. Makes the job of a command, shows its progress, and opens the table
//! that the first rank writes.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use retrograde_catalog::{Job, JobDone, JobError, JobPlan, JobReport, Output, Ranks, Task};
use retrograde_table::Table;
use serde::Serialize;

use crate::report::format::Report;
use crate::source::checkpoint::CheckpointArgs;
use crate::source::engine::EngineArgs;
use crate::source::forecast;
use crate::source::game_source::GameSource;
use crate::source::options::{Memory, Threads};
use crate::source::save::{Save, Saved};
use crate::term::failure::{Failure, input};
use crate::term::number::{Size, counted, grouped, time};
use crate::term::progress::note;
use crate::term::stop;

/// How to solve: whether to keep distances, where checkpoints go, and in which folder the logs of distances are.
pub(crate) type How<'a> = (bool, &'a CheckpointArgs, Option<&'a Path>);

/// A job with usual options. Ranks on one machine share its memory and its processors.
pub(crate) fn job(
    ranks: &dyn Ranks,
    task: Task,
    out: Output,
    (memory, threads): (Memory, Threads),
) -> Job {
    let beside = ranks.beside();
    Job {
        task,
        threads: threads.beside(beside),
        memory: memory.asked().or_else(|| memory.limit().map(|bytes| bytes / beside as u64)),
        block: None,
        distances: true,
        engine: None,
        disk: None,
        checkpoint: None,
        out,
    }
}

/// The job of a game by name.
pub(crate) fn job_of(
    ranks: &dyn Ranks,
    opened: &GameSource,
    save: &Save,
    (distances, checkpoint, disk): How<'_>,
    engine: &EngineArgs,
) -> Result<Job, Failure> {
    let asked = engine.asked(&*opened.game)?;
    if disk.is_some() && !opened.game.has_words() {
        let game = opened.game.name();
        let advice = format!("several ranks keep {game} in memory: leave --disk out");
        return Err(Failure::Usage(advice));
    }
    let task = Task::Game(Box::new(opened.about()));
    let job = job(ranks, task, save.output(), (engine.memory, engine.threads));
    let (checkpoint, disk) = (checkpoint.checkpoints(), disk.map(Path::to_owned));
    Ok(Job { distances, engine: asked, checkpoint, disk, ..job })
}

/// Solves a game on all ranks. Returns the table in the first rank.
pub(crate) fn solve(
    ranks: &dyn Ranks,
    opened: &GameSource,
    save: &Save,
    job: &Job,
    engine: &EngineArgs,
) -> Result<Option<(Box<Table>, Saved)>, Failure> {
    let left = job.checkpoint.as_ref().map(|checkpoints| {
        format!(
            "the same command continues from the checkpoint in {}",
            checkpoints.folder.display()
        )
    });
    if let Some(left) = &left {
        stop::left(format!("stopped; {left}"));
    }
    let done = watch(ranks, opened, job, engine).map_err(|error| match (error, left) {
        (JobError::Stopped, _) => Failure::Input("stopped".to_owned()),
        (JobError::Failed(problem), None) => Failure::Input(problem),
        (JobError::Failed(problem), Some(left)) => Failure::Input(format!("{problem}; {left}")),
    })?;
    let Some(JobDone { kept, .. }) = done else { return Ok(None) };
    let path = save.path().to_owned();
    let kept = kept.unwrap_or_else(|| path.clone());
    let table = Table::open(&kept).map_err(input)?;
    let saved = Saved::at(path, kept, table.states())?;
    Ok(Some((Box::new(table), saved)))
}

/// Runs a job. A stop signal waits until all ranks have kept a checkpoint, at the end of their level.
pub(crate) fn run(
    ranks: &dyn Ranks,
    job: &Job,
    hear: &(dyn Fn(JobReport) -> ControlFlow<()> + Sync),
) -> Result<Option<JobDone>, JobError> {
    let _keeping = job.checkpoint.as_ref().map(|_| stop::keeping());
    ranks.solve(job, hear)
}

/// Runs a job, and shows its progress in the first rank.
fn watch(
    ranks: &dyn Ranks,
    opened: &GameSource,
    job: &Job,
    engine: &EngineArgs,
) -> Result<Option<JobDone>, JobError> {
    let (quiet, open) = (engine.quiet, forecast::not_invalid(&*opened.game));
    let settled = Mutex::new(quiet.bar("settled"));
    let written = Mutex::new(None);
    let done = run(ranks, job, &|report| {
        match report {
            JobReport::Solved(progress) => {
                let bar = settled.lock().unwrap_or_else(PoisonError::into_inner);
                bar.iter().for_each(|bar| bar.show_level(&progress, open));
            }
            JobReport::Written(progress) => {
                let mut bar = settled.lock().unwrap_or_else(PoisonError::into_inner);
                *bar = None;
                let mut bar = written.lock().unwrap_or_else(PoisonError::into_inner);
                let bar = bar.get_or_insert_with(|| quiet.bar("written"));
                bar.iter().for_each(|bar| bar.show(progress.done, progress.states));
            }
            JobReport::Begun { .. } | JobReport::Note(_) => tell(ranks, report, engine),
        }
        stop::or_go_on()
    })?;
    if let Some(JobDone { seconds, sent_bytes, evenness, .. }) = &done {
        let (time, sent) = (time(*seconds), Size { bytes: *sent_bytes });
        quiet.note(&format!(
            "note: solved in {time} on {}, which sent each other {sent} and shared the levels to {:.1}% evenly",
            counted(ranks.count(), "rank"),
            100.0 * evenness
        ));
    }
    Ok(done)
}

/// Prints how a solve begins in the first rank, and warnings of any rank.
fn tell(ranks: &dyn Ranks, report: JobReport, engine: &EngineArgs) {
    match report {
        JobReport::Begun { engine: name, reason, bytes } => {
            let (all, size) = (counted(ranks.count(), "rank"), Size { bytes });
            engine.quiet.note(&format!(
                "note: {all} with the {name} engine ({reason}); the first takes up to {size} of memory"
            ));
        }
        JobReport::Note(text) => note(&text),
        JobReport::Solved(_) | JobReport::Written(_) => {}
    }
}

/// The plan of a solve on several ranks.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RanksPlan {
    ranks: usize,
    threads: usize,
    /// How much memory each rank may take.
    memory_max: Option<u64>,
    #[serde(flatten)]
    plan: JobPlan,
}

/// The plan of a job.
pub(crate) fn plan(ranks: &dyn Ranks, job: &Job) -> Result<RanksPlan, Failure> {
    let plan = ranks.plan(job).map_err(Failure::Input)?;
    let Job { threads, memory: memory_max, .. } = *job;
    Ok(RanksPlan { ranks: ranks.count(), threads, memory_max, plan })
}

impl Report for RanksPlan {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let RanksPlan { ranks, threads, plan, .. } = self;
        let &JobPlan { states, block_states, memory, .. } = plan;
        let size = |bytes| Size { bytes };
        writeln!(out, "ranks      {ranks}, {} each", counted(*threads, "thread"))?;
        writeln!(out, "engine     {}: {}", plan.engine, plan.reason)?;
        writeln!(out, "states     {}, in blocks of {}", grouped(states), grouped(block_states))?;
        writeln!(out, "memory     {} for the first rank", size(memory))?;
        if let Some(limit) = self.memory_max.filter(|limit| memory > *limit) {
            let limit = size(limit);
            writeln!(out, "           each may take {limit}: more ranks need less each")?;
        }
        let share = 100.0 * plan.moves_away / plan.moves_of_a_state.max(f64::MIN_POSITIVE);
        writeln!(
            out,
            "exchanges  {} at most in all: {:.1} moves lead into a state, {share:.0}% of them from another rank",
            size(plan.sent_bytes_most),
            plan.moves_of_a_state
        )?;
        match (plan.checkpoint_bytes, plan.log_bytes) {
            (Some(bytes), _) => writeln!(
                out,
                "disk       about {} for the checkpoint of each rank; twice that while it saves one",
                size(bytes)
            )?,
            (None, Some(bytes)) => writeln!(
                out,
                "disk       about {} for the log of distances of each rank",
                size(bytes)
            )?,
            (None, None) => writeln!(out, "disk       nothing besides the table")?,
        }
        Ok(())
    }
}
