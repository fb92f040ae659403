//! The routes for the tables of the folder. The tables may belong to any game.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use retrograde::Level;
use retrograde_catalog::{Worth, family_of};
use retrograde_table::{SideCounts, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::ask::{Answer, RegionOracle};
use crate::folder::{CHESS, Entry, Folder};
use crate::limits::Deadline;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::samples;
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

/// The answer for one of many states.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Told {
    Worth {
        state: String,
        #[serde(flatten)]
        worth: Worth,
    },
    Answer(Answer),
    Problem {
        state: String,
        error: String,
    },
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
        said["start"] = json!(RegionOracle::table(folder, entry)?.start());
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
        said["levels"] = levels(&table.levels()?);
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
        let table = RegionOracle::table(folder, entry)?;
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
    state.limits.check_batch(states.len())?;
    with(state, name, move |shared, (folder, _, entry)| {
        let asked = RegionOracle::table(folder, entry)?;
        let answers = tell_all(&asked, states, moves, shared.limits.deadline())?;
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
        let asked = RegionOracle::table(folder, entry)?;
        let from = from.or_else(|| asked.start());
        let from = from.ok_or_else(|| Problem::bad("add ?state= with the state to play from"))?;
        let most = shared.limits.line_plies;
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
        let longest = samples::longest(folder, entry, shared.limits.deadline())?;
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
        let sample = RegionOracle::table(folder, entry)?.random()?;
        Ok(Reply::json(&sample, Keep::Never))
    })
    .await
}

/// The answer for each of many states. If a text names no state, only its own answer is an error.
pub(crate) fn tell_all(
    asked: &RegionOracle,
    states: Vec<String>,
    moves: bool,
    deadline: Deadline,
) -> Result<Vec<Told>, Problem> {
    let tell = |text: String| {
        deadline.check()?;
        let told = if moves {
            asked.answer(&text).map(Told::Answer)
        } else {
            asked.worth(&text).map(|(state, worth)| Told::Worth { state, worth })
        };
        match told {
            Err(problem) if !problem.status().is_server_error() => {
                Ok(Told::Problem { state: text, error: problem.text().to_owned() })
            }
            told => told,
        }
    };
    states.into_iter().map(tell).collect()
}

/// For each distance, the number of states that are won in it, and the number of states that are lost in it.
pub(crate) fn levels(levels: &[Level]) -> Value {
    let level = |&Level { distance, wins, losses }: &Level| (distance, wins, losses);
    json!(levels.iter().map(level).collect::<Vec<_>>())
}

/// How many states each side wins, loses and draws.
pub(crate) fn sides(counts: &[SideCounts]) -> Value {
    let each = counts.iter().map(|SideCounts { side, win, loss, draw, invalid }| {
        (side.clone(), json!({ "win": win, "loss": loss, "draw": draw, "invalid": invalid }))
    });
    each.collect::<Map<_, _>>().into()
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
