//! Numbers and their nouns in messages.

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 state`, `2,592 states`, `1 ply`, `2 plies`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    // No count is that large.
    let count = count.try_into().unwrap_or(u64::MAX);
    let plural = match noun {
        noun if count == 1 => noun.to_owned(),
        "vertex" => "vertices".to_owned(),
        noun => match (noun.strip_suffix("man"), noun.strip_suffix('y')) {
            (Some(stem), _) => format!("{stem}men"),
            (_, Some(stem)) => format!("{stem}ies"),
            _ if noun.ends_with('s') => format!("{noun}es"),
            _ => format!("{noun}s"),
        },
    };
    format!("{} {plural}", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages said "1 blocks", "1 heaps" and "1 tables".
    #[test]
    fn a_noun_agrees_with_its_count() {
        for (count, noun, text) in [
            (0, "block", "0 blocks"),
            (1, "block", "1 block"),
            (1_234_567, "state", "1,234,567 states"),
            (1, "ply", "1 ply"),
            (2, "ply", "2 plies"),
            (2, "process", "2 processes"),
            (2, "vertex", "2 vertices"),
            (1, "policeman", "1 policeman"),
            (3, "policeman", "3 policemen"),
        ] {
            assert_eq!(counted(count, noun), text);
        }
    }
}
