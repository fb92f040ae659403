//! Chess in the shape of lichess's table server, for its clients.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use retrograde_answers::BatchReport;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::shared::Shared;

/// `?fen=`
#[derive(Deserialize)]
pub(crate) struct Fen {
    fen: Option<String>,
}

/// Many positions at once.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Fens {
    #[cfg_attr(feature = "schema", schemars(length(max = 4096)))]
    fens: Vec<String>,
}

/// The answers, in the order of the positions.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct BatchReports {
    answers: Vec<BatchReport>,
}

/// `GET /standard`: a position and each of its moves.
pub(crate) async fn probe(
    State(shared): State<Arc<Shared>>,
    query: Result<Query<Fen>, QueryRejection>,
) -> Result<Reply, Problem> {
    let fen = asked(query)?;
    shared
        .look_up(move |shared| {
            let report = shared.folder.now().tables().report(&fen)?;
            Ok(Reply::json(&report, Keep::Long))
        })
        .await
}

/// `POST /standard`: many positions.
pub(crate) async fn probe_many(
    State(shared): State<Arc<Shared>>,
    body: Result<Json<Fens>, JsonRejection>,
) -> Result<Reply, Problem> {
    let Json(Fens { fens }) = body?;
    shared.limits.questions.check_batch(fens.len())?;
    shared
        .look_up(move |shared| {
            let deadline = shared.limits.deadline();
            let answers = shared.folder.now().tables().reports(fens, &|| deadline.check())?;
            Ok(Reply::json(&BatchReports { answers }, Keep::Never))
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
            let line = shared.folder.now().tables().mainline(&fen)?;
            Ok(Reply::json(&line, Keep::Long))
        })
        .await
}

fn asked(query: Result<Query<Fen>, QueryRejection>) -> Result<String, Problem> {
    let Query(Fen { fen }) = query?;
    fen.ok_or_else(|| Problem::bad("say with ?fen= which position"))
}
