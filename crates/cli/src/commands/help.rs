//! The help of commands that take a game. `solve corner --help` shows the options of corner only, and `solve --help`
//! shows those of no game.

use std::ffi::OsString;

use clap::{Arg, Command};
use retrograde_games::{GAMES, Parameter, Spec};

use crate::commands::{examples, tips};
use crate::source::parameters::help;

/// The program with the help that these words ask for. `None` if they do not ask for the help of such a command.
pub(crate) fn asked(program: fn() -> Command, words: &[OsString]) -> Option<Command> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let words = &words[..end];
    let place = tips::command_place(words);
    let given = words.get(place + 1..)?;
    given.iter().find(|word| *word == "-h" || *word == "--help")?;
    let name = words[place].to_str()?;
    let program = program();
    // Other commands have their own options.
    let of_games =
        program.find_subcommand(name)?.get_arguments().any(|arg| parameter(arg).is_some());
    let game = GAMES.iter().find(|game| given.first().is_some_and(|word| word == game.name));
    of_games.then(|| program.mut_subcommand(name, |command| of_game(command, game.copied())))
}

/// A command with the options of one game, or of none.
fn of_game(command: Command, game: Option<&'static Spec>) -> Command {
    let has = |parameter: &Parameter| game.is_some_and(|game| game.parameters.contains(parameter));
    let command = command.mut_args(|arg| match parameter(&arg) {
        Some(parameter) if has(parameter) => arg.help(help(parameter)),
        Some(_) => arg.hide(true),
        None if arg.get_id() == "file" && game.is_some_and(|game| game.file.is_none()) => {
            arg.hide(true)
        }
        None => arg,
    });
    let Some(game) = game else { return command };
    let example = format!("Example:\n{}", examples::of_game(command.get_name(), game));
    command.before_help(format!("{}: {}", game.name, game.summary)).after_help(example)
}

/// The parameter of a game that an argument of the program stands for.
fn parameter(arg: &Arg) -> Option<&'static Parameter> {
    Spec::parameters_of(GAMES.iter().copied())
        .into_iter()
        .find(|parameter| arg.get_id() == parameter.name)
}
