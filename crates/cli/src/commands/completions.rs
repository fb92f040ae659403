//! `retrograde completions`: a completion script for a shell.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::commands::examples;
use crate::term::failure::Failure;

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = examples::COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub(crate) fn run(self, mut program: Command, out: &mut dyn Write) -> Result<(), Failure> {
        // Writes to memory first, because the generator panics on a write error.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "retrograde", &mut script);
        Ok(out.write_all(&script)?)
    }
}
