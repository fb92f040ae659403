//! A game written out: as lines that `--script` reads again, or as PGN.

use super::field::{End, Field, Record};
use crate::report::line::write_wrapped;

/// A game of the program, a move a line, between remarks.
pub(crate) fn lines(field: &dyn Field, record: &Record<'_>) -> String {
    let mut text = format!("# {}\n", field.title());
    text += &format!("# from {}\n", record.start);
    for (name, player) in field.sides().iter().zip(&record.players) {
        text += &format!("# {name}: {player}\n");
    }
    for (_, choice) in &record.moves {
        text += &choice.label;
        text.push('\n');
    }
    text += &format!("# {}\n", result(&field.sides(), record.end, record.moves.len()));
    text
}

/// `police win after 13 plies (by the rules)`.
pub(crate) fn result(sides: &[String; 2], end: Option<End>, plies: usize) -> String {
    let noun = if plies == 1 { "ply" } else { "plies" };
    match end {
        None => format!("unfinished after {plies} {noun}"),
        Some(End { winner: None, why }) => format!("draw after {plies} {noun} ({why})"),
        Some(End { winner: Some(winner), why }) => {
            format!("win for {} after {plies} {noun} ({why})", sides[winner])
        }
    }
}

/// A game of chess.
pub(crate) fn pgn(record: &Record<'_>) -> String {
    let result = match record.end {
        None => "*",
        Some(End { winner: None, .. }) => "1/2-1/2",
        Some(End { winner: Some(0), .. }) => "1-0",
        Some(_) => "0-1",
    };
    let [white, black] = &record.players;
    let mut text = String::new();
    for (tag, value) in [
        ("Event", "Played against tables"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", white),
        ("Black", black),
        ("Result", result),
        ("SetUp", "1"),
        ("FEN", record.start),
    ] {
        text += &format!("[{tag} \"{value}\"]\n");
    }
    text.push('\n');
    let mut words = Vec::new();
    let mut number = 1;
    for (side, choice) in &record.moves {
        match side {
            0 => words.push(format!("{number}.")),
            _ if words.is_empty() => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(choice.label.clone());
        number += side;
    }
    words.push(result.to_owned());
    let mut wrapped = Vec::new();
    // A vector takes all that is written.
    let _ = write_wrapped(&words, &mut wrapped);
    text + &String::from_utf8_lossy(&wrapped)
}
