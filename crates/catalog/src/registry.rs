//! All games and families as data: what each is, its rules, and its arguments.

use retrograde_games::{FileSpec, GAMES, Kind, Parameter, Spec, TEXT, find_game};
use serde_json::{Value as Json, json};

use crate::families::{FAMILIES, family_named};

/// The games that are solved at once, and the families of regions.
pub fn registry_object() -> Json {
    let games: Vec<Json> = GAMES.iter().map(|spec| spec_object(spec)).collect();
    let families: Vec<Json> = FAMILIES.iter().map(|family| spec_object(family.spec)).collect();
    json!({ "games": games, "families": families })
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
pub fn spec_object(spec: &Spec) -> Json {
    json!({
        "name": spec.name,
        "summary": spec.summary,
        "rules": spec.rules,
        "file": spec.file.as_ref().map(|file| file.holds),
        "files": files(spec).map(file).collect::<Vec<_>>(),
        "statements": spec.file.iter().flat_map(FileSpec::statements).map(statement).collect::<Vec<_>>(),
        "regions": spec.regions,
        "example": spec.example,
        "parameters": spec.parameters.iter().map(parameter).collect::<Vec<_>>(),
    })
}

/// Files to begin with. The games that are texts are those of their kind.
fn files(spec: &Spec) -> impl Iterator<Item = (&'static str, &'static str)> {
    let texts = GAMES.iter().filter_map(|game| Some((game.name, game.text?)));
    let own = spec.file.iter().flat_map(|file| file.examples).copied();
    own.chain(texts.filter(|_| spec.name == TEXT))
}

fn file((name, text): (&str, &str)) -> Json {
    json!({ "name": name, "text": text })
}

fn statement((statement, meaning): (&str, &str)) -> Json {
    json!({ "statement": statement, "meaning": meaning })
}

fn parameter(parameter: &Parameter) -> Json {
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
    json!({
        "name": parameter.name,
        "kind": kind,
        "least": bounds.map(|(least, _)| least),
        "most": bounds.map(|(_, most)| most),
        "words": words,
        "default": parameter.default,
        "help": parameter.help,
    })
}
