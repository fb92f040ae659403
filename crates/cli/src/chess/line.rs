//! `retrograde line FOLDER FEN`: best play from a position to the end, as PGN.

use std::collections::HashMap;
use std::io::Write;

use retrograde::{Outcome, Value};
use retrograde_chess::{Color, Position, Tablebase};

use super::endgames::Endgames;
use super::{input, position};
use crate::failure::Failure;

impl Endgames {
    /// Writes best play: the winner hurries, the loser delays; a draw is played until it repeats itself.
    pub(crate) fn line(&self, fen: &str, out: &mut dyn Write) -> Result<(), Failure> {
        write_line(&self.tables, fen, out)
    }
}

fn write_line(folder: &Tablebase, fen: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let start = position(fen)?;
    let value = folder.value(&start).map_err(input)?;
    if value != Value::Draw && !folder.has_distances() {
        let advice = "no distances were kept, and without them nobody sees the way to mate";
        return Err(Failure::Input(advice.to_owned()));
    }
    let (text, result) = movetext(folder, start, value)?;
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
    write_wrapped(&text, out)
}

/// The words of the moves, the result last; and the result.
fn movetext(
    folder: &Tablebase,
    start: Position,
    value: Value,
) -> Result<(Vec<String>, &'static str), Failure> {
    let result = match (value.outcome(), start.turn()) {
        (Outcome::Draw, _) => "1/2-1/2",
        (Outcome::Win, Color::White) | (Outcome::Loss, Color::Black) => "1-0",
        _ => "0-1",
    };
    let mut text = Vec::new();
    // Only draws repeat.
    let mut seen = HashMap::new();
    let (mut position, mut number) = (start, 1);
    let mut end = None;
    loop {
        let probed = folder.probe(&position).map_err(input)?;
        let best = probed.moves.into_iter().next();
        let stuck = if position.in_check() { Value::Loss(0) } else { Value::Draw };
        if best.as_ref().map_or(stuck, |best| best.value) != probed.value {
            return Err(Failure::Input(format!(
                "{position}: the best move is not worth what the position is said to be; \
                 `retrograde verify` finds what is wrong"
            )));
        }
        let Some(best) = best else { break };
        if value == Value::Draw {
            if position.material().is_none() {
                end = Some("{two bare kings}".to_owned());
                break;
            }
            if let Some(first) = seen.insert(position, number) {
                end = Some(format!("{{as before move {first}, and so on}}"));
                break;
            }
        }
        match position.turn() {
            Color::White => text.push(format!("{number}.")),
            Color::Black if text.is_empty() => text.push(format!("{number}...")),
            Color::Black => {}
        }
        text.push(position.san(&best.played));
        if position.turn() == Color::Black {
            number += 1;
        }
        position = best.after;
    }
    text.extend(end);
    text.push(result.to_owned());
    Ok((text, result))
}

/// Lines of less than 80 characters, as PGN has them.
fn write_wrapped(words: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() >= 80 {
            writeln!(out)?;
            column = 0;
        }
        if column > 0 {
            write!(out, " ")?;
            column += 1;
        }
        write!(out, "{word}")?;
        column += word.len();
    }
    Ok(writeln!(out)?)
}
