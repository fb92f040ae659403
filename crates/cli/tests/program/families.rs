//! Every command works with a game of a text that is built in regions, which has no code in the commands.

use std::sync::LazyLock;

use crate::chess::{fresh, json};
use crate::{results, run, run_on};

static TABLES: LazyLock<&str> = LazyLock::new(|| {
    let built = fresh("tapatan-tables");
    results(run(&format!("build tapatan --out {built} --verify")));
    "tapatan-tables"
});

#[test]
fn tapatan_is_probed_listed_checked_and_shown() {
    let answer = json(run(&format!("probe {} start --json", *TABLES)));
    assert_eq!((&answer["value"], &answer["distance"]), (&"win".into(), &9.into()));
    assert_eq!(answer["moves"][0]["move"], "M*e");
    let text = results(run(&format!("probe {} start", *TABLES)));
    assert!(text.starts_with("WIN in 9 plies for first\n\n.-.-.\n|\\|/|\n.-.-.\n"), "{text}");
    let line = json(run(&format!("line {} --json", *TABLES)));
    assert_eq!(line["states"].as_array().map(Vec::len), Some(10));
    assert_eq!(line["end"]["kind"], "terminal");
    assert_eq!(results(run(&format!("verify {}", *TABLES))).lines().count(), 8);
    assert_eq!(results(run(&format!("verify --checksums {}", *TABLES))).lines().count(), 8);
    let list = results(run(&format!("list {} M+2Mv+3M", *TABLES)));
    assert_eq!(list.lines().count(), 3, "{list}");
    let full = results(run(&format!("info --full {} 3Mv3M", *TABLES)));
    assert!(full.contains("longest wins, in plies"), "{full}");
    let sides = results(run(&format!("info {}", *TABLES)));
    assert!(sides.contains("\n3Mv3M    first               129 "), "{sides}");
    results(run(&format!("info {}/3Mv3M.table", *TABLES)));
}

#[test]
fn tapatan_is_played_and_drawn() {
    let out = results(run_on(&format!("play {} --side both", *TABLES), "M*e\n?\nq\n"));
    assert!(out.contains("   1  first: M*e  (win in 9)"), "{out}");
    assert!(out.contains("\n.-M-.\n"), "{out}");
    let out = results(run(&format!("play {} --side none", *TABLES)));
    assert!(out.contains("win for first after 9 plies (by the rules)"), "{out}");
    let text = results(run(&format!("picture {} --text", *TABLES)));
    assert!(text.starts_with("+3Mv+3M: first to move\n"), "{text}");
    assert!(results(run(&format!("picture {}", *TABLES))).starts_with("<svg"));
}

#[test]
fn a_build_takes_the_arguments_of_its_own_family() {
    let ran = run("build tapatan --men 3 --out unmade");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("unexpected argument '--men'"), "{}", ran.err);
    let ran = run("build tapatan p7 --out unmade");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("`p7` is not a region"), "{}", ran.err);
    for (command, said) in [
        ("build --help", "the text of a game"),
        ("build tapatan --help", "regions"),
        ("build morris --help", "--men <MEN>"),
        ("build chess --help", "--pieces <N>"),
        ("build chess --help", "materials, like KQvKR"),
    ] {
        let help = results(run(command));
        assert!(help.contains(said), "`{said}` is missing:\n{help}");
    }
}

/// Every command works with a game that consists of one file and one line of the registry.
#[test]
fn the_l_game_is_solved_asked_played_and_drawn() {
    let solved = json(run("solve l-game --json --out l-game.table --force"));
    let start = &solved["start"];
    assert_eq!(
        (&start["state"], &start["value"]),
        (&"x nxx./.ox./.ox./.oon".into(), &"draw".into())
    );
    let verified = results(run("verify l-game.table"));
    assert!(verified.contains("2,296 states"), "{verified}");
    results(run("verify l-game --rules"));
    let line = results(run("line l-game.table"));
    assert!(line.contains("3 . o x .\n"), "{line}");
    let probe = json(run("probe l-game.table ...n/xxxo/xooo/n... --json"));
    assert_eq!(probe["value"], "draw");
    let out = results(run_on("play l-game.table --side both", "?\nq\n"));
    assert!(out.contains("x by hand") && out.contains("2 . o x ."), "{out}");
    assert!(results(run("picture l-game.table")).starts_with("<svg"));
    for shell in ["bash", "fish", "zsh"] {
        assert!(results(run(&format!("completions {shell}"))).contains("l-game"), "{shell}");
    }
}
