//! The record of a game: lines that `--script` reads again, or PGN.

use retrograde_catalog::{Pgn, Played};

/// The record of a game.
pub(crate) struct Record<'a> {
    /// The name of the player of each side.
    pub(crate) players: [String; 2],
    /// The text of the first position.
    pub(crate) start: &'a str,
    /// The moves, each with its side.
    pub(crate) moves: Vec<(usize, &'a Played)>,
    /// How the game ended, if it did.
    pub(crate) end: Option<End>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// The winner; `None` for a draw.
    pub(crate) winner: Option<usize>,
    /// Why, in a few words.
    pub(crate) why: &'static str,
}

/// A game as a script: a move per line, between comments.
pub(crate) fn lines(title: &str, sides: &[&str; 2], record: &Record<'_>) -> String {
    let mut text = format!("# {title}\n");
    text += &format!("# from {}\n", record.start);
    for (name, player) in sides.iter().zip(&record.players) {
        text += &format!("# {name}: {player}\n");
    }
    for (_, choice) in &record.moves {
        text += &choice.step.name;
        text.push('\n');
    }
    text += &format!("# {}\n", result(sides, record.end, record.moves.len()));
    text
}

/// `police win after 13 plies (by the rules)`.
pub(crate) fn result(sides: &[&str; 2], end: Option<End>, plies: usize) -> String {
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
        Some(End { winner, .. }) => retrograde_catalog::result(winner),
    };
    let [white, black] = &record.players;
    let pgn = Pgn {
        event: "Played against tables",
        players: [white, black],
        result,
        start: record.start,
        first: record.moves.first().map_or(0, |(side, _)| *side),
        moves: record.moves.iter().map(|(_, played)| played.step.name.clone()).collect(),
        remark: None,
    };
    pgn.to_string()
}

/// The words of a line of PGN, without numbers, comments, tags and results.
pub(crate) fn pgn_words(line: &str) -> Vec<&str> {
    let line = line.trim();
    if line.starts_with(['[', '#', '%']) {
        return vec![];
    }
    if line.starts_with(":new ") || line.starts_with("new ") {
        return vec![line];
    }
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        if let Some(remark) = rest.strip_prefix('{') {
            rest = remark.split_once('}').map_or("", |(_, rest)| rest).trim_start();
            continue;
        }
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = after.trim_start();
        // A number may touch its move: `1.Kb2`.
        let after_number = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let word = match after_number.strip_prefix('.') {
            Some(after) if after_number.len() < word.len() => after.trim_start_matches('.'),
            _ => word,
        };
        if !word.is_empty() && !["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            words.push(word);
        }
    }
    words
}
