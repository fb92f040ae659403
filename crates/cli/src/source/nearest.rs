//! What was meant by a word that is none: the known one that the fewest slips of the pen lead to.

use strsim::levenshtein;

/// The nearest of some words, if it is near enough that nothing else was meant.
pub(crate) fn nearest(word: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let word = word.to_lowercase();
    let (slips, known) =
        known.into_iter().map(|known| (levenshtein(&word, &known), known)).min()?;
    (slips <= known.chars().count() / 3).then_some(known)
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
