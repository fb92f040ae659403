//! What a process tells the one that started it: lines of JSON on standard output.

use std::io::{self, Write};
use std::process;
use std::sync::Mutex;
use std::time::Duration;

use retrograde_table::remove_unfinished;
use serde_json::{Value as Json, json};

/// How long the end of this process waits for a file that is just being made.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// Tells a line. Who does not listen does not stop the work.
pub(crate) fn say(line: &Json) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Says why it cannot go on, once, and ends the process, whatever its threads are at.
pub(crate) fn fail(problem: &str) -> ! {
    end(&json!({ "failed": problem }))
}

/// Ends the process for what another one said.
pub(crate) fn fail_as_told(problem: &str) -> ! {
    end(&json!({ "failed": problem, "told": true }))
}

fn end(line: &Json) -> ! {
    static ENDING: Mutex<()> = Mutex::new(());
    let _ending = ENDING.lock();
    // Other threads may be writing: what they have not finished goes.
    let _unfinished = remove_unfinished(PATIENCE);
    say(line);
    process::exit(1)
}
