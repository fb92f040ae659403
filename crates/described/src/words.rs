//! The words of a line, and errors that point at one of them.

use std::ops::RangeInclusive;

use crate::TextError;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    pub(crate) fn error<T>(self, problem: impl Into<String>) -> Result<T, TextError> {
        Err(TextError { line: self.line, column: self.column, problem: problem.into() })
    }
}

/// A word with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) place: Place,
}

/// The words of a line that are still to be read.
pub(crate) struct Words<'t> {
    all: Vec<Word<'t>>,
    at: usize,
    /// The place behind the last word.
    end: Place,
}

/// Words of other languages that this one does not have, and what each would say.
const REFUSED: [(&str, &str); 14] = [
    ("castle", "moves of two men"),
    ("check", "rules about giving check, beside those of `royal`"),
    ("connect", "a path of men from edge to edge"),
    ("dice", "chance"),
    ("fly", "what only a player with few men may do"),
    ("leap", "other leaps than those of a knight on a grid, whose direction is `knight`"),
    ("longest", "a duty to take most men"),
    ("pass", "passing the turn"),
    ("passes", "passing the turn"),
    ("path", "a path of men from edge to edge"),
    ("push", "moving other men"),
    ("score", "points and scores"),
    ("swap", "men that change places"),
    ("turns", "several moves in a turn"),
];

impl<'t> Words<'t> {
    /// The words of a line, without the comment.
    pub(crate) fn new(line: usize, text: &'t str) -> Words<'t> {
        let text = text.split('#').next().unwrap_or_default();
        let (mut all, mut column) = (Vec::new(), 1);
        // Parts between single spaces: an empty one is a further space.
        for part in text.split(char::is_whitespace) {
            if !part.is_empty() {
                all.push(Word { text: part, place: Place { line, column } });
            }
            column += part.chars().count() + 1;
        }
        let behind = |word: &Word<'_>| word.place.column + word.text.chars().count();
        let end = Place { line, column: all.last().map_or(1, behind) };
        Words { all, at: 0, end }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The place of the next word.
    pub(crate) fn place(&self) -> Place {
        self.peek().map_or(self.end, |word| word.place)
    }

    pub(crate) fn peek(&self) -> Option<Word<'t>> {
        self.all.get(self.at).copied()
    }

    /// The next word, which must be there.
    pub(crate) fn next(&mut self, expected: &str) -> Result<Word<'t>, TextError> {
        let Some(word) = self.peek() else {
            return self.end.error(format!("the statement ends too soon: expected {expected}"));
        };
        self.at += 1;
        Ok(word)
    }

    /// Whether the next word is this one. Then it is read.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let is_next = self.peek().is_some_and(|word| word.text == text);
        self.at += usize::from(is_next);
        is_next
    }

    /// The next word, which must be one of some words. Gives its index.
    pub(crate) fn one_of(&mut self, known: &[&str]) -> Result<usize, TextError> {
        let expected = listed(known);
        let word = self.next(&expected)?;
        match known.iter().position(|each| *each == word.text) {
            Some(index) => Ok(index),
            None => unknown(word, known),
        }
    }

    /// The next word, which must be a number in a range.
    pub(crate) fn number(&mut self, range: RangeInclusive<u32>) -> Result<u32, TextError> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        let word = self.next(&expected)?;
        match word.text.parse() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => word.place.error(format!("`{}`: expected {expected}", word.text)),
        }
    }

    /// The next word, which must be a new name: lower-case letters, digits and `-`, with a letter first.
    pub(crate) fn name(&mut self, what: &str) -> Result<Word<'t>, TextError> {
        let word = self.next(what)?;
        let inner = |c: char| c.is_lowercase() || c.is_ascii_digit() || c == '-';
        let fits = word.text.starts_with(char::is_lowercase) && word.text.chars().all(inner);
        if !fits || word.text.len() > NAME_MAX {
            return word.place.error(format!(
                "`{}` cannot be {what}: write a lower-case letter, and then letters, digits and `-`, at most {NAME_MAX} bytes",
                word.text
            ));
        }
        Ok(word)
    }

    /// Refuses further words. `options` are the words that could stand here.
    pub(crate) fn finish(&self, options: &[&str]) -> Result<(), TextError> {
        match self.peek() {
            None => Ok(()),
            Some(word) if options.is_empty() => {
                word.place.error(format!("`{}`: expected the end of the line", word.text))
            }
            Some(word) => unknown(word, options),
        }
    }
}

/// The longest name.
const NAME_MAX: usize = 32;

/// The error for a word that does not stand among the known ones.
pub(crate) fn unknown<T>(word: Word<'_>, known: &[&str]) -> Result<T, TextError> {
    if let Some((_, what)) = REFUSED.iter().find(|(refused, _)| *refused == word.text) {
        return word.place.error(format!(
            "the language has no `{}`, so a text cannot say {what}: write this game in Rust, as docs/game.md shows",
            word.text
        ));
    }
    let expected = listed(known);
    word.place.error(match nearest(word.text, known) {
        Some(near) => format!("`{}`: did you mean `{near}`? Expected {expected}", word.text),
        None => format!("`{}`: expected {expected}", word.text),
    })
}

/// The known word that is most like a word, if one is like it.
fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    if word.len() > 2 * NAME_MAX {
        return None;
    }
    let distance = |each: &&&str| strsim::damerau_levenshtein(word, each);
    let near = known.iter().min_by_key(distance)?;
    (distance(&near) <= 2 && distance(&near) < near.chars().count()).then_some(near)
}

/// Words with commas and a last `or` between.
pub(crate) fn listed(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [word] => (*word).to_owned(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

/// The letter in upper case, if that is one letter.
pub(crate) fn upper(letter: char) -> char {
    let mut all = letter.to_uppercase();
    match (all.next(), all.next()) {
        (Some(upper), None) => upper,
        _ => letter,
    }
}
