//! `retrograde completions`: a completion script for a shell.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::commands::examples;
use crate::source::parameters::all_games;
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
        let games = all_games(" ");
        let script = String::from_utf8_lossy(&script);
        let script = match self.shell {
            // The generator offers a list of words or files; here both are possible.
            Shell::Zsh => script.replace(
                &format!(":({games})'"),
                &format!(":{{_alternative \"games:game:({games})\" \"files:file:_files\"}}'"),
            ),
            // It completes no words except options.
            Shell::Fish => {
                let has_game = |command: &&Command| {
                    command.get_positionals().any(|word| word.get_id() == "subject")
                };
                let name = |command: &Command| {
                    let name = command.get_name();
                    format!(
                        "complete -c retrograde -n \"__fish_retrograde_using_subcommand {name}\" -a \"{games}\"\n"
                    )
                };
                let lines: String = program.get_subcommands().filter(has_game).map(name).collect();
                script.into_owned() + &lines
            }
            _ => script.into_owned(),
        };
        Ok(out.write_all(script.as_bytes())?)
    }
}
