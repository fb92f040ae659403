//! The help, the completions, and wrong arguments.

use std::fs;

use retrograde_catalog::FAMILIES;
use retrograde_games::{GAMES, Spec};
use retrograde_testkit::needs;
use serde_json::Value as Json;

use crate::{home, program, ran, results, run, shell, write_file};

const COMMANDS: [&str; 13] = [
    "solve",
    "line",
    "play",
    "verify",
    "list",
    "info",
    "probe",
    "build",
    "picture",
    "rules",
    "games",
    "board",
    "completions",
];

#[test]
fn every_command_has_an_example_of_its_own_and_solve_one_for_each_game() {
    let all = results(run("--help"));
    for command in COMMANDS {
        assert!(all.contains(&format!("\n  {command} ")), "{command} is missing:\n{all}");
        let help = results(run(&format!("{command} --help")));
        let own = format!("\n  retrograde {command} ");
        assert!(help.contains(&own), "{command} has no example of its own:\n{help}");
    }
    let help = results(run("solve --help"));
    for game in GAMES.iter().map(|game| game.name) {
        let example = format!("  retrograde solve {game}");
        let of_game = |line: &str| {
            line.strip_prefix(&example).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        assert!(help.lines().any(of_game), "no example of {game}:\n{help}");
    }
}

/// The rules of a game stood only in the book, on the page and in the code.
#[test]
fn every_game_is_listed_with_its_rules_and_its_arguments() {
    let list = results(run("games"));
    let told: Json = serde_json::from_str(&results(run("games --json"))).expect("JSON");
    for (kind, len) in [("games", GAMES.len()), ("families", FAMILIES.len())] {
        let all = told[kind].as_array().expect("a list");
        assert_eq!(all.len(), len);
        for of in all {
            let name = of["name"].as_str().expect("a name");
            assert!(list.lines().any(|line| line.starts_with(&format!("{name} "))), "{list}");
            let one = results(run(&format!("games {name}")));
            let rules = of["rules"].as_str().expect("its rules");
            assert!(one.contains(rules), "{one}");
            for parameter in of["parameters"].as_array().into_iter().flatten() {
                let parameter = parameter["name"].as_str().expect("a name");
                assert!(one.contains(&format!("\n--{parameter} ")), "{one}");
            }
            let object = results(run(&format!("games {name} --json")));
            let mut object: Json = serde_json::from_str(&object).expect("JSON");
            object.as_object_mut().expect("an object").remove("format");
            assert_eq!(object, *of);
        }
    }
    let wrong = run("games chequers");
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("chequers") && wrong.err.contains("pursuit"), "{}", wrong.err);
}

/// The title of an example had lost its indent: "# a large random board".
#[test]
fn every_line_of_an_example_is_indented() {
    for command in COMMANDS {
        let help = results(run(&format!("{command} --help")));
        let lost =
            help.lines().find(|line| line.starts_with("# ") || line.starts_with("retrograde "));
        assert_eq!(lost, None, "{command}");
    }
}

#[test]
fn the_help_of_a_game_has_its_options_alone() {
    let options = |help: &str| {
        let all =
            Spec::parameters_of(GAMES.iter().copied()).into_iter().map(|parameter| parameter.name);
        let has = |name: &&str| help.contains(&format!(" --{name}"));
        all.filter(has).collect::<Vec<_>>()
    };
    for command in ["solve", "line", "play", "picture", "list", "info", "verify"] {
        let help = results(run(&format!("{command} --help")));
        // Examples use options of games.
        let general = help.split("\nExample").next().expect("help");
        let found = options(general);
        assert!(found.is_empty(), "{command} shows {found:?}");
        assert!(GAMES.iter().all(|game| general.contains(game.name)), "{general}");
        for game in GAMES {
            let help = results(run(&format!("{command} {} --help", game.name)));
            let own = help.split("\nExample").next().expect("help");
            let found = options(own);
            let expected = game.parameters.iter().map(|parameter| parameter.name);
            let mut expected: Vec<&str> = expected.collect();
            expected.sort_by_key(|name| found.iter().position(|found| found == name));
            assert_eq!(found, expected, "{command} {}", game.name);
            let words = own.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(game.summary) && help.contains(game.example), "{help}");
            assert_eq!(own.contains("[FILE]"), game.file.is_some(), "{own}");
        }
    }
}

#[test]
fn the_version_says_how_the_program_was_built() {
    let short = results(run("-V"));
    assert_eq!(short.trim(), format!("retrograde {}", env!("CARGO_PKG_VERSION")));
    let long = results(run("--version"));
    let built = long.strip_prefix(&short).expect("the same line comes first");
    for part in ["commit: ", ", target: ", ", features: "] {
        assert!(built.contains(part), "{long}");
    }
}

