//! Starts all processes on this machine, sends each the addresses of the others, reads their reports, and ends them
//! together.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use retrograde_catalog::Job;
use serde_json::{Value as Json, json};

use crate::say::say;

/// A report of a process.
enum News {
    Says(Json),
    Ended,
}

/// Starts them all, and waits for them.
pub(crate) fn run(job: &Job) -> Result<(), String> {
    let mut all = Children(Vec::new());
    let (sender, news) = mpsc::channel();
    for process in 0..job.processes {
        let own = Job { process: Some(process), ..job.clone() };
        all.0.push(start(process, &own.line()?, &sender)?);
    }
    crate::end_with_parent();
    let mut hosts = vec![Json::Null; job.processes];
    let (mut running, mut failures, mut until) = (job.processes, Vec::new(), None);
    // How many of the failures, from the first on, were not repeated from another process.
    let mut untold = 0;
    let mut ended_by_us = false;
    while running > 0 {
        /// How long the others may take to end once one has failed.
        const GRACE: Duration = Duration::from_secs(5);
        let until_then = |until: Instant| until.saturating_duration_since(Instant::now());
        let left = until.map_or(Duration::from_secs(3600), until_then);
        match news.recv_timeout(left) {
            Ok((process, News::Says(line))) => {
                if let Some(address) = line.get("listens") {
                    hosts[process] = address.clone();
                    say(&line);
                    if hosts.iter().all(Json::is_string) {
                        all.tell(&json!(hosts));
                    }
                } else if let Some(problem) = line["failed"].as_str() {
                    // The lines of processes come in any order. The first cause comes first.
                    let failure = (process, problem.to_owned());
                    if line["told"] == true {
                        failures.push(failure);
                    } else {
                        failures.insert(untold, failure);
                        untold += 1;
                    }
                } else {
                    say(&line);
                }
            }
            Ok((process, News::Ended)) => {
                running -= 1;
                let status = all.0[process].wait().map_err(|error| error.to_string())?;
                let told = ended_by_us || failures.iter().any(|(failed, _)| *failed == process);
                if !status.success() && !told {
                    // A process that ends silently was killed, and the others fail because of that.
                    failures.insert(0, (process, killed(status)));
                    untold += 1;
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                if until.is_some() {
                    all.kill();
                    ended_by_us = true;
                    until = Some(Instant::now() + GRACE);
                }
            }
        }
        if !failures.is_empty() && until.is_none() {
            until = Some(Instant::now() + GRACE);
        }
    }
    match failures.split_first() {
        None => Ok(()),
        Some(((process, problem), others)) => {
            for (other, problem) in others {
                say(&json!({ "note": format!("process {other}: {problem}") }));
            }
            Err(format!("process {process} {problem}"))
        }
    }
}

fn start(process: usize, job: &str, news: &Sender<(usize, News)>) -> Result<Child, String> {
    let fault = |error| format!("process {process} cannot be started: {error}");
    let mut command = Command::new(env::current_exe().map_err(fault)?);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(fault)?;
    if let Some(stdin) = &mut child.stdin {
        // If it is gone already, its exit status says so.
        let _ = writeln!(stdin, "{job}").and_then(|()| stdin.flush());
    }
    let out = child.stdout.take();
    let news = news.clone();
    let listen = move || {
        for line in out.into_iter().flat_map(|out| BufReader::new(out).lines()) {
            let Ok(line) = line else { break };
            let line = serde_json::from_str(&line).unwrap_or_default();
            let _ = news.send((process, News::Says(line)));
        }
        let _ = news.send((process, News::Ended));
    };
    thread::Builder::new().spawn(listen).map_err(fault)?;
    Ok(child)
}

fn killed(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return format!("was killed by signal {signal}");
        }
    }
    format!("ended without a word ({status})")
}

/// Processes that end when this is dropped.
struct Children(Vec<Child>);

impl Children {
    fn tell(&mut self, line: &Json) {
        for stdin in self.0.iter_mut().filter_map(|child| child.stdin.as_mut()) {
            let _ = writeln!(stdin, "{line}").and_then(|()| stdin.flush());
        }
    }

    fn kill(&mut self) {
        self.0.iter_mut().for_each(|child| drop(child.kill()));
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.kill();
        self.0.iter_mut().for_each(|child| drop(child.wait()));
    }
}
