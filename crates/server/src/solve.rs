//! The route that solves small games on request, such as a board drawn on the page.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use retrograde_answers::Question;

use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::shared::Shared;

/// `POST /solve/{game}`
pub(crate) async fn solve(
    State(shared): State<Arc<Shared>>,
    game: Result<Path<String>, PathRejection>,
    body: Result<Json<Question>, JsonRejection>,
) -> Result<Reply, Problem> {
    let Path(game) = game?;
    let Json(question) = body?;
    let work = Arc::clone(&shared);
    work.solve_work.run(move || answer(&shared, &game, question)).await
}

/// Sets the game up, solves it and answers, while the client waits.
fn answer(shared: &Shared, game: &str, question: Question) -> Result<Reply, Problem> {
    let (deadline, end) =
        (shared.limits.deadline(), Instant::now() + shared.limits.request_time / 2);
    let hear = move |_: &_| {
        if Instant::now() < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let said = shared.solves.answer(game, question, &hear, &|| deadline.check())?;
    Ok(Reply::json(&said, Keep::Never))
}
