//! Every command works with a family that has no code in the commands, because its line is in the registry.

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
    assert_eq!(answer["moves"][0]["move"], "b2");
    let text = results(run(&format!("probe {} start", *TABLES)));
    assert!(text.starts_with("WIN in 9 plies for x\n\n3 .-.-.\n  |\\|/|\n2 .-.-.\n"), "{text}");
    let line = json(run(&format!("line {} --json", *TABLES)));
    assert_eq!(line["states"].as_array().map(Vec::len), Some(10));
    assert_eq!(line["end"]["kind"], "terminal");
    assert_eq!(results(run(&format!("verify {}", *TABLES))).lines().count(), 7);
    assert_eq!(results(run(&format!("verify --checksums {}", *TABLES))).lines().count(), 7);
    let list = results(run(&format!("list {} p1", *TABLES)));
    assert_eq!(list.lines().count(), 9, "{list}");
    let full = results(run(&format!("info --full {} m", *TABLES)));
    assert!(full.contains("longest wins, in plies"), "{full}");
    results(run(&format!("info {}/m.table", *TABLES)));
}

#[test]
fn tapatan_is_played_and_drawn() {
    let out = results(run_on(&format!("play {} --side both", *TABLES), "b2\n?\nq\n"));
    assert!(out.contains("   1  x: b2  (win in 9)"), "{out}");
    assert!(out.contains("\n2 .-X-.\n"), "{out}");
    let out = results(run(&format!("play {} --side none", *TABLES)));
    assert!(out.contains("win for x after 9 plies (three in a row)"), "{out}");
    let text = results(run(&format!("picture {} --text", *TABLES)));
    assert!(text.starts_with("p0: x to move\n"), "{text}");
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
        ("build --help", "Tapatan"),
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
