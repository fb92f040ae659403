//! Runs a job in the program `retrograde-cluster`. The program reads the job from standard input, as a line of JSON,
//! and reports its progress, one report per line.

use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use retrograde_catalog::Job;
use serde::Deserialize;
use serde_json::Value as Json;

use super::plan::ClusterPlan;
use crate::term::programs::{not_started, program};
use crate::term::progress::note;

const CLUSTER: &str = "retrograde-cluster";

/// A report of the program.
pub(crate) enum Said {
    /// The number of settled states.
    Level { level: u32, settled: u64 },
    /// The number of written values.
    Written { done: u64, of: u64 },
    /// The memory of each process.
    Memory { bytes: u64 },
    /// The plan of the solve.
    Plan(ClusterPlan),
    /// It has solved and written. `kept` is the path of the table, if another file has taken its name.
    Done { seconds: f64, sent_bytes: u64, evenness: f64, kept: Option<PathBuf> },
}

impl Said {
    fn read(line: &Json) -> Option<Said> {
        let number = |line: &Json, key: &str| line[key].as_u64();
        if let (Some(level), Some(settled)) = (number(line, "level"), number(line, "settled")) {
            return Some(Said::Level { level: level as u32, settled });
        }
        if let (Some(done), Some(of)) = (number(line, "written"), number(line, "of")) {
            return Some(Said::Written { done, of });
        }
        if let Some(bytes) = number(line, "memory") {
            return Some(Said::Memory { bytes });
        }
        if let Some(plan) = line.get("plan") {
            return ClusterPlan::deserialize(plan).ok().map(Said::Plan);
        }
        let done = line.get("done").filter(|done| done.is_object())?;
        Some(Said::Done {
            seconds: done["seconds"].as_f64().unwrap_or(0.0),
            sent_bytes: number(done, "sent_bytes").unwrap_or(0),
            evenness: done["evenness"].as_f64().unwrap_or(1.0),
            kept: done["kept"].as_str().map(PathBuf::from),
        })
    }
}

/// Runs a job, and passes on its reports; `Break` stops it. The error says why it failed.
pub(crate) fn run(
    job: &Job,
    mut hear: impl FnMut(Said) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, String> {
    let line = job.line()?;
    let mut child = Command::new(program(CLUSTER))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| not_started(CLUSTER, "cluster", &error))?;
    // It reads until its input ends, which tells it that this process is gone.
    let mut stdin = child.stdin.take();
    if let Some(stdin) = &mut stdin {
        // If it is gone already, its last report or exit status says why.
        let _ = writeln!(stdin, "{line}").and_then(|()| stdin.flush());
    }
    let (mut failed, mut heard) = (None, ControlFlow::Continue(()));
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let Ok(line) = line.map(|line| serde_json::from_str::<Json>(&line).unwrap_or_default())
        else {
            break;
        };
        if heard.is_break() {
            // The exit status after a requested stop.
        } else if let Some(said) = Said::read(&line) {
            heard = hear(said);
            if heard.is_break() {
                stdin = None;
            }
        } else if let Some(text) = line["note"].as_str() {
            note(text);
        } else if let Some(problem) = line["failed"].as_str() {
            failed = Some(problem.to_owned());
        }
    }
    let status = child.wait().map_err(|error| not_started(CLUSTER, "cluster", &error))?;
    drop(stdin);
    match (failed, status.success()) {
        _ if heard.is_break() => Ok(heard),
        (None, true) => Ok(heard),
        (Some(problem), _) => Err(problem),
        (None, false) => Err(format!("{CLUSTER} ended with {status}")),
    }
}
