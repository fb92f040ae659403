//! `openapi.json` with schemas that are made from the types of questions and answers.

use retrograde_answers::{
    AboutTable, Line, Question, Sample, Samples, SolveAnswer, TableList, TableStats, View,
};
use retrograde_catalog::{Registry, StateAnswer};
use retrograde_chess::{Mainline, Report};
use retrograde_games::GAMES;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value as Json;

use crate::chess::{BatchReports, Fens};
use crate::problem::Problem;
use crate::routes::{DOCUMENT, Health};
use crate::tables::{BatchAnswers, States};

/// What `openapi.json` must be: its paths, with the schemas of the types, and the names of the games.
pub fn document() -> Json {
    let mut document: Json = serde_json::from_str(DOCUMENT).expect("it is JSON");
    let settings = SchemaSettings::default().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.transforms.push(Box::new(RecursiveTransform(|schema: &mut Schema| {
            schema.remove("format");
        })));
    });
    let mut asked = settings.clone().into_generator();
    let mut said = settings.for_serialize().into_generator();
    let asks: [Add; _] = [add::<Question>, add::<States>, add::<Fens>];
    let says: [Add; _] = [
        add::<Problem>,
        add::<Health>,
        add::<Registry>,
        add::<Report>,
        add::<BatchReports>,
        add::<Mainline>,
        add::<TableList>,
        add::<AboutTable>,
        add::<TableStats>,
        add::<StateAnswer>,
        add::<BatchAnswers>,
        add::<View>,
        add::<Line>,
        add::<Samples>,
        add::<Sample>,
        add::<SolveAnswer>,
    ];
    asks.iter().for_each(|add| add(&mut asked));
    says.iter().for_each(|add| add(&mut said));
    let mut schemas = asked.take_definitions(true);
    schemas.extend(said.take_definitions(true));
    document["components"]["schemas"] = schemas.into();
    let games: Json = GAMES.iter().map(|game| game.name).collect();
    document["components"]["parameters"]["game"]["schema"]["enum"] = games;
    document
}

/// Adds the schema of a type.
type Add = fn(&mut SchemaGenerator);

fn add<T: JsonSchema>(schemas: &mut SchemaGenerator) {
    schemas.subschema_for::<T>();
}
