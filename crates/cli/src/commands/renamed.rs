//! Old names of commands and options, accepted for one release.

use std::ffi::OsString;

use crate::term::progress::note;

/// An old command, and its new words.
const COMMANDS: [(&str, &[&str]); 3] = [
    ("stats", &["info", "--full"]),
    ("check", &["verify", "--checksums"]),
    ("audit", &["verify", "--rules"]),
];

/// An old option, and its new name.
const OPTIONS: [(&str, &str); 3] =
    [("--errs", "--blunder-rate"), ("--every", "--checkpoint-interval"), ("--csv", "--format=csv")];

/// The arguments with the new names. Notes the old ones on standard error, unless `--quiet` is given.
pub(crate) fn renamed(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let quiet = words.iter().any(|word| word == "-q" || word == "--quiet");
    let say = |old: &str, new: &str| {
        if !quiet {
            note(&format!(
                "note: `{old}` is now `{new}`; the next release accepts only the new name"
            ));
        }
    };
    let plain = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for word in &mut words[..plain] {
        let Some(text) = word.to_str() else { continue };
        let (name, value) =
            text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        if let Some((old, new)) = OPTIONS.iter().find(|(old, _)| *old == name) {
            say(old, new);
            *word = value.map_or((*new).to_owned(), |value| format!("{new}={value}")).into();
        }
    }
    // `retrograde help stats` asks for the command only.
    let help = words.get(1).is_some_and(|word| word == "help");
    let place = command(&words) + usize::from(help);
    if let Some(word) = words.get(place)
        && let Some((old, new)) = COMMANDS.iter().find(|(old, _)| word == *old)
    {
        say(old, &new.join(" "));
        let new = if help { &new[..1] } else { new };
        words.splice(place..=place, new.iter().map(OsString::from));
    }
    words
}

/// The index of the command: after the options that belong to all commands.
pub(crate) fn command(words: &[OsString]) -> usize {
    match words.get(1).and_then(|word| word.to_str()) {
        Some("--color") => 3,
        Some(word) if word.starts_with("--color=") => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_become_new_ones_and_values_stay() {
        for (old, new) in [
            ("stats board.table", "info --full board.table"),
            ("--color never check stats -q", "--color never verify --checksums stats -q"),
            ("--color=never audit quixo", "--color=never verify --rules quixo"),
            ("help audit", "help verify"),
            ("solve stats --every=5m", "solve stats --checkpoint-interval=5m"),
            ("play x --errs 3 -- --errs", "play x --blunder-rate 3 -- --errs"),
            ("verify check", "verify check"),
        ] {
            let words = |text: &str| {
                let words = ["retrograde"].into_iter().chain(text.split(' '));
                words.map(OsString::from).collect::<Vec<_>>()
            };
            assert_eq!(renamed(words(old)), words(new));
        }
    }
}
