//! The help, the completions, and what is no proper use of the program.

use crate::{results, run, shell};

#[test]
fn the_help_has_an_example_for_each_game() {
    for arguments in ["--help", "solve --help", "line --help"] {
        let help = results(run(arguments));
        for game in ["graph", "pursuit", "chase", "take", "corner"] {
            let solve = format!("  retrograde solve {game} ");
            assert!(help.contains(&solve), "{arguments} has no example of {game}:\n{help}");
        }
    }
}

/// Beside the folder of examples and in their order, since one asks for the table that another writes.
#[test]
fn the_examples_of_the_help_run() {
    let mut tried = Vec::new();
    for command in
        ["", "build", "solve", "line", "play", "verify", "audit", "list", "info", "probe", "check"]
    {
        let help = results(run(&format!("{command} --help")));
        let examples = help.lines().map(str::trim).filter(|line| line.starts_with("retrograde "));
        // All endgames of so many pieces take minutes.
        for example in examples.filter(|example| !example.contains("--pieces")) {
            if !tried.contains(&example.to_owned()) {
                results(shell(example));
                tried.push(example.to_owned());
            }
        }
    }
    assert!(tried.len() >= 12, "one for each game, and what there is to do with tables");
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = results(run(&format!("completions {shell}")));
        assert!(script.contains("no-distance"), "{shell}");
    }
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
        "solve take --heaps 3 --take any --engine words",
        "solve take --heaps 3 --take any --memory lots",
        "solve take --heaps 3 --take 1,x",
        "solve take --heaps 3 --take any --list",
        "list take --heaps 3 --take any --json --csv",
        "build chess KQvK --out unmade --memory-max 1G",
        "solve take --heaps 3 --take any --no-such-option",
        "completions tcsh",
        "board --rows 3",
        "board --rows 3 --columns 3 --walls 101",
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
