//! `retrograde probe FOLDER POSITION`: what positions of morris and their moves are worth.

use std::io::Write;

use retrograde_catalog::word;
use retrograde_morris::{Position, picture};
use serde::Serialize;

use crate::report::format::Printer;
use crate::report::lines::each_line;
use crate::source::mills::Mills;
use crate::term::failure::{Failure, input};
use crate::term::number::plies;

impl Mills {
    /// Answers for each position; for those on standard input, one a line, where none is given.
    pub(crate) fn probe(
        &self,
        words: Vec<String>,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        if words.is_empty() {
            return each_line(printer, |text, printer| {
                let position = self.tables.read(text).map_err(input)?;
                printer.either(
                    |out| Ok(writeln!(out, "{}", self.brief(&position)?)?),
                    || self.object(&position),
                )
            });
        }
        // All of them first, so that a slip of the pen gives no half of an answer.
        for (place, position) in self.positions(words)?.iter().enumerate() {
            printer.between(if place == 0 { "" } else { "\n" })?;
            printer.either(|out| self.write_answer(position, out), || self.object(position))?;
        }
        Ok(())
    }

    /// One position a word, or all words of one that was not quoted.
    fn positions(&self, words: Vec<String>) -> Result<Vec<Position>, Failure> {
        let quoted = words.iter().all(|word| word.contains(' ') || word == "start");
        let texts = if quoted { words } else { vec![words.join(" ")] };
        texts.iter().map(|text| self.tables.read(text).map_err(input)).collect()
    }

    /// The position, its value and its distance, with tabs between.
    fn brief(&self, position: &Position) -> Result<String, Failure> {
        let value = self.tables.value(position).map_err(input)?;
        let distance =
            self.tables.distance(value).map_or("-".to_owned(), |plies| plies.to_string());
        Ok(format!("{position}\t{}\t{distance}", word(value)))
    }

    fn write_answer(&self, position: &Position, out: &mut dyn Write) -> Result<(), Failure> {
        let answer = self.tables.probe(position).map_err(input)?;
        let length = match self.tables.distance(answer.value) {
            Some(0) => " (no move is left)".to_owned(),
            Some(distance) => format!(" in {}", plies(distance)),
            None => String::new(),
        };
        let mover = position.turn().name();
        writeln!(out, "{}{length} for {mover}\n", word(answer.value).to_uppercase())?;
        write!(out, "{}", picture(position))?;
        if answer.moves.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{:<10} {:<5} {:>6}", "move", "value", "plies")?;
        for choice in answer.moves {
            let distance = self.tables.distance(choice.value);
            let distance = distance.map_or("-".to_owned(), |plies| plies.to_string());
            let (played, value) = (position.text(&choice.played), word(choice.value));
            writeln!(out, "{played:<10} {value:<5} {distance:>6}")?;
        }
        Ok(())
    }

    fn object(&self, position: &Position) -> Result<Probed, Failure> {
        let answer = self.tables.probe(position).map_err(input)?;
        let moves = answer.moves.iter().map(|choice| ProbedMove {
            to: choice.after.to_string(),
            played: position.text(&choice.played),
            value: word(choice.value),
            distance: self.tables.distance(choice.value),
        });
        Ok(Probed {
            state: position.to_string(),
            value: word(answer.value),
            distance: self.tables.distance(answer.value),
            moves: moves.collect(),
        })
    }
}

/// A position and its moves, best first.
#[derive(Serialize)]
struct Probed {
    state: String,
    value: &'static str,
    distance: Option<u32>,
    moves: Vec<ProbedMove>,
}

#[derive(Serialize)]
struct ProbedMove {
    to: String,
    #[serde(rename = "move")]
    played: String,
    value: &'static str,
    distance: Option<u32>,
}
