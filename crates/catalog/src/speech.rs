//! Helpers for messages: numbers as text, the word that a misspelt word means, and messages that are too long.

use std::borrow::Cow;

use retrograde::counted;
use strsim::levenshtein;

/// `1 ply`, `2 plies`.
pub fn plies(distance: u32) -> String {
    counted(distance, "ply")
}

/// The nearest of some known words, if it is so near that the user most likely meant it.
pub fn nearest(word: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let word = word.to_lowercase();
    let (slips, known) =
        known.into_iter().map(|known| (levenshtein(&word, &known), known)).min()?;
    (slips <= known.chars().count() / 3).then_some(known)
}

/// A message without its middle, if it quotes a very long line.
pub fn shortened(message: &str) -> Cow<'_, str> {
    const HEAD: usize = 1000;
    const TAIL: usize = 500;
    if message.len() <= HEAD + TAIL {
        return message.into();
    }
    let boundary = |at: &usize| message.is_char_boundary(*at);
    let head = (0..=HEAD).rev().find(boundary).unwrap_or(0);
    let tail = (message.len() - TAIL..).find(boundary).unwrap_or(message.len());
    let (left_out, tail) = (tail - head, &message[tail..]);
    format!("{} [... {left_out} bytes ...] {tail}", &message[..head]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_from_everything_means_nothing() {
        let games = ["graph", "pursuit", "chase", "take", "corner"];
        for (word, meant) in [
            ("persuit", Some("pursuit")),
            ("Pursuit", Some("pursuit")),
            ("chasse", Some("chase")),
            ("tale", Some("take")),
            ("checkers", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, games.map(String::from)).as_deref(), meant, "{word}");
        }
    }
}
