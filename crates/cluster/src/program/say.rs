//! The reports of a process to its parent: lines of JSON on standard output.

use std::io::{self, Write};
use std::process;
use std::sync::Mutex;
use std::time::Duration;

use retrograde_files::remove_unfinished;
use serde_json::{Value as Json, json};

/// How long the end of this process waits for a file that is being created.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// Writes a line. If the parent does not read, the work continues.
pub(crate) fn say(line: &Json) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Reports a failure once and ends the process, even if its threads still work.
pub(crate) fn fail(problem: &str) -> ! {
    fail_after(|| {}, problem)
}

/// The same, after `tell` has told other processes.
pub(crate) fn fail_after(tell: impl FnOnce(), problem: &str) -> ! {
    end(tell, &json!({ "failed": problem }))
}

/// Ends the process because of the failure of another one, after `tell` has told others of it.
pub(crate) fn fail_as_told(tell: impl FnOnce(), problem: &str) -> ! {
    end(tell, &json!({ "failed": problem, "told": true }))
}

/// The first failure is the one reported. Another process may repeat it before this process has reported it.
fn end(tell: impl FnOnce(), line: &Json) -> ! {
    static ENDING: Mutex<()> = Mutex::new(());
    let _ending = ENDING.lock();
    tell();
    // Other threads may be writing; their unfinished files are removed.
    let _unfinished = remove_unfinished(PATIENCE);
    say(line);
    process::exit(1)
}
