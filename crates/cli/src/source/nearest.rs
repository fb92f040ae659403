//! What was meant by a word that is none: the known one that the fewest slips of the pen lead to.

/// The nearest of some words, if it is near enough that nothing else was meant.
pub(crate) fn nearest(word: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let word = word.to_lowercase();
    let (slips, known) = known.into_iter().map(|known| (slips(&word, &known), known)).min()?;
    (slips <= known.chars().count() / 3).then_some(known)
}

/// How many letters must be put in, taken out or changed to make one word the other.
fn slips(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    // The slips from what has been read of one word to each beginning of the other.
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (read, letter) in one.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], read + 1);
        for (at, known) in other.iter().enumerate() {
            let changed = before + usize::from(letter != *known);
            before = row[at + 1];
            row[at + 1] = changed.min(before + 1).min(row[at] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_put_in_taken_out_or_changed() {
        for (one, other, count) in [
            ("", "", 0),
            ("", "take", 4),
            ("take", "", 4),
            ("take", "take", 0),
            ("persuit", "pursuit", 1),
            ("grahp", "graph", 2),
            ("conrer", "corner", 2),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(slips(one, other), count, "{one} {other}");
            assert_eq!(slips(other, one), count, "{other} {one}");
        }
    }

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
