//! `retrograde probe FOLDER FEN`: what positions and their moves are worth.

use std::io::Write;

use retrograde_catalog::word;
use retrograde_chess::{Answer, Choice, Position, Tablebase};

use crate::report::format::Printer;
use crate::report::lines::each_line;
use crate::source::endgames::{Endgames, fens, name, position};
use crate::term::failure::{Failure, input};
use crate::term::number::plies;

impl Endgames {
    /// Answers for each position; for those on standard input, one a line, where none is given.
    pub(crate) fn probe(
        &self,
        words: Vec<String>,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        let tables = &self.tables;
        if words.is_empty() {
            return each_line(printer, |fen, printer| {
                let position = position(fen.trim())?;
                printer.either(
                    |out| Ok(writeln!(out, "{}", brief(tables, &position)?)?),
                    || tables.report(&position).map_err(input),
                )
            });
        }
        // All of them first, so that a slip of the pen gives no half of an answer.
        let positions: Result<Vec<_>, _> = fens(words).iter().map(|fen| position(fen)).collect();
        for (place, position) in positions?.iter().enumerate() {
            printer.between(if place == 0 { "" } else { "\n" })?;
            printer.either(
                |out| write_text(tables, position, out),
                // In the shape of lichess's table server.
                || tables.report(position).map_err(input),
            )?;
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

/// How many moves of the winner so many plies hold.
fn moves(plies: u32) -> u32 {
    plies.div_ceil(2)
}
