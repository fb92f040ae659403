//! Reads the arguments. If the parser refuses them, it may suggest others: only those that it accepts.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use retrograde_catalog::{nearest, spec_named};

use crate::source::ranks::{GONE, instead};
use crate::term::failure::Failure;

/// Names of the release before: the old name of a command or an option, and its new words.
const OLD: [(&str, &[&str]); 6] = [
    ("stats", &["info", "--full"]),
    ("check", &["verify", "--checksums"]),
    ("audit", &["verify", "--rules"]),
    ("--errs", &["--blunder-rate"]),
    ("--every", &["--checkpoint-interval"]),
    ("--csv", &["--format=csv"]),
];

/// The new words of an old name.
fn renamed(name: &str) -> Option<&'static [&'static str]> {
    OLD.iter().find(|(old, _)| *old == name).map(|(_, new)| *new)
}

/// The words with each negative number joined to its option: `--heaps=-3,5`. So the option refuses the number, and says
/// which numbers are right.
pub(crate) fn joined(program: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let Some(command) = command_of(program, &words) else { return words };
    let mut joined: Vec<OsString> = Vec::new();
    for word in words {
        let text = word.to_string_lossy();
        let option =
            joined.last().filter(|_| is_negative(&text)).map(|word| word.to_string_lossy());
        let option = option.filter(|option| takes_value(command, option));
        match option.map(|option| format!("{option}={text}")) {
            Some(both) => *joined.last_mut().expect("it has the option") = both.into(),
            None => joined.push(word),
        }
    }
    joined
}

/// The error for an option with one sign in place of two. Without it, `-heaps` would ask for help, as `-h` does.
pub(crate) fn one_sign(program: &Command, words: &[OsString]) -> Option<Failure> {
    let command = command_of(program, words)?;
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let place = words[..end].iter().position(|word| {
        let text = word.to_string_lossy();
        let name = text.strip_prefix('-').unwrap_or_default().split('=').next();
        let name = name.filter(|name| name.len() > 1 && !name.starts_with('-'));
        name.is_some_and(|name| longs(command).any(|long| long == name))
    })?;
    let wrong = words[place].to_string_lossy();
    let mut better = words.to_vec();
    better[place] = format!("-{wrong}").into();
    Some(Failure::Usage(match parses(program, &better) {
        true => format!("unexpected argument '{wrong}' found; did you mean {}?", quoted(&better)),
        false => format!("unexpected argument '{wrong}' found; did you mean `-{wrong}`?"),
    }))
}

/// An error of the parser in better words, if there are any.
pub(crate) fn explained(program: &Command, words: &[OsString], error: &Error) -> Option<Failure> {
    let context = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => return None,
    };
    let Some(ContextValue::String(wrong)) = error.get(context) else { return None };
    Some(Failure::Usage(match error.kind() {
        ErrorKind::InvalidSubcommand => no_command(program, words, wrong),
        _ if is_gone(words, wrong) => {
            let command = words[command_place(words)].to_string_lossy();
            format!("`{wrong}` is gone; {}", instead(&command))
        }
        _ => match tip(program, words, wrong) {
            Some(tip) => format!("unexpected argument '{wrong}' found; {tip}"),
            None => format!("unexpected argument '{wrong}' found"),
        },
    }))
}

/// Whether an option is one of the first cluster.
fn is_gone(words: &[OsString], wrong: &str) -> bool {
    let is = |name: &str| words.get(command_place(words)).is_some_and(|word| word == name);
    GONE.contains(&wrong) && (is("solve") || is("build"))
}

fn no_command(program: &Command, words: &[OsString], wrong: &str) -> String {
    let place = words.iter().position(|word| word == wrong).unwrap_or(1);
    let with = |new: &[&str], skip: usize| {
        let (before, after) = (&words[..place], &words[place + skip..]);
        let new = new.iter().map(OsString::from);
        before.iter().cloned().chain(new).chain(after.iter().cloned()).collect::<Vec<OsString>>()
    };
    let names = program.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<String> = names.map(|command| command.get_name().to_owned()).collect();
    let near = nearest(wrong, names.iter().cloned());
    let candidates = [
        renamed(wrong).map(|new| with(new, 1)),
        spec_named(wrong).map(|spec| match spec.regions {
            None => with(&["solve"], 0),
            Some(_) => {
                let mut build = with(&["build"], 0);
                if !build.iter().any(|word| word == "--out" || word == "-o") {
                    build.extend(["--out", "DIR"].map(OsString::from));
                }
                build
            }
        }),
        program
            .get_arguments()
            .any(|arg| arg.get_long() == Some(wrong))
            .then(|| vec![words[0].clone(), format!("--{wrong}").into()]),
        (wrong == "version").then(|| vec![words[0].clone(), "--version".into()]),
        near.as_deref().map(|name| with(&[name], 1)),
    ];
    let mut better = candidates.into_iter().flatten().filter(|words| parses(program, words));
    match (better.next(), near) {
        (Some(better), _) => {
            format!("`{wrong}` is not a command; did you mean {}?", quoted(&better))
        }
        (None, Some(name)) => format!("`{wrong}` is not a command; did you mean {name}?"),
        (None, None) => {
            format!("`{wrong}` is not a command; the commands are {}", names.join(", "))
        }
    }
}

