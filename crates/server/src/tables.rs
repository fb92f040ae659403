//! The routes for the tables of the folder. The tables may belong to any game.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use retrograde_answers::{BatchAnswer, Tables};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::shared::Shared;

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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct States {
    #[cfg_attr(feature = "schema", schemars(length(max = 4096)))]
    states: Vec<String>,
    /// Whether to return their moves too.
    #[serde(default)]
    moves: bool,
}

/// The answers, in the order of the states.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct BatchAnswers {
    answers: Vec<BatchAnswer>,
}

/// `GET /tables`: all tables.
pub(crate) async fn list(State(shared): State<Arc<Shared>>) -> Result<Reply, Problem> {
    shared
        .look_up(move |shared| {
            let deadline = shared.limits.deadline();
            let listed = shared.folder.now().tables().list(&|| deadline.check())?;
            Ok(Reply::json(&listed, Keep::Asked))
        })
        .await
}

/// `GET /tables/{name}`: the header of a table.
pub(crate) async fn about(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Reply, Problem> {
    with(state, name, |_, tables, name| Ok(Reply::json(&tables.about(name)?, Keep::Long))).await
}

/// `GET /tables/{name}/stats`: how many states are won, lost and drawn, and at which distances.
pub(crate) async fn stats(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Reply, Problem> {
    with(state, name, |_, tables, name| Ok(Reply::json(&tables.stats(name)?, Keep::Long))).await
}

/// `GET /tables/{name}/probe`: a state and each of its moves.
pub(crate) async fn probe(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
    query: Result<Query<OfState>, QueryRejection>,
) -> Result<Reply, Problem> {
    let Query(asked) = query?;
    with(state, name, move |_, tables, name| {
        let state =
            asked.state.ok_or_else(|| Problem::bad("add ?state= with the state to probe"))?;
        let table = tables.oracle(name)?;
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
    with(state, name, move |shared, tables, name| {
        let asked = tables.oracle(name)?;
        let deadline = shared.limits.deadline();
        let answers = asked.tell_all(states, moves, &|| deadline.check())?;
        Ok(Reply::json(&BatchAnswers { answers }, Keep::Never))
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
    with(state, name, move |shared, tables, name| {
        let asked = tables.oracle(name)?;
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
    with(state, name, |shared, tables, name| {
        let deadline = shared.limits.deadline();
        let longest = tables.longest(name, &|| deadline.check())?;
        Ok(Reply::json(&longest, Keep::Long))
    })
    .await
}

/// `GET /tables/{name}/random`: a state at random.
pub(crate) async fn random(
    state: State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Reply, Problem> {
    with(state, name, |_, tables, name| {
        Ok(Reply::json(&tables.oracle(name)?.random(seed())?, Keep::Never))
    })
    .await
}

/// A number that no client knows.
fn seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64)
}

/// Calls `ask` with the tables and a name on a thread for lookups.
async fn with(
    State(shared): State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
    ask: impl FnOnce(&Shared, &Tables, &str) -> Result<Reply, Problem> + Send + 'static,
) -> Result<Reply, Problem> {
    let Path(name) = name?;
    shared.look_up(move |shared| ask(shared, shared.folder.now().tables(), &name)).await
}
