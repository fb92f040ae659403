//! `retrograde man`, in builds that have it: writes manual pages, made from the help, for packages of the program.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Command};

use crate::term::failure::Failure;

/// Write the pages of the manual into a folder
#[derive(Args)]
pub(crate) struct ManPages {
    /// The folder; created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl ManPages {
    /// Writes a page for the program and one for each command.
    pub(crate) fn run(self, program: Command) -> Result<(), Failure> {
        let program = program.disable_help_subcommand(true);
        let written = fs::create_dir_all(&self.folder)
            .and_then(|()| clap_mangen::generate_to(program, &self.folder));
        written.map_err(|error| Failure::Input(format!("{}: {error}", self.folder.display())))
    }
}
