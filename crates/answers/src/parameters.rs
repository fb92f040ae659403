//! The schema of a game's parameters in a question, from the registry.

use std::borrow::Cow;

use retrograde_games::{GAMES, Kind, Spec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// The parameters of all games. Each game takes its own.
pub(crate) struct Parameters;

impl JsonSchema for Parameters {
    fn schema_name() -> Cow<'static, str> {
        "Parameters".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let parameters = Spec::parameters_of(GAMES.iter().copied()).into_iter();
        let properties = parameters.map(|parameter| {
            let mut schema = match parameter.kind {
                Kind::Number { min, max } => {
                    json_schema!({ "type": "integer", "minimum": min, "maximum": max })
                }
                Kind::Numbers => json_schema!({
                    "type": "array",
                    "items": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
                }),
                Kind::NumbersOr(_) => json_schema!({ "type": "string" }),
                Kind::Word(words) => json_schema!({ "enum": words }),
                Kind::Switch => json_schema!({ "type": "boolean" }),
            };
            let games = GAMES.iter().filter(|game| game.has(parameter.name));
            let games = games.map(|game| game.name).collect::<Vec<_>>().join(", ");
            schema.insert("description".into(), format!("{games}: {}", parameter.help).into());
            (parameter.name.to_owned(), schema.to_value())
        });
        let properties = properties.collect::<serde_json::Map<_, _>>();
        json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
    }
}
