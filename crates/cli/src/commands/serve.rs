//! `retrograde serve`: starts `retrograde-server`, a separate program. So users who only solve need not compile the
//! HTTP code.

use std::ffi::OsString;
use std::io;
use std::process::Command;

use clap::{Args, ValueHint};

use crate::term::failure::Failure;
use crate::term::programs::{not_started, program};

/// Serve all tables of a folder over HTTP, with a page to click (`retrograde-server` does it)
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Serve {
    /// A folder of tables, then the options of `retrograde-server`, such as --listen, --cors and --log. `retrograde
    /// serve --help` lists them
    #[arg(value_name = "DIR", trailing_var_arg = true, allow_hyphen_values = true,
        value_hint = ValueHint::DirPath)]
    arguments: Vec<OsString>,
}

const SERVER: &str = "retrograde-server";

impl Serve {
    /// Becomes the server; returns only if that fails.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut command = Command::new(program(SERVER));
        command.args(&self.arguments);
        let error = become_it(&mut command)?;
        Err(Failure::Input(not_started(SERVER, "server", &error)))
    }
}

/// From then on the server gets the signals and sets the exit status.
#[cfg(unix)]
fn become_it(command: &mut Command) -> Result<io::Error, Failure> {
    use std::os::unix::process::CommandExt;
    Ok(command.exec())
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> Result<io::Error, Failure> {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => Ok(error),
    }
}
