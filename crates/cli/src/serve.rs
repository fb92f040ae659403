//! `retrograde serve`: hands over to `retrograde-server`, a program of its own, so that whoever only solves need not compile
//! what speaks HTTP.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Args, ValueHint};

use crate::failure::Failure;

/// Answer over HTTP for all tables of a folder, and serve a page to click (`retrograde-server` does it)
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Serve {
    /// A folder of tables, and the options of `retrograde-server`: --listen, --cors, --log and more, which `retrograde serve
    /// --help` lists
    #[arg(value_name = "DIR", trailing_var_arg = true, allow_hyphen_values = true,
        value_hint = ValueHint::DirPath)]
    arguments: Vec<OsString>,
}

const SERVER: &str = "retrograde-server";

impl Serve {
    /// Becomes the server; comes back only where that cannot be.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut command = Command::new(program(SERVER));
        command.args(&self.arguments);
        let error = become_it(&mut command)?;
        let advice = match error.kind() {
            io::ErrorKind::NotFound => {
                "it is not installed; to install it: cargo install retrograde-server, or, where the sources lie, \
                 cargo install --path crates/server"
            }
            _ => "install it again: cargo install retrograde-server",
        };
        Err(Failure::Input(format!("{SERVER}: {error}; {advice}")))
    }
}

/// A program beside this one, or else whichever the system finds.
pub(crate) fn program(name: &str) -> PathBuf {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok();
    let beside = beside.as_deref().and_then(Path::parent).map(|folder| folder.join(&name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

/// Signals and the exit status are then the server's own.
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
