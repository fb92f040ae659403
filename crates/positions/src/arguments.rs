//! The parameters of games and families as data, and the arguments that are given for them.

use std::fmt;
use std::num::IntErrorKind;
use std::ops::RangeInclusive;

/// A parameter of a game. Games that share the name of a parameter share the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            // The game refuses a number out of the range, and says why.
            Kind::Number { min, max } => match text.parse() {
                Ok(number) => Ok(Argument::Number(number)),
                Err(_) => whole_number(text, min.into()..=max.into()).map(Argument::Number),
            },
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
    fn admits(self, argument: &Argument) -> bool {
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

impl Arguments {
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

    /// The number given for a parameter.
    pub fn number(&self, name: &str) -> Option<u32> {
        match self.get(name) {
            Some(Argument::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The word given for a parameter.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.get(name) {
            Some(Argument::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// All of them, with their parameters.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, &Argument)> {
        self.0.iter().map(|(parameter, argument)| (*parameter, argument))
    }
}

impl FromIterator<(&'static Parameter, Argument)> for Arguments {
    fn from_iter<I: IntoIterator<Item = (&'static Parameter, Argument)>>(given: I) -> Arguments {
        Arguments(given.into_iter().collect())
    }
}

/// The text of the argument, as [`Kind::parse`] reads it.
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

/// A whole number in this range. The error says which numbers are right.
pub fn whole_number<N: TryFrom<u64>>(text: &str, range: RangeInclusive<u64>) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
        let (min, max) = range.into_inner();
        match (min, max) {
            (0, max) if max >= u32::MAX.into() => format!("write a whole number up to {max}"),
            (min, max) => format!("write a whole number from {min} to {max}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wrong numbers quoted the standard library: "invalid digit found in string".
    #[test]
    fn a_wrong_number_is_refused_with_those_that_are_right() {
        assert_eq!(whole_number::<u16>("7", 1..=1024), Ok(7));
        for text in ["-1", "0", "1025", "three", "", "1.5", "99999999999999999999"] {
            let refused = whole_number::<u16>(text, 1..=1024);
            assert_eq!(refused, Err("write a whole number from 1 to 1024".to_owned()), "{text}");
        }
        let refused = whole_number::<u32>("-1", 0..=u32::MAX.into());
        assert_eq!(refused, Err("write a whole number up to 4294967295".to_owned()));
    }
}
