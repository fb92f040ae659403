//! `retrograde solve --processes` and `--hosts`: hands over to `retrograde-cluster`, a program of its own, so that whoever solves on
//! one machine need not compile a network; shows how far it is, and opens the table that it leaves.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueHint};
use retrograde::Progress;
use retrograde_table::Table;
use serde_json::{Value as Json, json};

use crate::checkpoint::{CheckpointArgs, Every};
use crate::failure::Failure;
use crate::forecast;
use crate::number::{Size, time};
use crate::options::{Memory, Quiet};
use crate::progress::note;
use crate::save::Save;
use crate::serve::program;
use crate::subject::{Opened, failure};

/// Whether to solve on several processes, and which.
#[derive(Args)]
#[command(next_help_heading = "Several processes")]
pub(crate) struct ProcessesArgs {
    /// Solve on so many processes of this machine (`retrograde-cluster` does it); the table goes to --out
    #[arg(long, value_name = "N", requires = "out", conflicts_with = "hosts",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    processes: Option<u16>,
    /// Solve on the processes that this file lists, an address and port like 10.0.0.7:2101 a line; the same command is to be
    /// given to each, with its own --process
    #[arg(long, value_name = "FILE", requires_all = ["out", "process"],
        value_hint = ValueHint::FilePath)]
    hosts: Option<PathBuf>,
    /// Which line of --hosts is this process, counted from 0
    #[arg(long, value_name = "K", requires = "hosts")]
    process: Option<u16>,
    /// How long a process may be silent, or late, before the others give up
    #[arg(long, value_name = "TIME", default_value = "30s")]
    patience: Every,
    /// How many states are dealt out at once
    #[arg(long, value_name = "N", hide = true)]
    block: Option<u32>,
}

/// What became of a solve on several processes.
pub(crate) enum Solved {
    /// This process has the table.
    Table(Box<Table>),
    /// The first process has it.
    Elsewhere,
}

const CLUSTER: &str = "retrograde-cluster";

impl ProcessesArgs {
    /// Whether several processes are asked for.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }

    /// Solves on them.
    pub(crate) fn solve(
        &self,
        opened: &Opened,
        save: &Save<'_>,
        (distances, checkpoint): (bool, &CheckpointArgs),
        (memory, quiet): (Memory, Quiet),
    ) -> Result<Solved, Failure> {
        if opened.table.is_some() {
            let advice = "a table is solved already; leave --processes and --hosts out";
            return Err(Failure::Usage(advice.to_owned()));
        }
        let hosts = self.hosts.as_deref().map(read_hosts).transpose()?;
        let processes = hosts.as_ref().map_or(self.processes.unwrap_or(1).into(), Vec::len);
        // Processes of one machine share what it has.
        let share = if hosts.is_some() { 1 } else { processes as u64 };
        let memory = memory.asked().or_else(|| memory.limit().map(|bytes| bytes / share));
        let about = opened.recipe.about();
        let mut job = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "game": about.game,
            "parameters": about.parameters,
            "board": about.board,
            "processes": processes,
            "process": self.process,
            "hosts": hosts,
            "patience_ms": self.patience.milliseconds(),
            "block": self.block,
            "distances": distances,
            "memory": memory,
        });
        save.order(&mut job);
        checkpoint.order(&mut job);
        run(opened, &job, quiet)?;
        if self.process.unwrap_or(0) != 0 {
            return Ok(Solved::Elsewhere);
        }
        Ok(Solved::Table(Box::new(Table::open(save.path()).map_err(failure)?)))
    }
}

/// The addresses that a file lists. Blank lines and what follows a `#` are passed over.
fn read_hosts(path: &Path) -> Result<Vec<String>, Failure> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| {
        Failure::Input(format!("{name}: {error}; list an address and port a line"))
    })?;
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
            Some(_) if hosts.iter().any(|other| other == host) => "this address is there twice",
            Some(_) => {
                hosts.push(host.to_owned());
                continue;
            }
        };
        return Err(Failure::Input(format!("{name}: line {number}: `{host}`: {problem}")));
    }
    match hosts.len() {
        1..=1024 => Ok(hosts),
        count => Err(Failure::Input(format!("{name}: it lists {count} addresses; list 1 to 1024"))),
    }
}

/// Lets the program do its job, and tells how far it is.
fn run(opened: &Opened, job: &Json, quiet: Quiet) -> Result<(), Failure> {
    let mut child = Command::new(program(CLUSTER))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| missing(&error))?;
    // It reads on until its input ends, by which it knows that we are there.
    let mut stdin = child.stdin.take();
    if let Some(stdin) = &mut stdin {
        // Where it is gone already, what it says or its end tells why.
        let _ = writeln!(stdin, "{job}").and_then(|()| stdin.flush());
    }
    let open = forecast::not_void(&*opened.game);
    let (mut settled, mut written) = (quiet.bar("settled"), None);
    let mut failed = None;
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let Ok(line) = line.map(|line| serde_json::from_str::<Json>(&line).unwrap_or_default())
        else {
            break;
        };
        let number = |key: &str| line[key].as_u64();
        if let (Some(level), Some(count)) = (number("level"), number("settled"))
            && let Some(bar) = &settled
        {
            let states = opened.game.states();
            bar.show_level(&Progress { level: level as u32, settled: count, states }, open);
        } else if let (Some(done), Some(of)) = (number("written"), number("of")) {
            settled = None;
            written = written.or_else(|| quiet.bar("written"));
            written.iter().for_each(|bar| bar.show(done, of));
        } else if let Some(bytes) = number("memory") {
            let size = Size { bytes };
            quiet.note(&format!(
                "note: each of {} processes takes {size} of memory",
                job["processes"]
            ));
        } else if let Some(text) = line["note"].as_str() {
            note(text);
        } else if let Some(problem) = line["failed"].as_str() {
            failed = Some(problem.to_owned());
        } else if line["done"].is_object() {
            let done = &line["done"];
            let seconds = done["seconds"].as_f64().unwrap_or(0.0);
            let sent = Size { bytes: done["sent_bytes"].as_u64().unwrap_or(0) };
            let even = 100.0 * done["evenness"].as_f64().unwrap_or(1.0);
            quiet.note(&format!(
                "note: solved in {} on {} processes, which sent each other {sent} and shared the levels to {even:.1}% evenly",
                time(seconds),
                job["processes"],
            ));
        }
    }
    drop((settled, written));
    let status = child.wait().map_err(|error| missing(&error))?;
    drop(stdin);
    match (failed, status.success()) {
        (None, true) => Ok(()),
        (Some(problem), _) => Err(Failure::Input(problem + &advice(job))),
        (None, false) => {
            Err(Failure::Input(format!("{CLUSTER} ended with {status}{}", advice(job))))
        }
    }
}

/// What to do once it has failed.
fn advice(job: &Json) -> String {
    match job["checkpoint"].as_str() {
        Some(folder) => format!("; the same command goes on from what is kept in {folder}"),
        None => String::new(),
    }
}

fn missing(error: &io::Error) -> Failure {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => {
            "it is not installed; to install it: cargo install retrograde-cluster, or, where the sources lie, \
             cargo install --path crates/cluster"
        }
        _ => "install it again: cargo install retrograde-cluster",
    };
    Failure::Input(format!("{CLUSTER}: {error}; {advice}"))
}
