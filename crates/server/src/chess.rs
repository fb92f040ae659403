//! Chess in the shape of lichess's table server, for its clients.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use retrograde_chess::{FenError, Illegal, Position, Square};
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

/// The answer for one of many positions.
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
            let report = shared.folder.now().chess()?.report(&position(&fen)?)?;
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
            let folder = shared.folder.now();
            let tables = folder.chess()?;
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
            let line = shared.folder.now().chess()?.mainline(&position(&fen)?)?;
            Ok(Reply::json(&line, Keep::Long))
        })
        .await
}

fn asked(query: Result<Query<Fen>, QueryRejection>) -> Result<String, Problem> {
    let Query(Fen { fen }) = query?;
    fen.ok_or_else(|| Problem::bad("say with ?fen= which position"))
}

/// Reads a FEN as lichess's server does. It ignores castling rights and en passant squares that the board
/// rules out. A legal position with castling rights, or with more men than any table, is not found.
fn position(fen: &str) -> Result<Position, Problem> {
    match fen.parse() {
        Err(FenError::Castling(rights)) => {
            let position = position(&without(fen, 2))?;
            match rights.chars().any(|right| is_castling(&position, right)) {
                true => Err(Problem::missing("no table has positions with castling rights")),
                false => Ok(position),
            }
        }
        Err(FenError::Illegal(Illegal::EnPassant(..))) => position(&without(fen, 3)),
        Err(FenError::Illegal(illegal @ Illegal::TooMany(_))) => {
            Err(Problem::missing(illegal.to_string()))
        }
        read => read.map_err(|error| Problem::bad(format!("fen: {error}"))),
    }
}

/// A FEN with `-` in one of its fields.
fn without(fen: &str, field: usize) -> String {
    let fields = fen.split(|letter: char| letter.is_whitespace() || letter == '_');
    let fields = fields.filter(|text| !text.is_empty()).enumerate();
    let fields = fields.map(|(number, text)| if number == field { "-" } else { text });
    fields.collect::<Vec<_>>().join(" ")
}

/// Whether a king and a rook are in place for a castling right.
fn is_castling(position: &Position, right: char) -> bool {
    let white = right.is_ascii_uppercase();
    let rank = if white { 0 } else { 7 };
    let file = match right.to_ascii_lowercase() {
        'k' => 7,
        'q' => 0,
        file => file as u8 - b'a',
    };
    let stands = |file, letter: char| {
        let piece = position.piece_at(Square::at(file, rank));
        let letter = if white { letter } else { letter.to_ascii_lowercase() };
        piece.is_some_and(|piece| piece.letter() == letter)
    };
    stands(4, 'K') && stands(file, 'R')
}
