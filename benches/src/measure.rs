//! Runs a whole process and measures it from outside: its time, and its peak memory.
//!
//! The system reports one peak for all children of a process. So each run gets its own parent: this program
//! again, which runs the command and reports.

use crate::textbook::Answer;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// The first argument of that parent.
const PARENT: &str = "--measured";

/// The measurements of a process.
#[derive(Clone, Debug)]
pub struct Run {
    /// From its start to its end.
    pub seconds: f64,
    /// Of all its threads.
    pub processor_seconds: f64,
    /// Its peak memory.
    pub peak_bytes: u64,
    /// Its output.
    pub output: String,
}

/// Runs a command and measures it. The calling program must begin with [`as_parent`].
pub fn run(command: &[String]) -> Result<Run, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let child = Command::new(program).arg(PARENT).args(command).output();
    let child = child.map_err(|error| error.to_string())?;
    let errors = String::from_utf8_lossy(&child.stderr);
    let report = errors.lines().last().unwrap_or_default();
    let numbers: Vec<f64> = report.split(' ').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [seconds, processor_seconds, peak] if child.status.success() => {
            let output = String::from_utf8_lossy(&child.stdout).into_owned();
            Ok(Run { seconds, processor_seconds, peak_bytes: peak as u64, output })
        }
        _ => Err(format!("{}: {}", command.join(" "), errors.trim())),
    }
}

/// Acts as the parent of a run, if the program was started as one. Otherwise returns its arguments.
pub fn as_parent() -> Result<Vec<String>, ExitCode> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_none_or(|first| first != PARENT) {
        return Ok(arguments);
    }
    let command = arguments.split_off(1);
    let start = Instant::now();
    let status = Command::new(&command[0]).args(&command[1..]).stdin(Stdio::null()).status();
    let seconds = start.elapsed().as_secs_f64();
    match status {
        Ok(status) if status.success() => {
            eprintln!("\n{seconds} {} {}", processor_seconds_of_children(), peak_of_children());
            Err(ExitCode::SUCCESS)
        }
        Ok(_) => Err(ExitCode::FAILURE),
        Err(error) => {
            eprintln!("{error}");
            Err(ExitCode::FAILURE)
        }
    }
}

/// The peak memory in bytes of any child of this process. 0 where the system does not tell.
fn peak_of_children() -> i64 {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        // Linux counts in KiB, macOS in bytes.
        let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
        getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss() * unit)
    }
    #[cfg(not(unix))]
    0
}

/// The processor seconds of this process, over all its threads. 0 where the system does not tell.
pub fn processor_seconds() -> f64 {
    #[cfg(unix)]
    return seconds_of(nix::sys::resource::UsageWho::RUSAGE_SELF);
    #[cfg(not(unix))]
    0.0
}

fn processor_seconds_of_children() -> f64 {
    #[cfg(unix)]
    return seconds_of(nix::sys::resource::UsageWho::RUSAGE_CHILDREN);
    #[cfg(not(unix))]
    0.0
}

#[cfg(unix)]
fn seconds_of(who: nix::sys::resource::UsageWho) -> f64 {
    nix::sys::resource::getrusage(who).map_or(0.0, |usage| {
        let times = [usage.user_time(), usage.system_time()];
        times.map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6).iter().sum()
    })
}

/// How many instructions a command executes, counted by valgrind. The number does not depend on the load of
/// the machine.
pub fn instructions(command: &[String]) -> Result<u64, String> {
    let counted = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(command)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let errors = String::from_utf8_lossy(&counted.stderr);
    let collected = errors.lines().find_map(|line| line.split_once("Collected :"));
    collected
        .and_then(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| format!("valgrind says nothing of instructions: {}", errors.trim()))
}

/// The answer in the output of a program: the line of the textbook program, or the object of `solve --json`.
pub fn answer(output: &str) -> Option<Answer> {
    if let Ok(object) = serde_json::from_str::<serde_json::Value>(output) {
        let number = |key: &str| object[key].as_u64();
        return Some(Answer { win: number("win")?, loss: number("loss")?, draw: number("draw")? });
    }
    output.lines().find_map(|line| {
        let mut words = line.split([' ', ',']).filter_map(|word| word.parse().ok());
        let answer = Answer { win: words.next()?, loss: words.next()?, draw: words.next()? };
        (answer.to_string() == line).then_some(answer)
    })
}
