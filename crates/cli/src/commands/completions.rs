//! `retrograde completions`: what a shell needs to complete the program's arguments.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::commands::examples;
use crate::source::game::all_games;
use crate::term::failure::Failure;

/// Print the completions for a shell
#[derive(Args)]
#[command(after_help = examples::COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell they are for
    shell: Shell,
}

impl Completions {
    /// Prints them.
    pub(crate) fn run(self, mut program: Command, out: &mut dyn Write) -> Result<(), Failure> {
        // Made in memory first: the generator panics where it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "retrograde", &mut script);
        let games = all_games(" ");
        let script = String::from_utf8_lossy(&script);
        let script = match self.shell {
            // The generator takes a word for one of a list or for a file, and here it is either.
            Shell::Zsh => script.replace(
                &format!(":({games})'"),
                &format!(":{{_alternative \"games:game:({games})\" \"files:file:_files\"}}'"),
            ),
            // Of words that are no options it completes none at all.
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
