//! A game with everything that it needs: name, arguments, file.

use std::fmt;

use retrograde::Predecessors;

use crate::registry::{GAMES, build};
use crate::{GameSpec, Parameter, ReadError, Solvable, TEXT};

/// A game by name, its arguments, and the text of its file.
///
/// ```
/// use retrograde_games::{Setup, SetupError, Solvable, Visitor};
///
/// struct Start;
/// impl Visitor for Start {
///     type Output = Option<String>;
///     fn visit<G: Solvable>(self, game: G) -> Option<String> {
///         game.start().map(|start| game.write(&start))
///     }
/// }
///
/// let take = Setup::parse("take", &[("heaps", "3,5,7"), ("take", "any")], None)?;
/// assert_eq!(take.visit(Start)?.unwrap(), "3,5,7");
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Setup {
    spec: &'static GameSpec,
    arguments: Arguments,
    file: Option<Source>,
}

/// Arguments by the names of their parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments(Vec<(&'static Parameter, Argument)>);

/// The argument of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// One number.
    Number(u32),
    /// Numbers.
    Numbers(Vec<u32>),
    /// One of the words of the parameter.
    Word(&'static str),
    /// The switch is set.
    Set,
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Its name in errors.
    pub name: String,
    /// The text itself.
    pub text: String,
}

/// Code that works on a game whose type only the registry knows. See [`Setup::visit`].
pub trait Visitor {
    /// The result of the work.
    type Output;

    /// Works on the game.
    fn visit<G: Solvable + Predecessors + 'static>(self, game: G) -> Self::Output;
}

/// Why a game cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// An argument is given for a parameter that the game does not have.
    Misplaced {
        /// The parameter.
        parameter: &'static str,
        /// The game.
        game: &'static str,
        /// The games that have it.
        games: Vec<&'static str>,
    },
    /// Parameters or the file are missing.
    Missing {
        /// The game that needs them.
        game: &'static GameSpec,
        /// The parameters.
        parameters: Vec<&'static str>,
        /// Whether the file is missing.
        file: bool,
    },
    /// The text of the file is wrong.
    File {
        /// The name of the file.
        name: String,
        /// The line and the error.
        error: ReadError,
    },
    /// An argument is wrong. The text names the game and the error.
    Argument(String),
    /// The name of the game is wrong.
    Input(String),
}

impl Setup {
    /// A game by name, with its arguments as texts. See [`Kind::parse`](crate::Kind::parse).
    pub fn parse(
        game: &str,
        arguments: &[(&str, &str)],
        file: Option<Source>,
    ) -> Result<Setup, SetupError> {
        let mut given = Arguments::default();
        for (name, text) in arguments {
            let problem = given.parse(name, text);
            problem.map_err(|error| SetupError::Argument(format!("{game}: {name}: {error}")))?;
        }
        Setup::new(GameSpec::named(game)?, given, file)
    }

    /// A game with its arguments and its file. Refuses parameters that the game does not have and a file that it
    /// does not read, and fills in defaults.
    pub fn new(
        spec: &'static GameSpec,
        arguments: Arguments,
        file: Option<Source>,
    ) -> Result<Setup, SetupError> {
        let misplaced = arguments.0.iter().find(|(given, _)| !spec.parameters.contains(given));
        if let Some(&(Parameter { name, .. }, _)) = misplaced {
            return Err(SetupError::Misplaced {
                parameter: name,
                game: spec.name,
                games: Parameter::games(name).map(|game| game.name).collect(),
            });
        }
        if let (Some(source), None) = (&file, &spec.file) {
            let (game, name) = (spec.name, &source.name);
            return Err(SetupError::Argument(format!("{game} reads no file: leave {name} out")));
        }
        // A text by its name is that text.
        let (spec, file) = match spec.text {
            Some(text) => (
                GameSpec::named(TEXT)?,
                Some(Source { name: spec.name.to_owned(), text: text.to_owned() }),
            ),
            None => (spec, file),
        };
        let value = |parameter: &'static Parameter| {
            let given = arguments.get(parameter.name).cloned();
            Some((parameter, given.or(parameter.default.map(Argument::Number))?))
        };
        let arguments = Arguments(spec.parameters.iter().filter_map(value).collect());
        Ok(Setup { spec, arguments, file })
    }

    /// The game.
    pub fn spec(&self) -> &'static GameSpec {
        self.spec
    }

    /// Its arguments in the order of its parameters, defaults included.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// The text of its file.
    pub fn file(&self) -> Option<&Source> {
        self.file.as_ref()
    }

    /// Refuses a game whose file or parameters are missing. The error names all of them.
    pub fn complete(&self) -> Result<(), SetupError> {
        let is_missing = |parameter: &&Parameter| {
            parameter.is_required() && self.arguments.get(parameter.name).is_none()
        };
        let parameters = self.spec.parameters.iter().filter(is_missing);
        let parameters: Vec<_> = parameters.map(|missing| missing.name).collect();
        let file = self.spec.file.is_some() && self.file.is_none();
        match file || !parameters.is_empty() {
            true => Err(SetupError::Missing { game: self.spec, parameters, file }),
            false => Ok(()),
        }
    }

    /// About how many bytes of memory reading the file takes, if that is far more than the length of the
    /// file.
    pub fn reading_bytes(&self) -> u64 {
        match (&self.spec.file, &self.file) {
            (Some(file), Some(Source { text, .. })) => (file.reading_bytes)(text),
            _ => 0,
        }
    }

    /// Sets the game up and passes it to `visitor`.
    pub fn visit<V: Visitor>(&self, visitor: V) -> Result<V::Output, SetupError> {
        self.complete()?;
        build(self, visitor)
    }

    /// Reads the game from its file.
    pub(crate) fn read<G>(
        &self,
        parse: impl FnOnce(&str) -> Result<G, ReadError>,
    ) -> Result<G, SetupError> {
        let Source { name, text } = self.file.as_ref().expect("visit checks that there is a file");
        parse(text).map_err(|error| SetupError::File { name: name.clone(), error })
    }

    /// Passes on a game made from its arguments, or turns its error into one of this game.
    pub(crate) fn made<G>(&self, game: Result<G, ReadError>) -> Result<G, SetupError> {
        game.map_err(|error| SetupError::Argument(format!("{}: {error}", self.spec.name)))
    }

    /// The number given for a parameter.
    pub(crate) fn number(&self, name: &'static str) -> u32 {
        match self.needed(name) {
            Argument::Number(number) => *number,
            other => panic!("{name} takes a number, not {other}"),
        }
    }

    /// The numbers given for a parameter.
    pub(crate) fn numbers(&self, name: &'static str) -> &[u32] {
        match self.needed(name) {
            Argument::Numbers(numbers) => numbers,
            other => panic!("{name} takes numbers, not {other}"),
        }
    }

    /// The numbers given for a parameter; `None` if its word is given.
    pub(crate) fn numbers_or_word(&self, name: &'static str) -> Option<&[u32]> {
        match self.needed(name) {
            Argument::Word(_) => None,
            _ => Some(self.numbers(name)),
        }
    }

    /// The word given for a parameter.
    pub(crate) fn word(&self, name: &'static str) -> &'static str {
        match self.needed(name) {
            Argument::Word(word) => word,
            other => panic!("{name} takes a word, not {other}"),
        }
    }

    /// Whether a switch is set.
    pub(crate) fn is_set(&self, name: &'static str) -> bool {
        self.arguments.get(name).is_some()
    }

    fn needed(&self, name: &'static str) -> &Argument {
        self.arguments.get(name).expect("visit checks that required parameters are there")
    }
}

