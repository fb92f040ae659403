//! The shapes of `--json`, made from the types of the reports.

use std::path::Path;

use retrograde_catalog::{Registry, SpecObject, StateAnswer, Worth};
use retrograde_chess::Report;
use retrograde_games::{ReportPosition, TextReport};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::commands::build::report::{BuiltOf, PlanOf, Repacked};
use crate::commands::build::watch::Made;
use crate::commands::info::{FolderOf, InfoOf};
use crate::commands::solve::SolveOf;
use crate::report::format::VERSION;
use crate::report::line::Played;
use crate::report::sound::{Audited, Checked, PublishedTable, Verified};
use crate::report::stats::StatsOf;
use crate::source::disk::{LogPlan, PartsPlan};
use crate::source::ranks::RanksPlan;

/// A line of `list`.
#[derive(JsonSchema, Serialize)]
struct Listed {
    state: String,
    #[serde(flatten)]
    worth: Worth,
}

/// The schemas of types by name, and those of the types in them.
struct Shapes {
    generator: SchemaGenerator,
    shapes: Map<String, Json>,
    parts: Map<String, Json>,
}

impl Shapes {
    /// Adds the schema of a type, with the version before its entries.
    fn add<T: JsonSchema>(mut self, name: &str) -> Shapes {
        let mut schema = self.generator.root_schema_for::<T>();
        schema.remove("title");
        if let Some(Json::Object(parts)) = schema.remove("$defs") {
            self.parts.extend(parts);
        }
        let mut properties = Map::new();
        properties.insert("format".to_owned(), json!({ "const": VERSION }));
        if let Some(Json::Object(own)) = schema.remove("properties") {
            properties.extend(own);
        }
        schema.insert("properties".to_owned(), properties.into());
        if let Some(Json::Array(required)) = schema.get_mut("required") {
            required.insert(0, "format".into());
        }
        self.shapes.insert(name.to_owned(), schema.into());
        self
    }
}

/// All shapes, by the names of docs/json.md.
fn shapes() -> Json {
    let settings = SchemaSettings::default().for_serialize().with(|settings| {
        settings.meta_schema = None;
        settings.transforms.push(Box::new(RecursiveTransform(|schema: &mut Schema| {
            schema.remove("format");
            if schema.get("properties").is_some() {
                schema.insert("additionalProperties".to_owned(), false.into());
            }
        })));
    });
    let generator = settings.into_generator();
    let Shapes { shapes, parts, .. } = Shapes { generator, shapes: Map::new(), parts: Map::new() }
        .add::<SolveOf<'_>>("solve")
        .add::<LogPlan>("log_plan")
        .add::<PartsPlan>("parts_plan")
        .add::<RanksPlan>("ranks_plan")
        .add::<Played<'_>>("line")
        .add::<Listed>("list")
        .add::<StateAnswer>("probe")
        .add::<Report>("position")
        .add::<InfoOf<'_>>("info")
        .add::<FolderOf>("folder")
        .add::<StatsOf<'_>>("summary")
        .add::<Verified<'_>>("verified")
        .add::<Audited<'_>>("audited")
        .add::<Checked>("checked")
        .add::<PublishedTable>("published")
        .add::<Made>("region")
        .add::<BuiltOf>("built")
        .add::<Repacked>("repacked")
        .add::<PlanOf<'_>>("plan")
        .add::<Registry>("games")
        .add::<SpecObject>("game")
        .add::<TextReport>("rules")
        .add::<ReportPosition>("moves");
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `retrograde --json` prints",
        "description": "Shapes by name (see json.md), and then their parts. Readers pass over entries they do not know; here they are named one by one, so that the program cannot print another unnoticed.",
        "$defs": shapes.into_iter().chain(parts).collect::<Map<_, _>>(),
    })
}

/// `RETROGRADE_SCHEMAS=write cargo test -p retrograde-cli --lib shapes` writes it.
#[test]
fn the_shapes_are_those_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.schema.json");
    let schema = format!("{:#}\n", shapes());
    if std::env::var_os("RETROGRADE_SCHEMAS").is_some() {
        std::fs::write(&path, &schema).expect("the folder of the docs is there");
    }
    let kept = std::fs::read_to_string(&path).expect("the file of the docs is there");
    assert!(
        kept == schema,
        "json.schema.json is out of date: run this test with RETROGRADE_SCHEMAS=write"
    );
}
