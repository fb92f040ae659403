//! `retrograde line FOLDER POSITION`: best play of morris to the end.

use std::collections::HashMap;
use std::io::Write;

use retrograde::Value;
use retrograde_catalog::word;
use retrograde_morris::{Choice, GAME, Position, picture};

use crate::report::format::Printer;
use crate::report::line::{End, Move, Played, Step};
use crate::report::verdict::brief;
use crate::source::mills::Mills;
use crate::term::failure::{Failure, input};

/// Best play from a position to the end.
struct Line {
    /// The positions, each with what it is worth and the move played there; none in the last.
    steps: Vec<(Position, Value, Option<Choice>)>,
    /// The place of the first step whose position comes again.
    back_to: Option<usize>,
}

impl Mills {
    /// Writes best play from the position that these words say: the winner hurries, the loser delays; a draw is played until it
    /// repeats itself.
    pub(crate) fn line(&self, words: &[String], printer: &mut Printer<'_>) -> Result<(), Failure> {
        let line = self.best_play(self.position(words)?)?;
        printer.either(|out| self.line_text(&line, out), || Ok(self.line_object(&line)))
    }

    fn best_play(&self, start: Position) -> Result<Line, Failure> {
        let mut line = Line { steps: Vec::new(), back_to: None };
        // Only draws repeat.
        let mut seen = HashMap::new();
        let mut position = start;
        loop {
            let answer = self.tables.probe(&position).map_err(input)?;
            if answer.value != Value::Draw && !self.tables.has_distances() {
                let advice = "the table has no distances, so best play is unknown";
                return Err(Failure::Input(advice.to_owned()));
            }
            if answer.value == Value::Draw {
                line.back_to = seen.insert(position, line.steps.len());
            }
            let best = answer.best().copied().filter(|_| line.back_to.is_none());
            line.steps.push((position, answer.value, best));
            match best {
                Some(best) => position = best.after,
                None => return Ok(line),
            }
        }
    }

    fn line_text(&self, line: &Line, out: &mut dyn Write) -> Result<(), Failure> {
        let distances = self.tables.has_distances();
        for (ply, (position, value, choice)) in line.steps.iter().enumerate() {
            let played =
                choice.as_ref().map_or(String::new(), |choice| position.text(&choice.played));
            let worth = brief(*value, distances);
            let line = format!("{ply:>4}  {position}  ({worth})  {played}");
            writeln!(out, "{}", line.trim_end())?;
            for row in picture(position).lines() {
                writeln!(out, "      {row}")?;
            }
            writeln!(out)?;
        }
        match (line.back_to, line.steps.last()) {
            (Some(ply), _) => {
                writeln!(out, "from here play goes back to ply {ply}, and round again: a draw")?;
            }
            (None, Some((last, ..))) => {
                let (name, why) = (last.turn().name(), self.why(last));
                writeln!(out, "{name} has {why}: a loss for {name}")?;
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Why the game is over.
    fn why(&self, position: &Position) -> &'static str {
        if position.is_worn() { "fewer than three stones left" } else { "no move left" }
    }

    fn line_object<'a>(&'a self, line: &'a Line) -> Played<'a> {
        let (_, value, _) = line.steps[0];
        let last = line.steps.last().map_or(value, |(_, value, _)| *value);
        let kind = match (line.back_to, line.steps.last()) {
            (Some(_), _) => "cycle",
            (None, Some((position, ..))) if position.is_worn() => "terminal",
            _ => "stuck",
        };
        let back_to = line.back_to.map(|place| place as u64);
        let end = End { kind, value: word(last), back_to };
        let step = |place: usize| {
            let (position, value, choice) = &line.steps[place];
            let played = choice.as_ref().map(|choice| position.text(&choice.played));
            Ok(Step {
                state: position.to_string(),
                value: word(*value),
                distance: self.tables.distance(*value),
                picture: Some(picture(position)),
                played: Some(Move::Morris { played }),
            })
        };
        Played::new((GAME, value, self.tables.has_distances()), line.steps.len(), step, end)
    }
}
