//! The routes for the tables of the folder. The tables may belong to any game.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use retrograde::Level;
use retrograde_answers::{RegionOracle, Sample, levels_object, sides};
use retrograde_catalog::{Worth, family_of};
use retrograde_table::Table;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::folder::{CHESS, Entry, Folder};
use crate::limits::Deadline;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::server::Shared;

/// `?state=&view=`
#[derive(Deserialize)]
pub(crate) struct OfState {
    state: Option<String>,
    /// Whether the answer includes how to draw the state.
    view: Option<bool>,
}

/// `?state=&plies=`
#[derive(Deserialize)]
pub(crate) struct OfLine {
    state: Option<String>,
    plies: Option<usize>,
}

/// Many states at once.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct States {
    states: Vec<String>,
    /// Whether to return their moves too.
    #[serde(default)]
    moves: bool,
}

/// `GET /tables`: all tables.
pub(crate) async fn list(State(shared): State<Arc<Shared>>) -> Result<Reply, Problem> {
    shared
        .look_up(move |shared| {
            let deadline = shared.limits.deadline();
            let mut listed = Vec::new();
            let folder = shared.folder.now();
            for (name, entry) in folder.tables() {
                deadline.check()?;
                // The list leaves out a faulty table. A request for that table reports the error.
                if let Ok(told) = folder.table(entry).and_then(|table| brief(name, table)) {
                    listed.push(told);
                }
            }
            Ok(Reply::json(&json!({ "tables": listed }), Keep::Asked))
        })
        .await
}

