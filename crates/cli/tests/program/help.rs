//! The help, the completions, and what is no proper use of the program.

use crate::{program, ran, results, run};

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

#[test]
fn the_examples_of_the_help_run() {
    let help = results(run("--help"));
    let examples = help.lines().filter_map(|line| line.trim().strip_prefix("retrograde "));
    let mut tried = 0;
    // A pipe takes a shell; what it does is tried elsewhere.
    for arguments in examples.filter(|example| !example.contains('|')) {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        results(ran(program(arguments).current_dir(root).output().expect("the program starts")));
        tried += 1;
    }
    assert!(tried >= 5, "one for each game");
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
        "solve take --heaps 3 --take any --json --list",
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
