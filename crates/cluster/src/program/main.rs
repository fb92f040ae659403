//! The program `retrograde-cluster`: one process of a solve on several, or the process that starts them all
//! on this machine.
//!
//! `retrograde solve --processes` and `--hosts` start it. It reads its job from standard input, a line of
//! JSON ([`job`]). It reports progress on standard output, one line of JSON each ([`say`]), and writes a
//! table.
#![forbid(unsafe_code)]

mod game;
mod gather;
mod heartbeat;
mod job;
mod keep;
mod meet;
mod plan;
mod region;
mod say;
mod share;
mod solve;
mod start;
mod tile_values;
mod wire;
mod write;

use std::io::{self, BufRead};
use std::process::ExitCode;
use std::thread;

use retrograde_catalog::End;

use crate::job::Job;

fn main() -> ExitCode {
    end_on_signals();
    let mut line = String::new();
    let job = match io::stdin().lock().read_line(&mut line) {
        Ok(1..) => Job::read(&line),
        _ => {
            Err("`retrograde solve --processes N` starts this program; do not start it yourself"
                .into())
        }
    };
    let done = job.and_then(|job| match (&job.told.end, job.told.process) {
        (End::Clear, _) => keep::clear(&job),
        (End::Plan, _) => plan::run(&job),
        (End::Write(out), Some(process)) => solve::run(&job, process, out),
        (End::Write(_), None) => start::run(&job.told),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => say::fail(&problem),
    }
}

/// Ends this process once its parent is gone, and with it the standard input.
fn end_with_parent() {
    let watch = || {
        let mut lines = io::stdin().lock().lines();
        while let Some(Ok(_)) = lines.next() {}
        say::fail("the program that started this process is gone");
    };
    drop(thread::Builder::new().spawn(watch));
}

/// From now on a signal ends this process at once and removes its temporary files and locks. Checkpoints hold
/// all that matters. If no thread can be started for this, the process ends all the same, and the next writer
/// removes the files.
#[cfg(unix)]
fn end_on_signals() {
    use retrograde_catalog::is_signal_ignored;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let listen = || {
        let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&it| !is_signal_ignored(it));
        if let Ok(mut signals) = Signals::new(signals)
            && let Some(signal) = signals.forever().next()
        {
            let _unfinished = retrograde_files::remove_unfinished(say::PATIENCE);
            // It does not return from a signal that ends programs.
            let _ = emulate_default_handler(signal);
        }
    };
    drop(thread::Builder::new().spawn(listen));
}

#[cfg(not(unix))]
fn end_on_signals() {}
