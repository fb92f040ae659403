//! `retrograde man`, in builds that have it: writes manual pages, made from the help, for packages of the program.

use std::path::PathBuf;
use std::{fs, iter};

use clap::{Args, Command};
use clap_mangen::Man;

use crate::term::failure::Failure;

/// Write the pages of the manual into a folder
#[derive(Args)]
pub(crate) struct ManPages {
    /// The folder; created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl ManPages {
    /// Writes a page for the program and one for each command. A command has the same page for all games.
    pub(crate) fn run(self, program: Command) -> Result<(), Failure> {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut pages = iter::once(&program).chain(commands).cloned().map(Man::new);
        let written = fs::create_dir_all(&self.folder)
            .and_then(|()| pages.try_for_each(|page| page.generate_to(&self.folder).map(drop)));
        written.map_err(|error| Failure::Input(format!("{}: {error}", self.folder.display())))
    }
}