/// Runs in a folder beside the examples, in their order, because some read tables that others write.
#[test]
fn the_examples_of_the_help_run() {
    let mut tried = Vec::new();
    for folder in [
        ".local/share/bash-completion/completions",
        ".zsh/completions",
        ".config/fish/completions",
        ".config/elvish/lib",
    ] {
        fs::create_dir_all(home().join("shell").join(folder)).expect("a home");
    }
    for command in [""].iter().chain(&COMMANDS) {
        let help = results(run(&format!("{command} --help")));
        let examples = help.lines().map(str::trim).skip_while(|line| *line != "Examples:");
        let examples = examples.filter(|line| line.starts_with("retrograde "));
        // A build of all endgames of so many pieces takes minutes.
        for example in examples.filter(|example| !example.contains("--pieces")) {
            if !tried.contains(&example.to_owned()) {
                // A smaller endgame shows the same.
                results(shell(&example.replace("KQRvKR", "KQvKR")));
                tried.push(example.to_owned());
            }
        }
    }
    assert!(tried.len() >= 30, "these tests have lost sight of the examples");
}

/// No line of help is wider than the terminal.
#[test]
fn the_help_is_wrapped_to_the_terminal() {
    for columns in [40, 80, 120] {
        let mut command = program("solve --help");
        let command = command.env("COLUMNS", columns.to_string());
        let help = results(ran(command.output().expect("the program starts")));
        // Lines to copy and names of options may be longer.
        let text = help.split("Examples:").next().expect("help");
        // A usage is one line of any length.
        let usage =
            |line: &&str| line.trim_start_matches("Usage:").trim().starts_with("retrograde ");
        let lines = text.lines().filter(|line| !usage(line));
        let longest = lines.map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest <= columns, "{longest} in {columns} columns:\n{text}");
    }
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = results(run(&format!("completions {shell}")));
        assert!(script.contains("no-distance"), "{shell}");
    }
}

/// The shell itself answers.
#[test]
fn bash_completes_games_and_values() {
    if !needs::program("bash") {
        return;
    }
    for (words, said) in [
        ("sol", "solve"),
        ("solve pu", "pursuit"),
        ("list --compr", ""),
        ("solve --compression b", "best"),
        ("build ch", "chess"),
    ] {
        let line = format!(
            "bash -c '. ./completions.bash; COMP_WORDS=(retrograde {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); \
             _retrograde retrograde \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[@]}}\"'"
        );
        completes("bash", &line, said);
    }
}

/// The shell itself answers.
#[test]
fn fish_completes_games_and_values() {
    if !needs::program("fish") {
        return;
    }
    for (words, said) in [("solve pu", "pursuit"), ("solve --compression be", "best")] {
        let line = format!(
            "fish --no-config -c 'source completions.fish; complete -C \"retrograde {words}\"'"
        );
        completes("fish", &line, said);
    }
}

/// A line that loads the completions of a shell answers this, or nothing if it is empty.
fn completes(shell: &str, line: &str, said: &str) {
    let script = results(run(&format!("completions {shell}")));
    write_file(&format!("completions.{shell}"), script);
    let mut command = std::process::Command::new("sh");
    let output = command.args(["-c", line]).current_dir(home()).output().expect("a shell");
    let out = results(ran(output));
    // The shell may offer files of the folder as well.
    let found = out.split_whitespace().any(|word| word == said);
    assert!(found || out.trim() == said, "{line}: {out}");
}

#[test]
fn wrong_usage_leaves_with_2_and_prints_no_results() {
    for arguments in [
        "",
        "solve",
        "solve chess",
        "solve graph",
        "solve take --heaps 3",
        "solve take --take any",
        "solve corner --piece queen --rows 8",
        "solve corner --piece pawn --rows 8 --columns 8",
        "solve take file --heaps 3 --take any",
        "solve pursuit - --heaps 3",
        "solve pursuit - --misere",
        "solve take --heaps 3 --take any --police 2",
        "solve take --heaps 3 --take any --threads 0",
        "solve take --heaps 3 --take any --engine bit-parallel",
        "solve take --heaps 3 --take any --memory lots",
        "solve take --heaps 3 --take 1,x",
        "solve take --heaps 3 --take any --list",
        "list take --heaps 3 --take any --json --format csv",
        "build chess KQvK --out unmade --memory-max 1G",
        "solve take --heaps 3 --take any --no-such-option",
        "completions tcsh",
        "board --rows 3",
        "board --rows 3 --columns 3 --walls 101",
        "board --rows 3 --columns 3 --walls 1%%",
    ] {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments}: {}", ran.err);
        assert!(
            ran.err.contains("--help"),
            "{arguments} is refused without a way on:\n{}",
            ran.err
        );
    }
}
