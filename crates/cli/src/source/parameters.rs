//! The arguments of games and families, which come from the registry. This is the only place where they meet clap.

use std::ffi::OsStr;
use std::fmt;
use std::marker::PhantomData;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use retrograde_catalog::FAMILIES;
use retrograde_games::{Argument, Arguments, GAMES, Kind, Parameter, SetupError, Spec};

use crate::term::failure::Failure;

/// Arguments of the games or families of a list, besides files and regions.
#[derive(Clone)]
pub(crate) struct ArgumentsOf<R> {
    pub(crate) given: Arguments,
    list: PhantomData<R>,
}

/// A list of games or families.
pub(crate) trait Listed {
    /// Their descriptions.
    fn specs() -> impl Iterator<Item = &'static Spec>;
}

/// The games that are solved at once.
#[derive(Clone)]
pub(crate) struct Games;

impl Listed for Games {
    fn specs() -> impl Iterator<Item = &'static Spec> {
        GAMES.iter().copied()
    }
}

/// The families of regions.
#[derive(Clone)]
pub(crate) struct Families;

impl Listed for Families {
    fn specs() -> impl Iterator<Item = &'static Spec> {
        FAMILIES.iter().map(|family| family.spec)
    }
}

impl<R: Listed> ArgumentsOf<R> {
    /// Refuses an argument that only others of the list take.
    pub(crate) fn suit(&self, spec: &'static Spec) -> Result<(), Failure> {
        let Some(Parameter { name, .. }) = spec.misplaced(&self.given) else { return Ok(()) };
        Err(SetupError::misplaced(name, spec, R::specs()).into())
    }
}

impl<R: Listed> Args for ArgumentsOf<R> {
    fn augment_args(command: Command) -> Command {
        let option = |parameter: &'static Parameter| {
            let names = R::specs().filter(|spec| spec.has(parameter.name)).map(|spec| spec.name);
            let help = format!("{}: {}", names.collect::<Vec<_>>().join(", "), help(parameter));
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
        Spec::parameters_of(R::specs()).into_iter().map(option).fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<R: Listed> FromArgMatches for ArgumentsOf<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut arguments = Arguments::default();
        for parameter in Spec::parameters_of(R::specs()) {
            let given = match parameter.kind {
                Kind::Switch => matches.get_flag(parameter.name).then_some(Argument::Set),
                _ => matches.get_one::<Argument>(parameter.name).cloned(),
            };
            if let Some(argument) = given {
                let given = arguments.give(parameter, argument);
                given.map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, error))?;
            }
        }
        Ok(ArgumentsOf { given: arguments, list: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
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
impl<R> fmt::Display for ArgumentsOf<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.given.iter().try_for_each(|(Parameter { name, .. }, argument)| match argument {
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

/// The names of all games, with spaces or commas between.
pub(crate) fn all_games(between: &str) -> String {
    GAMES.iter().map(|game| game.name).collect::<Vec<_>>().join(between)
}
