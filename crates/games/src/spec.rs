//! The description of a game, from which every program takes its arguments, help and lists.

use std::fmt;

use crate::Argument;

/// A game by name: what a program says of it, and what it needs to be set up.
///
/// Each game has one in its own file, and [`GAMES`](crate::GAMES) lists them all. To set a game up, see [`Setup`](crate::Setup).
#[derive(Debug)]
#[non_exhaustive]
pub struct GameSpec {
    /// The name in one lower-case word: `pursuit`.
    pub name: &'static str,
    /// What the game is, in a few words: `police and thief on a grid`.
    pub summary: &'static str,
    /// What it reads from a file, if it does.
    pub file: Option<FileSpec>,
    /// What else its rules depend on.
    pub parameters: &'static [Parameter],
    /// Arguments for a first try, as they follow the name: `--heaps 3,5,7 --take any`.
    pub example: &'static str,
}

/// The file that a game is read from.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileSpec {
    /// What the file holds, in one word: `board`.
    pub holds: &'static str,
    /// Whether the beginning of a text looks like such a file.
    pub recognizes: fn(&str) -> bool,
    /// About how many bytes of memory it takes to read a text, where that is far more than the text itself.
    pub reading_bytes: fn(&str) -> u64,
}

/// A parameter of a game. Games that share the name of a parameter share the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name in one lower-case word: `police`.
    pub name: &'static str,
    /// Which arguments it takes.
    pub kind: Kind,
    /// What stands for it if it is not given. Without a default it must be given, unless it is a [`Kind::Switch`].
    pub default: Option<u32>,
    /// What it means, in a few words: `how many police`.
    pub help: &'static str,
}

/// Which arguments a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number in a range.
    Number {
        /// The least.
        min: u32,
        /// The greatest.
        max: u32,
    },
    /// Whole numbers.
    Numbers,
    /// Whole numbers, or this word.
    NumbersOr(&'static str),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Nothing: the parameter is given or not.
    Switch,
}

/// Turns a game by name round for those who cannot move.
pub(crate) const MISERE: Parameter = Parameter {
    name: "misere",
    kind: Kind::Switch,
    default: None,
    help: "the player who cannot move wins",
};

impl FileSpec {
    /// A file that takes little more memory to read than it has bytes.
    pub(crate) const fn small(holds: &'static str, recognizes: fn(&str) -> bool) -> FileSpec {
        FileSpec { holds, recognizes, reading_bytes: |_| 0 }
    }
}

impl Parameter {
    /// Whether a game cannot be set up without it.
    pub fn is_required(&self) -> bool {
        self.default.is_none() && self.kind != Kind::Switch
    }
}

impl Kind {
    /// The argument that a text is: `3`, `3,5,7` or a word. The text of a switch is `true`.
    pub fn parse(self, text: &str) -> Result<Argument, String> {
        let number = |text: &str| {
            text.parse::<u32>().map_err(|error| format!("`{text}` is no number: {error}"))
        };
        match self {
            Kind::Number { .. } => number(text).map(Argument::Number),
            Kind::NumbersOr(word) if text == word => Ok(Argument::Word(word)),
            Kind::Numbers | Kind::NumbersOr(_) => {
                text.split(',').map(number).collect::<Result<_, _>>().map(Argument::Numbers)
            }
            Kind::Word(words) => {
                let word = words.iter().find(|word| **word == text);
                word.map(|word| Argument::Word(word))
                    .ok_or_else(|| format!("`{text}` is none of these: {}", words.join(", ")))
            }
            Kind::Switch if text == "true" => Ok(Argument::Set),
            Kind::Switch => Err(format!("`{text}` is not `true`")),
        }
    }

    /// Whether an argument is of this kind.
    pub(crate) fn admits(self, argument: &Argument) -> bool {
        match (self, argument) {
            (Kind::Number { .. }, Argument::Number(_))
            | (Kind::Numbers | Kind::NumbersOr(_), Argument::Numbers(_))
            | (Kind::Switch, Argument::Set) => true,
            (Kind::NumbersOr(known), Argument::Word(word)) => known == *word,
            (Kind::Word(words), Argument::Word(word)) => words.contains(word),
            _ => false,
        }
    }
}

/// What an argument looks like: `N`, `N,..|any`, `queen|rook`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Number { .. } => f.write_str("N"),
            Kind::Numbers => f.write_str("N,.."),
            Kind::NumbersOr(word) => write!(f, "N,..|{word}"),
            Kind::Word(words) => f.write_str(&words.join("|")),
            Kind::Switch => Ok(()),
        }
    }
}
