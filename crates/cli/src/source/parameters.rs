//! Games and families as commands: `solve take`, `build chess`. They come from the registry, and this is the only place where it
//! meets clap.

use std::ffi::{OsStr, OsString};
use std::fmt;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command};
use retrograde_catalog::spec_named;
use retrograde_games::{Argument, Arguments, GAMES, Kind, Parameter, SetupError, Spec};

use crate::term::failure::Failure;

/// Arguments of a game or a family, besides files and regions.
#[derive(Clone)]
pub(crate) struct Given(pub(crate) Arguments);

/// Adds a command for each game or family. `own` adds what its parameters do not say.
pub(crate) fn with_games(
    command: Command,
    specs: impl Iterator<Item = &'static Spec>,
    own: fn(Command, &'static Spec) -> Command,
) -> Command {
    let above = command.get_name().to_owned();
    let of = |spec: &'static Spec| {
        let below = Command::new(spec.name).about(spec.summary);
        let below = below.after_help(format!("Example:\n{}", example(&above, spec)));
        own(below, spec).args(spec.parameters.iter().map(option))
    };
    let games: Vec<Command> = specs.map(of).collect();
    command.subcommands(games).disable_help_subcommand(true).subcommand_help_heading("Games")
}

/// The words with the name of a game right behind its command, so that options may stand before it: `solve --json take`.
pub(crate) fn name_first(program: &Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let Some(place) = next_name(program, &words, 1) else { return words };
    let command = words[place].to_str().and_then(|name| program.find_subcommand(name));
    if let Some(command) = command
        && let Some(name) = next_name(command, &words, place + 1)
        && words[name].to_str().is_some_and(|name| spec_named(name).is_some())
    {
        words[place + 1..=name].rotate_right(1);
    }
    words
}

/// The place of the first word from here on that is neither an option of the command nor the value of one.
fn next_name(command: &Command, words: &[OsString], from: usize) -> Option<usize> {
    let takes_next = |option: &str| {
        let is_meant = |arg: &&Arg| match option.strip_prefix('-') {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short().is_some_and(|short| option.ends_with(short)),
        };
        command.get_arguments().any(|arg| is_meant(&arg) && arg.get_action().takes_values())
    };
    let mut place = from;
    loop {
        match words.get(place)?.to_str().and_then(|word| word.strip_prefix('-')) {
            Some("" | "-") | None => return Some(place),
            Some(option) => place += 1 + usize::from(takes_next(option)),
        }
    }
}

/// An option of a command, which a game below it takes as well. A negative number is a wrong value, and not an unknown option.
pub(crate) fn shared(arg: Arg) -> Arg {
    let takes_values = arg.get_action().takes_values();
    let arg = if takes_values { arg.allow_negative_numbers(true) } else { arg };
    if arg.is_positional() { arg } else { arg.global(true) }
}

/// A command with a game, below the summary of the game.
pub(crate) fn example(command: &str, spec: &Spec) -> String {
    let folder = if spec.regions.is_some() { " --out DIR" } else { "" };
    let line = format!("retrograde {command} {} {}", spec.name, spec.example);
    format!("  # {}\n  {}{folder}\n", spec.summary, line.trim_end())
}

/// The option of a parameter.
fn option(parameter: &'static Parameter) -> Arg {
    let option = Arg::new(parameter.name).long(parameter.name).help(help(parameter));
    let option = option.help_heading("Game");
    let name = match parameter.kind {
        Kind::Switch => return option.action(ArgAction::SetTrue),
        Kind::Word(_) => parameter.name.to_uppercase(),
        kind => kind.to_string(),
    };
    // So are lists of negative numbers.
    option.value_name(name).value_parser(Parsed(parameter.kind)).allow_hyphen_values(true)
}

impl Given {
    /// The arguments of the command of a game.
    pub(crate) fn of(spec: &'static Spec, matches: &ArgMatches) -> Given {
        let given = spec.parameters.iter().filter_map(|parameter| {
            let argument = match parameter.kind {
                Kind::Switch => matches.get_flag(parameter.name).then_some(Argument::Set),
                _ => matches.get_one::<Argument>(parameter.name).cloned(),
            };
            Some((parameter, argument?))
        });
        Given(given.collect())
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
impl fmt::Display for Given {
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
                Failure::Usage(format!(
                    "{} needs {missing}, such as `{}`",
                    game.name,
                    game.command()
                ))
            }
            error @ SetupError::Misplaced { .. } => Failure::Usage(format!("--{error}")),
        }
    }
}

/// `a`, `a and b`, or `a, b and c`.
fn and(words: &[String]) -> String {
    match words {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        words => words.concat(),
    }
}

/// The names of all games.
pub(crate) fn all_games() -> String {
    GAMES.iter().map(|game| game.name).collect::<Vec<_>>().join(", ")
}
