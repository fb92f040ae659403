//! The description of a game. Arguments, help and lists of all programs come from it.

use std::fmt;
use std::num::IntErrorKind;

use crate::{Argument, whole_number};

/// A game by name: its description, and the arguments that it needs.
///
/// Each game has one in its own file, and [`GAMES`](crate::GAMES) lists them all. To set a game up, see [`Setup`](crate::Setup).
#[derive(Debug)]
#[non_exhaustive]
pub struct GameSpec {
    /// The name in one lower-case word: `pursuit`.
    pub name: &'static str,
    /// What the game is, in a few words: `police and thief on a grid`.
    pub summary: &'static str,
    /// The rules, in a few sentences, or the text that has them.
    pub rules: &'static str,
    /// The text of the game, if it is one.
    pub text: Option<&'static str>,
    /// The file that the game needs, if any.
    pub file: Option<FileSpec>,
    /// The parameters of the game.
    pub parameters: &'static [Parameter],
    /// Arguments for a first try, as they follow the name: `--heaps 3,5,7 --take any`.
    pub example: &'static str,
}

/// The file of a game.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileSpec {
    /// The contents of the file, as one word: `board`.
    pub holds: &'static str,
    /// Whether the beginning of a text looks like such a file.
    pub recognizes: fn(&str) -> bool,
    /// About how many bytes of memory reading a text takes, if that is far more than its length.
    pub reading_bytes: fn(&str) -> u64,
    /// Files to begin with: their names and their contents.
    pub examples: &'static [(&'static str, &'static str)],
    /// A page of the book that has tables of what may stand in the file. Empty if there is none.
    pub reference: &'static str,
}

/// A parameter of a game. Games that share the name of a parameter share the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name in one lower-case word: `police`.
    pub name: &'static str,
    /// The arguments that it takes.
    pub kind: Kind,
    /// The argument if none is given. Without a default the parameter is required, unless it is a
    /// [`Kind::Switch`].
    pub default: Option<u32>,
    /// Its meaning in a few words: `how many police`.
    pub help: &'static str,
}

/// The arguments that a parameter takes.
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
    /// No argument: the switch is given or not.
    Switch,
}

/// Makes the player who cannot move win.
pub(crate) const MISERE: Parameter = Parameter {
    name: "misere",
    kind: Kind::Switch,
    default: None,
    help: "the player who cannot move wins",
};

impl GameSpec {
    /// A game from a text that begins with a comment of one line.
    pub(crate) const fn of_text(name: &'static str, text: &'static str) -> GameSpec {
        let summary = first_comment(text);
        GameSpec {
            name,
            summary,
            rules: text,
            text: Some(text),
            file: None,
            parameters: &[],
            example: "",
        }
    }
}

/// The first line of a text, without the sign of a comment and the last full stop.
const fn first_comment(text: &str) -> &str {
    let mut end = 0;
    while text.as_bytes()[end] != b'\n' {
        end += 1;
    }
    if text.as_bytes()[end - 1] == b'.' {
        end -= 1;
    }
    text.split_at(end).0.split_at("# ".len()).1
}

impl FileSpec {
    /// A file that takes little more memory to read than it has bytes.
    pub(crate) const fn small(holds: &'static str, recognizes: fn(&str) -> bool) -> FileSpec {
        FileSpec { holds, recognizes, reading_bytes: |_| 0, examples: &[], reference: "" }
    }

    /// The same with files to begin with.
    pub(crate) const fn examples(
        self,
        examples: &'static [(&'static str, &'static str)],
    ) -> FileSpec {
        FileSpec { examples, ..self }
    }

    /// What may stand in the file: the rows of the tables of its [reference](FileSpec::reference), each with its meaning.
    pub fn statements(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.reference.lines().filter_map(|line| {
            let (statement, meaning) = line.strip_prefix("| `")?.split_once("` | ")?;
            Some((statement, meaning.strip_suffix(" |")?))
        })
    }
}

impl Parameter {
    /// Whether a user must give this parameter.
    pub fn is_required(&self) -> bool {
        self.default.is_none() && self.kind != Kind::Switch
    }
}

impl Kind {
    /// Reads an argument from text: `3`, `3,5,7` or a word. The text of a switch is `true`.
    pub fn parse(self, text: &str) -> Result<Argument, String> {
        match self {
            // The game says which of the numbers it takes.
            Kind::Number { .. } => whole_number(text, 0..=u32::MAX.into()).map(Argument::Number),
            Kind::NumbersOr(word) if text == word => Ok(Argument::Word(word)),
            Kind::Numbers | Kind::NumbersOr(_) => {
                let or_word = match self {
                    Kind::NumbersOr(word) => format!(", or {word}"),
                    _ => String::new(),
                };
                let number = |text: &str| {
                    text.trim().parse::<u32>().map_err(|error| match error.kind() {
                        IntErrorKind::PosOverflow => {
                            format!("{text} is too large: write numbers up to {}", u32::MAX)
                        }
                        _ => {
                            format!("write whole numbers with commas between{or_word}")
                        }
                    })
                };
                text.split(',').map(number).collect::<Result<_, _>>().map(Argument::Numbers)
            }
            Kind::Word(words) => {
                let word = words.iter().find(|word| **word == text);
                word.map(|word| Argument::Word(word))
                    .ok_or_else(|| format!("`{text}` is not one of: {}", words.join(", ")))
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

/// The form of an argument: `N`, `N,..|any`, `queen|rook`.
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
