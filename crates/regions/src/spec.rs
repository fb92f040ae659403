//! The texts and the arguments of a family, as data.

use crate::texts::Style;

/// The texts and the arguments of a family, for programs.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The name of the game: `chess`.
    pub game: &'static str,
    /// The names of the players. The first player begins.
    pub players: &'static [&'static str],
    /// A command that builds some tables of the game. The name of the folder must be added.
    pub build: &'static str,
    /// How to write answers.
    pub style: Style,
    /// The game in a line.
    pub summary: &'static str,
    /// Its rules or its regions, in a paragraph.
    pub about: &'static str,
    /// Its rules, in a few sentences.
    pub rules: &'static str,
    /// How a region is written.
    pub regions: &'static str,
    /// The arguments besides the regions.
    pub parameters: &'static [Parameter],
}

/// An argument of a family.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name: `men`.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
    /// The values that it accepts.
    pub values: Values,
}

/// The values that an argument accepts.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// The numbers from the first to the second.
    Range(u32, u32),
    /// These texts.
    OneOf(&'static [&'static str]),
}
