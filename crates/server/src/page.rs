//! The page: its files are part of the program, so it needs neither a network nor a folder of its own.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::HeaderValue;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::reply::{Keep, Reply};

/// The files below `/page/`.
const FILES: &[(&str, &str, &str)] = &[
    ("style.css", CSS, include_str!("page/style.css")),
    ("app.js", JS, include_str!("page/app.js")),
    ("route.js", JS, include_str!("page/route.js")),
    ("common.js", JS, include_str!("page/common.js")),
    ("transport.js", JS, include_str!("page/transport.js")),
    ("home.js", JS, include_str!("page/home.js")),
    ("cards.js", JS, include_str!("page/cards.js")),
    ("line.js", JS, include_str!("page/line.js")),
    ("moves.js", JS, include_str!("page/moves.js")),
    ("board.js", JS, include_str!("page/board.js")),
    ("play.js", JS, include_str!("page/play.js")),
    ("position.js", JS, include_str!("page/position.js")),
    ("game.js", JS, include_str!("page/game.js")),
    ("table.js", JS, include_str!("page/table.js")),
    ("tables.js", JS, include_str!("page/tables.js")),
    ("hands.js", JS, include_str!("page/hands.js")),
    ("histogram.js", JS, include_str!("page/histogram.js")),
    ("chess.js", JS, include_str!("page/chess.js")),
    ("pieces.js", JS, include_str!("page/pieces.js")),
    ("pursuit.js", JS, include_str!("page/pursuit.js")),
    ("icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
    ("cards.svg", "image/svg+xml", include_str!("page/cards.svg")),
];

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// `GET /`
pub(crate) async fn index() -> Response {
    let index = include_str!("page/index.html");
    let mut response = Reply::text(index, "text/html; charset=utf-8", Keep::Asked).into_response();
    let headers = response.headers_mut();
    // Nothing is loaded from anywhere else, and no other page may frame this one.
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                  connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    headers.insert("content-security-policy", HeaderValue::from_static(policy));
    headers.insert("referrer-policy", HeaderValue::from_static("no-referrer"));
    response
}

/// `GET /page/{file}`
pub(crate) async fn file(path: Result<Path<String>, PathRejection>) -> Result<Reply, Problem> {
    let Path(asked) = path?;
    let (_, kind, text) = FILES
        .iter()
        .find(|(name, ..)| *name == asked)
        .ok_or_else(|| Problem::missing("the page has no such file"))?;
    Ok(Reply::text(*text, kind, Keep::Asked))
}
