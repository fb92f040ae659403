//! `--processes` and `--hosts`: starts `retrograde-cluster`, a separate program, so that users with one machine need
//! not compile a network. Shows its progress, and opens the table that it writes.

mod plan;
mod run;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use retrograde::Progress;
use retrograde_catalog::{Checkpoints, End, Engine, Job, Task};
use retrograde_files::path_problem;
use retrograde_games::whole_number;
use retrograde_table::Table;

use crate::source::checkpoint::{CheckpointArgs, Every};
use crate::source::engine::EngineArgs;
use crate::source::forecast;
use crate::source::opened::Opened;
use crate::source::options::{Memory, Threads};
use crate::source::save::{Save, Saved};
use crate::term::failure::{Failure, input};
use crate::term::number::{Size, counted, time};
use crate::term::quiet::Quiet;
use crate::term::stop;

use self::plan::ClusterPlan;
pub(crate) use self::run::{Said, run};

/// Whether to solve on several processes, and on which.
#[derive(Args)]
#[command(next_help_heading = "Several processes")]
pub(crate) struct ProcessesArgs {
    /// Solve on this number of processes of this machine, with `retrograde-cluster`. Each has -j threads
    #[arg(long, value_name = "N", conflicts_with = "hosts",
        value_parser = |text: &str| whole_number::<u16>(text, 1..=1024))]
    processes: Option<u16>,
    /// Solve on the processes in this file, one address and port a line, like 10.0.0.7:2101. Give each
    /// process the same command with its own --process
    #[arg(long, value_name = "FILE", requires = "process", value_hint = ValueHint::FilePath)]
    hosts: Option<PathBuf>,
    /// Which line of --hosts is this process, counted from 0
    #[arg(long, value_name = "K", requires = "hosts",
        value_parser = |text: &str| whole_number::<u16>(text, 0..=u16::MAX.into()))]
    process: Option<u16>,
    /// How long a process may be silent, or late, before the others give up
    #[arg(long, value_name = "TIME", default_value = "30s")]
    timeout: Every,
    /// The length of blocks of states, for the scalar engine
    #[arg(long, value_name = "N", hide = true)]
    block: Option<u32>,
}

/// How to solve: whether to keep distances, where checkpoints go, and in which folder the logs of distances are.
type How<'a> = (bool, &'a CheckpointArgs, Option<&'a Path>);

/// The result of a solve on several processes.
pub(crate) enum Solved {
    /// This process has written the table.
    Table(Box<Table>, Saved),
    /// The first process has written it.
    Elsewhere,
}

impl ProcessesArgs {
    /// Whether several processes are asked for.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }

    /// Whether this process waits for another one to write the tables.
    pub(crate) fn is_follower(&self) -> bool {
        self.process.is_some_and(|process| process > 0)
    }

    /// A job with these options.
    pub(crate) fn job(
        &self,
        task: Task,
        end: End,
        (memory, threads): (Memory, Threads),
    ) -> Result<Job, Failure> {
        let hosts = self.hosts.as_deref().map(read_hosts).transpose()?;
        let processes = hosts.as_ref().map_or(self.processes.unwrap_or(1).into(), Vec::len);
        // Processes on one machine share its memory.
        let share = if hosts.is_some() { 1 } else { processes as u64 };
        Ok(Job {
            process: self.process.map(usize::from),
            threads: threads.of_process(hosts.is_none().then_some(processes)),
            hosts,
            timeout_ms: self.timeout.milliseconds(),
            block: self.block.map(u64::from),
            memory: memory.asked().or_else(|| memory.limit().map(|bytes| bytes / share)),
            ..Job::new(task, processes, end)
        })
    }

    fn job_of(
        &self,
        opened: &Opened,
        end: End,
        (distances, checkpoint, disk): How<'_>,
        engine: &EngineArgs,
    ) -> Result<Job, Failure> {
        let job = self.job(opened.about().into(), end, (engine.memory, engine.threads))?;
        // Only the scalar engine has blocks.
        let bit_parallel = match self.block {
            Some(_) => engine.wants_bit_parallel(),
            None => engine.engine(&*opened.game)? == Engine::BitParallel,
        };
        if disk.is_some() && !bit_parallel {
            let game = opened.game.name();
            let advice = format!("several processes keep {game} in memory: leave --disk out");
            return Err(Failure::Usage(advice));
        }
        let (checkpoint, disk) = (checkpoint.checkpoints(), disk.map(Path::to_owned));
        Ok(Job { distances, bit_parallel, checkpoint, disk, ..job })
    }

    /// Removes the checkpoint of a solve that was killed after it wrote its table.
    pub(crate) fn clear(
        &self,
        opened: &Opened,
        distances: bool,
        checkpoint: &CheckpointArgs,
        engine: &EngineArgs,
    ) -> Result<(), Failure> {
        let job = self.job_of(opened, End::Clear, (distances, checkpoint, None), engine)?;
        run(&job, |_| stop::or_go_on()).map(drop).map_err(Failure::Input)
    }