impl Arguments {
    /// Adds an argument from text. The error says what is wrong with it.
    pub fn parse(&mut self, name: &str, text: &str) -> Result<(), String> {
        let parameter = Parameter::find(name)?;
        let argument = parameter.kind.parse(text)?;
        self.give(parameter, argument)
    }

    /// Adds an argument, or replaces an earlier one. The error says what is wrong with it.
    pub fn give(
        &mut self,
        parameter: &'static Parameter,
        argument: Argument,
    ) -> Result<(), String> {
        if !parameter.kind.admits(&argument) {
            let Parameter { name, kind, .. } = parameter;
            return Err(format!("{name} is {argument}: give {kind}"));
        }
        self.0.retain(|(given, _)| given.name != parameter.name);
        self.0.push((parameter, argument));
        Ok(())
    }

    /// The argument of a parameter.
    pub fn get(&self, name: &str) -> Option<&Argument> {
        self.iter().find(|(parameter, _)| parameter.name == name).map(|(_, argument)| argument)
    }

    /// All of them, with their parameters.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, &Argument)> {
        self.0.iter().map(|(parameter, argument)| (*parameter, argument))
    }
}

impl Parameter {
    /// All parameters of all games, each once.
    pub fn all() -> Vec<&'static Parameter> {
        let mut all: Vec<&'static Parameter> = Vec::new();
        for parameter in GAMES.iter().flat_map(|game| game.parameters) {
            if all.iter().all(|known| known.name != parameter.name) {
                all.push(parameter);
            }
        }
        all
    }

    /// The parameter with that name. The error lists all names.
    pub fn find(name: &str) -> Result<&'static Parameter, String> {
        let mut all = Parameter::all().into_iter();
        all.find(|parameter| parameter.name == name).ok_or_else(|| {
            let names: Vec<&str> = Parameter::all().iter().map(|known| known.name).collect();
            format!("no game has a parameter `{name}`; the parameters are {}", names.join(", "))
        })
    }

    /// The games that have a parameter of that name.
    pub fn games(name: &str) -> impl Iterator<Item = &'static GameSpec> {
        let has = move |game: &&GameSpec| game.parameters.iter().any(|known| known.name == name);
        GAMES.iter().copied().filter(has)
    }
}

/// The text of the argument, as [`Kind::parse`](crate::Kind::parse) reads it.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Number(number) => write!(f, "{number}"),
            Argument::Numbers(numbers) => {
                f.write_str(&numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
            }
            Argument::Word(word) => f.write_str(word),
            Argument::Set => f.write_str("true"),
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Misplaced { parameter, game, games } => {
                let games = games.join(", ");
                write!(f, "{parameter} is not for {game}, but for {games}; leave it out")
            }
            SetupError::Missing { game, parameters, file } => {
                let file = game.file.as_ref().filter(|_| *file).map(|file| file.holds);
                let words: Vec<&str> = file.into_iter().chain(parameters.iter().copied()).collect();
                write!(f, "{} needs {}", game.name, words.join(" and "))
            }
            SetupError::File { name, error } => write!(f, "{name}: {error}"),
            SetupError::Argument(problem) | SetupError::Input(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for SetupError {}

/// Games are equal by name.
impl PartialEq for GameSpec {
    fn eq(&self, other: &GameSpec) -> bool {
        self.name == other.name
    }
}

impl Eq for GameSpec {}