/// What to do about an unknown argument.
fn tip(program: &Command, words: &[OsString], wrong: &str) -> Option<String> {
    let command = command_of(program, words)?;
    let starts = |word: &OsString| word.to_string_lossy().starts_with(wrong);
    let place = words.iter().skip(2).position(starts)? + 2;
    let word = words[place].to_string_lossy();
    let Some(name) = wrong.strip_prefix("--") else {
        let better = match is_negative(&word) {
            true => behind_dashes(words, place),
            false => list(command, words, place)?,
        };
        return parses(program, &better).then(|| format!("did you mean {}?", quoted(&better)));
    };
    let of = |other: &&Command| longs(other).any(|long| long == name) && !other.is_hide_set();
    let others = program.get_subcommands().filter(of).map(Command::get_name);
    let others: Vec<&str> = others.collect();
    if !others.is_empty() {
        return Some(format!("`{wrong}` is an option of {}", others.join(", ")));
    }
    let near = match renamed(wrong) {
        Some(new) => new.concat(),
        None => format!("--{}", nearest(name, longs(command).map(str::to_owned))?),
    };
    let mut better = words.to_vec();
    better[place] = format!("{near}{}", &word[wrong.len()..]).into();
    parses(program, &better).then(|| format!("did you mean {}?", quoted(&better)))
}

/// The words with one of them at the end, behind `--`.
fn behind_dashes(words: &[OsString], place: usize) -> Vec<OsString> {
    let mut better = words.to_vec();
    let word = better.remove(place);
    better.extend(["--".into(), word]);
    better
}

/// The words with a list of numbers joined by commas: `--heaps 3 5 7` as `--heaps 3,5,7`.
fn list(command: &Command, words: &[OsString], place: usize) -> Option<Vec<OsString>> {
    let is_number = |word: &OsString| word.to_str().is_some_and(|text| text.parse::<u32>().is_ok());
    let start = words[..place].iter().rposition(|word| !is_number(word))? + 1;
    if !takes_value(command, &words[start - 1].to_string_lossy()) {
        return None;
    }
    let end = start + words[start..].iter().take_while(|word| is_number(word)).count();
    let numbers = words[start..end].iter().map(|word| word.to_string_lossy());
    let numbers = numbers.collect::<Vec<_>>().join(",");
    let mut better = words.to_vec();
    better.splice(start..end, [numbers.into()]);
    (end > place).then_some(better)
}

fn command_of<'a>(program: &'a Command, words: &[OsString]) -> Option<&'a Command> {
    let name = words.get(command_place(words))?.to_str()?;
    program.find_subcommand(name).filter(|command| command.get_name() != "serve")
}

/// The index of the command: after the options that belong to all commands.
pub(crate) fn command_place(words: &[OsString]) -> usize {
    match words.get(1).and_then(|word| word.to_str()) {
        Some("--color") => 3,
        Some(word) if word.starts_with("--color=") => 2,
        _ => 1,
    }
}

fn longs(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(Arg::get_long)
}

/// Whether an option has its value in the next word.
fn takes_value(command: &Command, option: &str) -> bool {
    let is_meant = |arg: &&Arg| {
        let long = arg.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long));
        let short = arg.get_short().is_some_and(|short| option == format!("-{short}"));
        (long || short) && arg.get_action().takes_values()
    };
    command.get_arguments().any(|arg| is_meant(&arg))
}

/// Whether a word is a negative number, or several: no option begins with a digit.
fn is_negative(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether the parser accepts these words.
fn parses(program: &Command, words: &[OsString]) -> bool {
    let parsed = program.clone().try_get_matches_from(words);
    let shown = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
    parsed.map_or_else(|error| shown.contains(&error.kind()), |_| true)
}

/// The command line in backquotes, with quotes where a shell needs them.
fn quoted(words: &[OsString]) -> String {
    let word = |word: &OsStr| {
        let text = word.to_string_lossy().into_owned();
        let is_plain = |c: char| c.is_alphanumeric() || "-_./,=:+@%".contains(c);
        if !text.is_empty() && text.chars().all(is_plain) {
            return text;
        }
        format!("'{}'", text.replace('\'', r"'\''"))
    };
    let words: Vec<String> = words[1..].iter().map(|given| word(given)).collect();
    format!("`retrograde {}`", words.join(" "))
}
