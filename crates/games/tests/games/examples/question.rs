//! A question to the program, taken apart.

use super::folder;
use std::fs;

/// The words behind `solve`: a game, a file for most, and options.
pub(crate) struct Question(Vec<String>);

impl Question {
    pub(crate) fn new(words: Vec<String>) -> Question {
        Question(words)
    }

    pub(crate) fn words(&self) -> &[String] {
        &self.0
    }

    pub(crate) fn game(&self) -> &str {
        &self.0[0]
    }

    /// The file the question is about.
    pub(crate) fn text(&self) -> String {
        fs::read_to_string(folder().join(&self.0[1])).unwrap()
    }

    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|word| word == name)?;
        Some(self.0.get(at + 1).map_or("", |word| &**word))
    }

    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        self.option(name).map(|word| word.parse().unwrap())
    }

    pub(crate) fn numbers(&self, name: &str) -> Vec<u32> {
        self.option(name).unwrap().split(',').map(|word| word.parse().unwrap()).collect()
    }

    pub(crate) fn police(&self) -> u32 {
        self.number("--police").unwrap_or(1)
    }

    pub(crate) fn misere(&self) -> bool {
        self.option("--misere").is_some()
    }
}
