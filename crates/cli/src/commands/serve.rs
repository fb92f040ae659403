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
        Err(Failure::Input(not_started(SERVER, "server", &error)))
    }
}

/// Why a program could not be started, whose sources lie in a folder of `crates`, and what helps.
pub(crate) fn not_started(name: &str, folder: &str, error: &io::Error) -> String {
    use io::ErrorKind::{NotFound, PermissionDenied};
    /// What is there is no program; many files open, in this process and in all.
    const ENOEXEC: i32 = 8;
    const TOO_MANY: [i32; 2] = [24, 23];
    match (error.kind(), error.raw_os_error()) {
        (NotFound, _) => format!(
            "{name}: {error}; it is not installed; to install it, where the sources lie: cargo install --path crates/{folder}"
        ),
        (PermissionDenied, _) | (_, Some(ENOEXEC)) => {
            format!(
                "{name}: {error}; install it again, where the sources lie: cargo install --path crates/{folder}"
            )
        }
        (_, Some(number)) if TOO_MANY.contains(&number) => {
            format!("{name} cannot be started: {error}; raise the limit, see ulimit -n")
        }
        _ => format!("{name} cannot be started: {error}"),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// "Too many open files" used to advise to install the program again.
    #[test]
    fn advice_fits_the_reason() {
        for (number, advice) in [
            (2, "to install it, where the sources lie: cargo install --path crates/x"),
            (13, "install it again"),
            (24, "raise the limit"),
            (12, "it cannot be started: "),
        ] {
            let said = not_started("it", "x", &io::Error::from_raw_os_error(number));
            assert!(said.contains(advice), "{said}");
            assert_eq!(said.contains("install"), number == 2 || number == 13, "{said}");
        }
    }
}