    /// The plan of a solve of a game.
    pub(crate) fn plan(
        &self,
        opened: &Opened,
        how: How<'_>,
        engine: &EngineArgs,
    ) -> Result<ClusterPlan, Failure> {
        let job = self.job_of(opened, End::Plan, how, engine)?;
        let mut plan = None;
        let hear = |said| {
            if let Said::Plan(said) = said {
                plan = Some(said);
            }
            stop::or_go_on()
        };
        let _ = run(&job, hear).map_err(Failure::Input)?;
        let plan = plan.ok_or_else(|| "the processes have told no plan".to_owned());
        plan.map(|plan| plan.limited(job.memory)).map_err(Failure::Input)
    }

    /// Solves a game on several processes.
    pub(crate) fn solve(
        &self,
        opened: &Opened,
        save: &Save,
        how: How<'_>,
        engine: &EngineArgs,
    ) -> Result<Solved, Failure> {
        let job = self.job_of(opened, End::Write(save.output()), how, engine)?;
        if let Some(Checkpoints { folder, .. }) = &job.checkpoint {
            let folder = folder.display();
            stop::left(format!(
                "stopped; the same command continues from the checkpoint in {folder}"
            ));
        }
        let kept = watch(opened, &job, engine.quiet);
        let kept = kept.map_err(|problem| Failure::Input(problem + &advice(&job)))?;
        if self.is_follower() {
            return Ok(Solved::Elsewhere);
        }
        let path = save.path().to_owned();
        let kept = kept.unwrap_or_else(|| path.clone());
        let table = Table::open(&kept).map_err(input)?;
        let saved = Saved::at(path, kept, table.states())?;
        Ok(Solved::Table(Box::new(table), saved))
    }
}

/// The addresses that a file lists. It skips blank lines and comments after a `#`.
fn read_hosts(path: &Path) -> Result<Vec<String>, Failure> {
    let name = path.display();
    /// Longer than any valid list of addresses.
    const BYTES_MAX: u64 = 1 << 20;
    let mut text = String::new();
    let read = fs::File::open(path)
        .and_then(|file| file.take(BYTES_MAX + 1).read_to_string(&mut text))
        .and_then(|bytes| match bytes as u64 > BYTES_MAX {
            true => Err(io::Error::other("it is too long")),
            false => Ok(()),
        });
    read.map_err(|error| {
        let problem = path_problem(path, &error);
        Failure::Input(format!("{name}: {problem}; list an address and port a line"))
    })?;
    // Some editors put a byte order mark first.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut hosts: Vec<String> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let host = line.split('#').next().unwrap_or_default().trim();
        if host.is_empty() {
            continue;
        }
        let port = host.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        let problem = match port {
            _ if host.contains(char::is_whitespace) => "one address a line",
            None => "an address needs a port, like 10.0.0.7:2101",
            Some(0) => {
                "port 0 stands for any free port, which the others cannot know; name one, like 2101"
            }
            Some(_) if hosts.iter().any(|other| other == host) => "this address occurs twice",
            Some(_) => {
                hosts.push(host.to_owned());
                continue;
            }
        };
        return Err(Failure::Input(format!("{name}: line {number}: `{host}`: {problem}")));
    }
    match hosts.len() {
        1..=1024 => Ok(hosts),
        count => Err(Failure::Input(format!(
            "{name}: it lists {}; list 1 to 1024",
            counted(count, "address")
        ))),
    }
}

/// Runs a job, and shows its progress. Returns the path of the table, if another file has taken its name.
fn watch(opened: &Opened, job: &Job, quiet: Quiet) -> Result<Option<PathBuf>, String> {
    let (processes, states) = (job.processes, opened.game.states());
    let open = forecast::not_invalid(&*opened.game);
    let (mut settled, mut written) = (quiet.bar("settled"), None);
    let mut beside = None;
    let _ = run(job, |said| {
        match said {
            Said::Level { level, settled: count } => {
                let progress = Progress { level: Some(level), done: count, states };
                settled.iter().for_each(|bar| bar.show_level(&progress, open));
            }
            Said::Written { done, of } => {
                settled = None;
                written = written.take().or_else(|| quiet.bar("written"));
                written.iter().for_each(|bar| bar.show(done, of));
            }
            Said::Memory { bytes } => {
                let size = Size { bytes };
                quiet.note(&format!("note: each of {processes} processes takes {size} of memory"));
            }
            Said::Plan(_) => {}
            Said::Done { seconds, sent_bytes, evenness, kept } => {
                beside = kept;
                let (time, sent) = (time(seconds), Size { bytes: sent_bytes });
                let even = 100.0 * evenness;
                quiet.note(&format!(
                    "note: solved in {time} on {}, which sent each other {sent} and shared the levels to \
                     {even:.1}% evenly",
                    counted(processes, "process")
                ));
            }
        }
        stop::or_go_on()
    })?;
    Ok(beside)
}

/// The advice after a failure.
fn advice(job: &Job) -> String {
    match &job.checkpoint {
        Some(Checkpoints { folder, .. }) => {
            format!("; the same command continues from the checkpoint in {}", folder.display())
        }
        None => String::new(),
    }
}
