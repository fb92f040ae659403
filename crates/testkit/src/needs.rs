//! What some tests need of the machine: a program, or a right. Without it they check nothing, and say so loudly.
//!
//! ```no_run
//! # use retrograde_testkit::needs;
//! if !needs::program("tmux") {
//!     return;
//! }
//! ```
//!
//! A test returns early only so; `tests/rules/skips.rs` finds others.

use std::env;
use std::io::{self, Write};
use std::thread;

/// Whether the test can run a program.
#[must_use]
pub fn program(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).any(|folder| folder.join(name).is_file());
    met(&format!("the program `{name}`, which is not installed"), found)
}

/// Whether the test can run: if what it needs is there. Otherwise this writes the need to standard error, past the test
/// harness, which hides the output of tests that pass. In CI, where the variable `CI` is set, the test fails.
#[must_use]
pub fn met(need: &str, is_met: bool) -> bool {
    if !is_met {
        let test = thread::current().name().unwrap_or("a test").to_owned();
        let text = format!("{test} is left out: it needs {need}");
        let in_ci = env::var_os("CI").is_some_and(|value| !value.is_empty());
        assert!(!in_ci, "{text}; CI leaves no test out");
        let _ = writeln!(io::stderr(), "\nLEFT OUT: {text}");
    }
    is_met
}
