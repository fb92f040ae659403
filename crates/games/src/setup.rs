//! A game with everything that it needs: name, arguments, file.

use std::fmt;

use retrograde::Predecessors;

use retrograde_positions::{Argument, Arguments, Parameter, Spec};

use crate::{ReadError, Solvable};

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
    spec: &'static Spec,
    arguments: Arguments,
    file: Option<Source>,
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
        game: &'static Spec,
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
    /// A game with its arguments and its file, which suit it. Fills in defaults.
    pub(crate) fn of(spec: &'static Spec, given: &Arguments, file: Option<Source>) -> Setup {
        let value = |parameter: &'static Parameter| {
            let given = given.get(parameter.name).cloned();
            Some((parameter, given.or(parameter.default.map(Argument::Number))?))
        };
        Setup { spec, arguments: spec.parameters.iter().filter_map(value).collect(), file }
    }

    /// The game.
    pub fn spec(&self) -> &'static Spec {
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
        self.arguments.number(name).expect("visit checks that the required numbers are there")
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
        self.arguments.word(name).expect("visit checks that the required words are there")
    }

    /// Whether a switch is set.
    pub(crate) fn is_set(&self, name: &'static str) -> bool {
        self.arguments.get(name).is_some()
    }

    fn needed(&self, name: &'static str) -> &Argument {
        self.arguments.get(name).expect("visit checks that required parameters are there")
    }
}

impl SetupError {
    /// The error for a parameter that only some others have.
    pub fn misplaced(
        parameter: &'static str,
        spec: &'static Spec,
        others: impl Iterator<Item = &'static Spec>,
    ) -> SetupError {
        let games = others.filter(|other| other.has(parameter)).map(|other| other.name).collect();
        SetupError::Misplaced { parameter, game: spec.name, games }
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
