//! The games that clients can solve, with their arguments, and the families whose tables can be built.

use retrograde_catalog::{AnyFamily, FAMILIES};
use retrograde_games::{GAMES, GameSpec, Kind, Parameter};
use serde_json::{Value as Json, json};

use crate::reply::{Keep, Reply};

/// `GET /games`
pub(crate) async fn list() -> Reply {
    let games: Vec<Json> = GAMES.iter().map(|spec| game(spec)).collect();
    let families: Vec<Json> = FAMILIES.iter().map(|family| self::family(*family)).collect();
    Reply::json(&json!({ "games": games, "families": families }), Keep::Asked)
}

fn game(spec: &GameSpec) -> Json {
    json!({
        "name": spec.name,
        "summary": spec.summary,
        "rules": spec.rules,
        "file": spec.file.as_ref().map(|file| file.holds),
        "example": spec.example,
        "parameters": spec.parameters.iter().map(parameter).collect::<Vec<_>>(),
    })
}

fn family(family: &AnyFamily) -> Json {
    let spec = family.spec;
    json!({ "name": family.spec.game, "summary": spec.summary, "rules": spec.rules })
}

fn parameter(parameter: &Parameter) -> Json {
    let (kind, words) = match parameter.kind {
        Kind::Number { .. } => ("number", vec![]),
        Kind::Numbers => ("numbers", vec![]),
        Kind::NumbersOr(word) => ("numbers", vec![word]),
        Kind::Word(words) => ("word", words.to_vec()),
        Kind::Switch => ("switch", vec![]),
    };
    json!({
        "name": parameter.name,
        "kind": kind,
        "words": words,
        "default": parameter.default,
        "help": parameter.help,
    })
}
