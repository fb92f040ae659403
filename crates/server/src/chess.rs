//! Chess in the shape of lichess's table server, so that its clients find their way.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use retrograde_chess::{FenError, Illegal, Position};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::server::Shared;

/// `?fen=`
#[derive(Deserialize)]
pub(crate) struct Fen {
    fen: Option<String>,
}

/// Many positions at once.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fens {
    fens: Vec<String>,
}

/// What a position of many is told.
#[derive(Serialize)]
#[serde(untagged)]
enum Told {
    Report(Box<retrograde_chess::Report>),
    Problem { fen: String, error: String },
}

/// `GET /standard`: a position and each of its moves.
pub(crate) async fn probe(
    State(shared): State<Arc<Shared>>,
    query: Result<Query<Fen>, QueryRejection>,
) -> Result<Reply, Problem> {
    let fen = asked(query)?;
    shared
        .look_up(move |shared| {
            let report = shared.folder.chess()?.report(&position(&fen)?)?;
            Ok(Reply::json(&report, Keep::Long))
        })
        .await
}

/// `POST /standard`: many of them.
pub(crate) async fn probe_many(
    State(shared): State<Arc<Shared>>,
    body: Result<Json<Fens>, JsonRejection>,
) -> Result<Reply, Problem> {
    let Json(Fens { fens }) = body?;
    shared.limits.check_batch(fens.len())?;
    shared
        .look_up(move |shared| {
            let tables = shared.folder.chess()?;
            let deadline = shared.limits.deadline();
            let tell = |fen: String| {
                deadline.check()?;
                let report = position(&fen).and_then(|position| Ok(tables.report(&position)?));
                match report {
                    Ok(report) => Ok(Told::Report(Box::new(report))),
                    Err(problem) if problem.status().is_server_error() => Err(problem),
                    Err(problem) => Ok(Told::Problem { fen, error: problem.text().to_owned() }),
                }
            };
            let answers: Vec<Told> = fens.into_iter().map(tell).collect::<Result<_, _>>()?;
            Ok(Reply::json(&serde_json::json!({ "answers": answers }), Keep::Never))
        })
        .await
}

/// `GET /standard/mainline`: best play to the mate.
pub(crate) async fn mainline(
    State(shared): State<Arc<Shared>>,
    query: Result<Query<Fen>, QueryRejection>,
) -> Result<Reply, Problem> {
    let fen = asked(query)?;
    shared
        .look_up(move |shared| {
            let line = shared.folder.chess()?.mainline(&position(&fen)?)?;
            Ok(Reply::json(&line, Keep::Long))
        })
        .await
}

fn asked(query: Result<Query<Fen>, QueryRejection>) -> Result<String, Problem> {
    let Query(Fen { fen }) = query?;
    fen.ok_or_else(|| Problem::bad("say with ?fen= which position"))
}

/// Reads a FEN. What is a position, and has more men than any table, is one that is not here.
fn position(fen: &str) -> Result<Position, Problem> {
    fen.parse().map_err(|error: FenError| match error {
        FenError::Illegal(Illegal::TooMany(_)) => Problem::missing(error.to_string()),
        error => Problem::bad(format!("fen: {error}")),
    })
}
