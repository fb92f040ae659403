//! All games and families as data: what each is, its rules, and its arguments.

use retrograde_games::{FileSpec, GAMES, Kind, Parameter, Spec, TEXT, find_game};
use serde::Serialize;

use crate::families::{FAMILIES, family_named};

/// The games that are solved at once, and the families of regions.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Registry {
    games: Vec<SpecObject>,
    /// Such as chess by material.
    families: Vec<SpecObject>,
}

/// A game that is solved at once, or a family that is solved in regions.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecObject {
    name: &'static str,
    summary: &'static str,
    /// The rules, in a few sentences.
    rules: &'static str,
    /// The kind of file that it reads: `board`.
    file: Option<&'static str>,
    /// Files to begin with.
    files: Vec<ExampleFile>,
    /// What may stand in the file.
    statements: Vec<Statement>,
    /// How a region of a family is written.
    regions: Option<&'static str>,
    /// Arguments for a first try.
    example: &'static str,
    parameters: Vec<ParameterObject>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExampleFile {
    name: &'static str,
    text: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Statement {
    statement: &'static str,
    /// What it means; words in backquotes are words of the file.
    meaning: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ParameterObject {
    name: &'static str,
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["number", "numbers", "word", "switch"])))]
    kind: &'static str,
    /// The least number that it takes.
    least: Option<u32>,
    /// The greatest number that it takes.
    most: Option<u32>,
    /// The words that it takes.
    words: Vec<&'static str>,
    default: Option<u32>,
    help: &'static str,
}

/// All games and families.
pub fn registry_object() -> Registry {
    Registry {
        games: GAMES.iter().map(|spec| spec_object(spec)).collect(),
        families: FAMILIES.iter().map(|family| spec_object(family.spec)).collect(),
    }
}

/// The game or the family of that name.
pub fn spec_named(name: &str) -> Option<&'static Spec> {
    find_game(name).or_else(|| Some(family_named(name)?.spec))
}

/// All games, and then all families.
pub fn specs() -> impl Iterator<Item = &'static Spec> {
    GAMES.iter().copied().chain(FAMILIES.iter().map(|family| family.spec))
}

/// A game or a family.
pub fn spec_object(spec: &'static Spec) -> SpecObject {
    let statements = spec.file.iter().flat_map(FileSpec::statements);
    SpecObject {
        name: spec.name,
        summary: spec.summary,
        rules: spec.rules,
        file: spec.file.as_ref().map(|file| file.holds),
        files: files(spec).map(|(name, text)| ExampleFile { name, text }).collect(),
        statements: statements
            .map(|(statement, meaning)| Statement { statement, meaning })
            .collect(),
        regions: spec.regions,
        example: spec.example,
        parameters: spec.parameters.iter().map(parameter).collect(),
    }
}

/// Files to begin with. The games that are texts are those of their kind.
fn files(spec: &'static Spec) -> impl Iterator<Item = (&'static str, &'static str)> {
    let texts = GAMES.iter().filter_map(|game| Some((game.name, game.text?)));
    let own = spec.file.iter().flat_map(|file| file.examples).copied();
    own.chain(texts.filter(|_| spec.name == TEXT))
}

fn parameter(parameter: &Parameter) -> ParameterObject {
    let (kind, words) = match parameter.kind {
        Kind::Number { .. } => ("number", vec![]),
        Kind::Numbers => ("numbers", vec![]),
        Kind::NumbersOr(word) => ("numbers", vec![word]),
        Kind::Word(words) => ("word", words.to_vec()),
        Kind::Switch => ("switch", vec![]),
    };
    let bounds = match parameter.kind {
        Kind::Number { min, max } => Some((min, max)),
        _ => None,
    };
    ParameterObject {
        name: parameter.name,
        kind,
        least: bounds.map(|(least, _)| least),
        most: bounds.map(|(_, most)| most),
        words,
        default: parameter.default,
        help: parameter.help,
    }
}
