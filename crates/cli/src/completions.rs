//! `retrograde completions`: what a shell needs to complete the program's arguments.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::failure::Failure;

/// Print the completions for a shell
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell they are for
    shell: Shell,
}

impl Completions {
    /// Prints them.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        // Made in memory first: the generator panics where it cannot write.
        let mut script = Vec::new();
        let mut program = crate::Program::command();
        clap_complete::generate(self.shell, &mut program, "retrograde", &mut script);
        Ok(out.write_all(&script)?)
    }
}
