//! `retrograde probe FOLDER FEN`: what positions and their moves are worth.

use std::io::Write;

use retrograde::{Outcome, Value};
use retrograde_chess::{Answer, Choice, Color, Position, Tablebase};
use serde_json::{Map, Value as Json};

use super::endgames::{Endgames, fens};
use super::{input, position};
use crate::failure::Failure;
use crate::list::word;
use crate::number::plies;
use crate::probe::each_line;

impl Endgames {
    /// Answers for each position; for those on standard input, one a line, where none is given.
    pub(crate) fn probe(
        &self,
        words: Vec<String>,
        json: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let tables = &self.tables;
        if words.is_empty() {
            return each_line(out, |fen| {
                let position = position(fen.trim())?;
                if json {
                    Ok(object(tables, &position)?.to_string())
                } else {
                    brief(tables, &position)
                }
            });
        }
        // All of them first, so that a slip of the pen gives no half of an answer.
        let positions: Result<Vec<_>, _> = fens(words).iter().map(|fen| position(fen)).collect();
        for (place, position) in positions?.iter().enumerate() {
            if json {
                writeln!(out, "{}", object(tables, position)?)?;
                continue;
            }
            if place > 0 {
                writeln!(out)?;
            }
            write_text(tables, position, out)?;
        }
        Ok(())
    }
}

/// The position, its value and its distance, with tabs between.
fn brief(folder: &Tablebase, position: &Position) -> Result<String, Failure> {
    let value = folder.value(position).map_err(input)?;
    let distance = folder.distance(value).map_or("-".to_owned(), |plies| plies.to_string());
    Ok(format!("{position}\t{}\t{distance}", word(value)))
}

fn write_text(folder: &Tablebase, position: &Position, out: &mut dyn Write) -> Result<(), Failure> {
    let answer = folder.probe(position).map_err(input)?;
    let Answer { value, moves: choices, .. } = &answer;
    let length = match answer.distance {
        Some(0) => " (mated)".to_owned(),
        Some(distance) => format!(" in {} (mate in {})", plies(distance), moves(distance)),
        None if choices.is_empty() => " (no move is left)".to_owned(),
        None => String::new(),
    };
    let mover = name(position.turn());
    writeln!(out, "{}{length} for {mover} in {position}", word(*value).to_uppercase())?;
    if choices.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{:<8} {:<6} {:<5} {:>6} {:>8}", "move", "uci", "value", "plies", "mate in")?;
    for Choice { played, value, distance, .. } in choices {
        let cell = |number: Option<u32>| number.map_or("-".to_owned(), |n| n.to_string());
        writeln!(
            out,
            "{:<8} {:<6} {:<5} {:>6} {:>8}",
            position.san(played),
            played.to_string(),
            word(*value),
            cell(*distance),
            cell(distance.map(moves)),
        )?;
    }
    Ok(())
}

/// The answer in the shape of lichess's table server, after the FEN it is for: distances in plies, below zero for who
/// loses, each for the player to move; after a move that is the opponent. What these tables do not know is null.
fn object(folder: &Tablebase, position: &Position) -> Result<Json, Failure> {
    let answer = folder.probe(position).map_err(input)?;
    let mut played = Vec::new();
    for Choice { played: each, after, .. } in &answer.moves {
        let mut object = Map::new();
        object.insert("uci".into(), each.to_string().into());
        object.insert("san".into(), position.san(each).into());
        object.insert("zeroing".into(), each.zeroing().into());
        object.insert("conversion".into(), each.conversion().into());
        let value = folder.value(after).map_err(input)?;
        say(folder, after, value, after.moves().is_empty(), &mut object);
        played.push(Json::Object(object));
    }
    let mut object = Map::new();
    object.insert("fen".into(), position.to_string().into());
    say(folder, position, answer.value, answer.moves.is_empty(), &mut object);
    object.insert("moves".into(), played.into());
    Ok(Json::Object(object))
}

/// What is said of any position; `over` if it has no moves.
fn say(
    folder: &Tablebase,
    position: &Position,
    value: Value,
    over: bool,
    object: &mut Map<String, Json>,
) {
    let sign = if value.outcome() == Outcome::Loss { -1 } else { 1 };
    let dtm = folder.distance(value).map(|plies| sign * i64::from(plies));
    let check = position.in_check();
    for (name, said) in [
        ("category", Json::from(word(value))),
        ("dtz", Json::Null),
        ("precise_dtz", Json::Null),
        ("dtc", Json::Null),
        ("dtm", dtm.into()),
        ("dtw", Json::Null),
        ("checkmate", (over && check).into()),
        ("stalemate", (over && !check).into()),
        ("variant_win", false.into()),
        ("variant_loss", false.into()),
        ("insufficient_material", position.insufficient_material().into()),
    ] {
        object.insert(name.into(), said);
    }
}

/// How many moves of the winner so many plies hold.
fn moves(plies: u32) -> u32 {
    plies.div_ceil(2)
}

/// A side by its name.
pub(super) fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
