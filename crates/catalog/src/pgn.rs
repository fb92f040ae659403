//! Games of chess in Portable Game Notation.

use std::fmt;

/// A game.
pub struct Pgn<'a> {
    /// The event.
    pub event: &'a str,
    /// Who plays white and black.
    pub players: [&'a str; 2],
    /// The result, as PGN writes it.
    pub result: &'static str,
    /// The position it begins in, as a FEN.
    pub start: &'a str,
    /// The side that moves first in it.
    pub first: usize,
    /// The moves, in SAN.
    pub moves: Vec<String>,
    /// A comment after the last move.
    pub remark: Option<String>,
}

/// The result, given who has won.
pub fn result(winner: Option<usize>) -> &'static str {
    match winner {
        None => "1/2-1/2",
        Some(0) => "1-0",
        Some(_) => "0-1",
    }
}

/// The moves with their numbers, one for both sides.
pub fn numbered(moves: &[String], first: usize) -> Vec<String> {
    let mut words = Vec::new();
    for (place, label) in moves.iter().enumerate() {
        let number = 1 + (place + first) / 2;
        match ((place + first) % 2, place) {
            (0, _) => words.push(format!("{number}.")),
            (_, 0) => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(label.clone());
    }
    words
}

impl fmt::Display for Pgn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pgn { event, players: [white, black], result, start, first, moves, remark } = self;
        for (tag, value) in [
            ("Event", *event),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "?"),
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("SetUp", "1"),
            ("FEN", start),
        ] {
            writeln!(f, "[{tag} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut words = numbered(moves, *first);
        words.extend(remark.as_ref().map(|remark| format!("{{{remark}}}")));
        words.push((*result).to_owned());
        wrapped(&words, f)
    }
}

/// Lines of less than 80 characters.
fn wrapped(words: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut column = 0;
    for word in words {
        let len = word.chars().count();
        if column > 0 && column + 1 + len >= 80 {
            writeln!(f)?;
            column = 0;
        }
        if column > 0 {
            write!(f, " ")?;
            column += 1;
        }
        write!(f, "{word}")?;
        column += len;
    }
    writeln!(f)
}
