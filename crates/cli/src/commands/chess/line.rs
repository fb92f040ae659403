//! `retrograde line FOLDER FEN`: best play from a position to the end, as PGN or as an object.

use std::collections::HashMap;
use std::io::Write;

use retrograde::{Outcome, Value};
use retrograde_catalog::word;
use retrograde_chess::{Choice, Color, Position, Square, Tablebase};

use crate::report::format::Printer;
use crate::report::line::{End, Move, Played, Step, write_wrapped};
use crate::source::endgames::{Endgames, GAME, position};
use crate::term::failure::{Failure, input};

impl Endgames {
    /// Writes best play: the winner hurries, the loser delays; a draw is played until it repeats itself.
    pub(crate) fn line(&self, fen: &str, printer: &mut Printer<'_>) -> Result<(), Failure> {
        let line = Line::new(&self.tables, position(fen)?)?;
        printer.either(|out| line.pgn(out), || Ok(line.object(&self.tables)))
    }

    /// Best play from a position: from where to where each move goes, and all of it in words.
    pub(crate) fn best_play(
        &self,
        start: &Position,
    ) -> Result<(Vec<(Square, Square)>, String), Failure> {
        let line = Line::new(&self.tables, *start)?;
        let played = line.steps.iter().filter_map(|(_, _, choice)| choice.as_ref());
        let moves = played.map(|choice| (choice.played.from, choice.played.to)).collect();
        Ok((moves, line.movetext().join(" ")))
    }
}

/// Best play from a position to the end.
struct Line {
    value: Value,
    /// The positions, each with what it is worth and the move played there; none in the last.
    steps: Vec<(Position, Value, Option<Choice>)>,
    /// The place of the first step whose position comes again.
    back_to: Option<usize>,
}

impl Line {
    fn new(folder: &Tablebase, start: Position) -> Result<Line, Failure> {
        let value = folder.value(&start).map_err(input)?;
        if value != Value::Draw && !folder.has_distances() {
            let advice = "the table has no distances, so best play is unknown";
            return Err(Failure::Input(advice.to_owned()));
        }
        let mut line = Line { value, steps: Vec::new(), back_to: None };
        // Only draws repeat.
        let mut seen = HashMap::new();
        let mut position = start;
        loop {
            let probed = folder.probe(&position).map_err(input)?;
            let mut best = probed.moves.into_iter().next();
            let stuck = if position.in_check() { Value::Loss(0) } else { Value::Draw };
            if best.as_ref().map_or(stuck, |best| best.value) != probed.value {
                return Err(Failure::Wrong(format!(
                    "{position}: the best move is not worth what the position is said to be; \
                     `retrograde verify` finds what is wrong"
                )));
            }
            if value == Value::Draw {
                line.back_to = seen.insert(position, line.steps.len());
                if position.material().is_none() || line.back_to.is_some() {
                    best = None;
                }
            }
            let next = best.as_ref().map(|best| best.after);
            line.steps.push((position, probed.value, best));
            match next {
                Some(next) => position = next,
                None => return Ok(line),
            }
        }
    }

    /// How it ends, in a word.
    fn end(&self) -> &'static str {
        let last = self.steps.last().map(|(position, ..)| position);
        match (self.back_to, last) {
            (Some(_), _) => "cycle",
            (_, Some(last)) if last.in_check() && last.moves().is_empty() => "checkmate",
            (_, Some(last)) if last.material().is_none() => "bare kings",
            _ => "stalemate",
        }
    }

    fn object<'a>(&'a self, folder: &'a Tablebase) -> Played<'a> {
        let value = self.steps.last().map_or(self.value, |(_, value, _)| *value);
        let back_to = self.back_to.map(|place| place as u64);
        let end = End { kind: self.end(), value: word(value), back_to };
        let step = |place: usize| {
            let (position, value, choice) = &self.steps[place];
            let played = choice.as_ref().map(|choice| &choice.played);
            Ok(Step {
                state: position.to_string(),
                value: word(*value),
                distance: folder.distance(*value),
                picture: None,
                played: Some(Move::Chess {
                    uci: played.map(|played| played.to_string()),
                    san: played.map(|played| position.san(played)),
                }),
            })
        };
        Played::new((GAME, self.value, folder.has_distances()), self.steps.len(), step, end)
    }

    fn pgn(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let start = &self.steps[0].0;
        let result = match (self.value.outcome(), start.turn()) {
            (Outcome::Draw, _) => "1/2-1/2",
            (Outcome::Win, Color::White) | (Outcome::Loss, Color::Black) => "1-0",
            _ => "0-1",
        };
        let tags = [
            ("Event", "Best play"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "?"),
            ("White", "?"),
            ("Black", "?"),
            ("Result", result),
            ("SetUp", "1"),
            ("FEN", &start.to_string()),
        ];
        for (tag, value) in tags {
            writeln!(out, "[{tag} \"{value}\"]")?;
        }
        writeln!(out)?;
        let mut text = self.movetext();
        text.push(result.to_owned());
        write_wrapped(&text, out)
    }

    /// The words of the moves, and why they end where there is more to say than the result.
    fn movetext(&self) -> Vec<String> {
        let black_begins = self.steps[0].0.turn() == Color::Black;
        // Moves have numbers, one for both sides.
        let number = |place: usize| 1 + (place + usize::from(black_begins)) / 2;
        let mut text = Vec::new();
        for (place, (position, _, choice)) in self.steps.iter().enumerate() {
            let Some(choice) = choice else { break };
            match position.turn() {
                Color::White => text.push(format!("{}.", number(place))),
                Color::Black if place == 0 => text.push(format!("{}...", number(place))),
                Color::Black => {}
            }
            text.push(position.san(&choice.played));
        }
        match (self.end(), self.back_to) {
            ("bare kings", _) => text.push("{two bare kings}".to_owned()),
            (_, Some(first)) => {
                text.push(format!("{{as before move {}, and so on}}", number(first)));
            }
            _ => {}
        }
        text
    }
}
