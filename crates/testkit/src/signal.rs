//! Signals to processes that tests have started.

use std::process::Command;

/// Sends a signal, such as `TERM`, to the process with this number. The shell has the command `kill` built in; as a program it is
/// part of a package that a small Linux lacks.
///
/// # Panics
///
/// If there is no such process or no such signal.
pub fn signal(process: u32, name: &str) {
    let mut shell = Command::new("sh");
    let sent = shell.args(["-c", "kill -s \"$0\" \"$1\"", name, &process.to_string()]).status();
    assert!(sent.expect("a shell starts").success(), "{name} is not sent");
}
