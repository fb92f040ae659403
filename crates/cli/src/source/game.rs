//! The game and its arguments, which come from the registry of games.

use std::ffi::OsStr;
use std::fmt;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use retrograde_games::{Argument, Arguments, GAMES, GameSpec, Kind, Parameter, SetupError};

use crate::term::failure::Failure;

/// The arguments of a game besides its board.
#[derive(Clone)]
pub(crate) struct GameArgs(pub(crate) Arguments);

impl Args for GameArgs {
    fn augment_args(command: Command) -> Command {
        let option = |parameter: &'static Parameter| {
            let games: Vec<&str> = Parameter::games(parameter.name).map(|game| game.name).collect();
            let help = format!("{}: {}", games.join(", "), help(parameter));
            let option = Arg::new(parameter.name).long(parameter.name).help(help);
            let option = option.help_heading("Game");
            match parameter.kind {
                Kind::Switch => option.action(ArgAction::SetTrue),
                kind => {
                    let name = match kind {
                        Kind::Word(_) => parameter.name.to_uppercase(),
                        kind => kind.to_string(),
                    };
                    option.value_name(name).value_parser(Parsed(kind))
                }
            }
        };
        Parameter::all().into_iter().map(option).fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        GameArgs::augment_args(command)
    }
}

impl FromArgMatches for GameArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GameArgs, clap::Error> {
        let mut arguments = Arguments::default();
        for parameter in Parameter::all() {
            let given = match parameter.kind {
                Kind::Switch => matches.get_flag(parameter.name).then_some(Argument::Set),
                _ => matches.get_one::<Argument>(parameter.name).cloned(),
            };
            if let Some(argument) = given {
                let given = arguments.give(parameter, argument);
                given.map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, error))?;
            }
        }
        Ok(GameArgs(arguments))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = GameArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The meaning of a parameter, and its default.
pub(crate) fn help(parameter: &Parameter) -> String {
    let default = parameter.default.map(|default| format!(" [default: {default}]"));
    format!("{}{}", parameter.help, default.unwrap_or_default())
}

/// Reads an argument by its parameter.
#[derive(Clone)]
struct Parsed(Kind);

impl TypedValueParser for Parsed {
    type Value = Argument;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        text: &OsStr,
    ) -> Result<Argument, clap::Error> {
        let Parsed(kind) = *self;
        let parser = move |text: &str| kind.parse(text);
        TypedValueParser::parse_ref(&parser, command, option, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self.0 {
            Kind::Word(words) => Some(Box::new(words.iter().map(PossibleValue::new))),
            _ => None,
        }
    }
}

/// The arguments as given: ` --heaps 3,5,7 --take any`.
impl fmt::Display for GameArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(Parameter { name, .. }, argument)| match argument {
            Argument::Set => write!(f, " --{name}"),
            argument => write!(f, " --{name} {argument}"),
        })
    }
}

/// An error of a game, in terms of the command line.
impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Failure {
        match error {
            error @ SetupError::File { .. } => Failure::Input(error.to_string()),
            SetupError::Input(problem) => Failure::Input(problem),
            SetupError::Argument(problem) => Failure::Usage(problem),
            SetupError::Missing { game, parameters, file } => {
                let file = file.then(|| "FILE (or `-`)".to_owned());
                let options = parameters.iter().map(|parameter| format!("--{parameter}"));
                let missing = and(&file.into_iter().chain(options).collect::<Vec<_>>());
                Failure::Usage(format!("{} needs {missing}, such as {}", game.name, example(game)))
            }
            error @ SetupError::Misplaced { .. } => Failure::Usage(format!("--{error}")),
        }
    }
}

/// A command that solves a game, in backquotes.
pub(crate) fn example(game: &GameSpec) -> String {
    let line = format!("retrograde solve {} {}", game.name, game.example);
    format!("`{}`", line.trim_end())
}

/// `a`, `a and b`, or `a, b and c`.
fn and(words: &[String]) -> String {
    match words {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        words => words.concat(),
    }
}

/// The names of all games, with spaces or commas between.
pub(crate) fn all_games(between: &str) -> String {
    GAMES.iter().map(|game| game.name).collect::<Vec<_>>().join(between)
}