/// `GET /tables/{name}`: the header of a table.
pub(crate) async fn about(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Reply, Problem> {
    with(state, name, |_, (folder, name, entry)| {
        let table = folder.table(entry)?;
        // This text was parsed once when the table was opened, so it is valid.
        let mut said: Value = serde_json::from_str(table.header_text()).unwrap_or_default();
        said["name"] = json!(name);
        said["numbers"] = json!(table.states());
        said["states"] = json!(states(table));
        said["bytes"] = json!(table.bytes());
        said["start"] = json!(oracle_of(folder, entry)?.start());
        Ok(Reply::json(&said, Keep::Long))
    })
    .await
}

/// `GET /tables/{name}/stats`: how many states are won, lost and drawn, and at which distances.
pub(crate) async fn stats(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Reply, Problem> {
    with(state, name, |_, (folder, name, entry)| {
        let table = folder.table(entry)?;
        let mut said = brief(name, table)?;
        said["sides"] = sides(&table.header().about.counts);
        said["levels"] = levels_object(&table.levels()?);
        let about = &table.header().about;
        if about.game == CHESS {
            let parameters = &about.parameters;
            said["placements"] =
                json!({ "white": parameters["white"], "black": parameters["black"] });
        }
        Ok(Reply::json(&said, Keep::Long))
    })
    .await
}

/// `GET /tables/{name}/probe`: a state and each of its moves.
pub(crate) async fn probe(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
    query: Result<Query<OfState>, QueryRejection>,
) -> Result<Reply, Problem> {
    let Query(asked) = query?;
    with(state, name, move |_, (folder, _, entry)| {
        let state =
            asked.state.ok_or_else(|| Problem::bad("add ?state= with the state to probe"))?;
        let table = oracle_of(folder, entry)?;
        Ok(match asked.view {
            Some(true) => Reply::json(&table.view(&state)?, Keep::Long),
            _ => Reply::json(&table.answer(&state)?, Keep::Long),
        })
    })
    .await
}

/// `POST /tables/{name}/probe`: many states.
pub(crate) async fn probe_many(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
    body: Result<Json<States>, JsonRejection>,
) -> Result<Reply, Problem> {
    let Json(States { states, moves }) = body?;
    state.limits.questions.check_batch(states.len())?;
    with(state, name, move |shared, (folder, _, entry)| {
        let asked = oracle_of(folder, entry)?;
        let deadline = shared.limits.deadline();
        let answers = asked.tell_all(states, moves, &|| deadline.check())?;
        Ok(Reply::json(&json!({ "answers": answers }), Keep::Never))
    })
    .await
}

/// `GET /tables/{name}/line`: best play.
pub(crate) async fn line(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
    query: Result<Query<OfLine>, QueryRejection>,
) -> Result<Reply, Problem> {
    let Query(OfLine { state: from, plies }) = query?;
    with(state, name, move |shared, (folder, _, entry)| {
        let asked = oracle_of(folder, entry)?;
        let from = from.or_else(|| asked.start());
        let from = from.ok_or_else(|| Problem::bad("add ?state= with the state to play from"))?;
        let most = shared.limits.questions.line_plies;
        let line = asked.line(&from, plies.unwrap_or(most).min(most))?;
        Ok(Reply::json(&line, Keep::Long))
    })
    .await
}

/// `GET /tables/{name}/longest`: the states with the longest wins.
pub(crate) async fn longest(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Reply, Problem> {
    with(state, name, |shared, (folder, _, entry)| {
        let longest = longest_of(folder, entry, shared.limits.deadline())?;
        Ok(Reply::json(&json!({ "states": longest }), Keep::Long))
    })
    .await
}

/// `GET /tables/{name}/random`: a state at random.
pub(crate) async fn random(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Reply, Problem> {
    with(state, name, |_, (folder, _, entry)| {
        let sample = oracle_of(folder, entry)?.random(seed())?;
        Ok(Reply::json(&sample, Keep::Never))
    })
    .await
}

/// The entry of a table in the list of tables.
fn brief(name: &str, table: &Table) -> Result<Value, Problem> {
    let header = table.header();
    let mut levels = table.levels()?;
    levels.retain(|_| header.distances);
    let longest = |of: fn(&&Level) -> bool| levels.iter().rfind(of).map(|level| level.distance);
    Ok(json!({
        "name": name,
        "game": header.about.game,
        "title": family_of(&header.about).and_then(|family| family.title(&header.about)),
        "states": states(table),
        "numbers": header.states,
        "distances": header.distances,
        "longest": longest(|_| true),
        "longest_win": longest(|level| level.wins > 0),
        "bytes": table.bytes(),
    }))
}

/// How many states a table has, without invalid numbers. `None` if the header of the table has no counts.
fn states(table: &Table) -> Option<u64> {
    let counts = &table.header().about.counts;
    let sum = counts.iter().map(|of| of.win.saturating_add(of.loss).saturating_add(of.draw));
    (!counts.is_empty()).then(|| sum.fold(0, u64::saturating_add))
}

/// The states of a table.
fn oracle_of(folder: &Folder, entry: &Entry) -> Result<RegionOracle, Problem> {
    Ok(match entry {
        Entry::Region(region) => RegionOracle::new(folder.family()?.clone(), region),
        Entry::Game(kept) => RegionOracle::new(kept.oracle()?, ""),
    })
}

/// A number that no client knows.
fn seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64)
}

/// The states with the longest wins, longest first. For tables of regions, one state for each side.
fn longest_of(folder: &Folder, entry: &Entry, deadline: Deadline) -> Result<Vec<Sample>, Problem> {
    match entry {
        Entry::Region(_) => Ok(told(&folder.table(entry)?.header().about.parameters)),
        Entry::Game(_) => Ok(oracle_of(folder, entry)?.longest(&|| deadline.check())?),
    }
}

/// The longest wins in the parameters of a table.
fn told(parameters: &Value) -> Vec<Sample> {
    let parts: Vec<&Value> = match parameters {
        Value::Object(object) => object
            .values()
            .flat_map(|value| value.as_array().map_or(vec![value], |all| all.iter().collect()))
            .collect(),
        _ => Vec::new(),
    };
    let sample = |part: &Value| {
        let text = part.get("fen").or_else(|| part.get("position"))?.as_str()?;
        let plies = u32::try_from(part.get("longest")?.as_u64()?).ok()?;
        Some(Sample {
            state: text.to_owned(),
            worth: Worth { value: "win", distance: Some(plies) },
        })
    };
    let mut samples: Vec<Sample> = parts.into_iter().filter_map(sample).collect();
    samples.sort_by_key(|sample| std::cmp::Reverse(sample.worth.distance));
    samples
}

/// Finds the table of a name, and calls `ask` on a thread for lookups.
async fn with(
    State(shared): State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
    ask: impl FnOnce(&Shared, (&Folder, &str, &Entry)) -> Result<Reply, Problem> + Send + 'static,
) -> Result<Reply, Problem> {
    let Path(name) = name?;
    shared
        .look_up(move |shared| {
            let folder = shared.folder.now();
            let entry = folder.find(&name)?;
            ask(shared, (&*folder, &name, entry))
        })
        .await
}
