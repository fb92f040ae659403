//! Morris: the tests build tables, probe, list and check them, kill a build, and try wrong input.

use std::sync::LazyLock;
use std::thread::sleep;
use std::time::Duration;

use crate::chess::{files, fresh, json};
use crate::{Ran, program, results, run, run_on};

/// A folder that all tests read and none changes.
static TABLES: LazyLock<&str> = LazyLock::new(|| {
    let built = fresh("morris-tables");
    results(run(&format!("build morris --men 3 --out {built} --verify")));
    "morris-tables"
});

fn asked(command: &str, position: &str, options: &str) -> Ran {
    let mut command = program(&format!("{command} {} {options}", *TABLES));
    crate::ran(command.arg(position).output().expect("the program starts"))
}

#[test]
fn morris_is_probed_by_position() {
    let answer = json(asked("probe", "start", "--json"));
    assert_eq!((&answer["value"], &answer["distance"]), (&"win".into(), &9.into()));
    assert_eq!(answer["moves"][0]["move"], "b2");
    let text = results(asked("probe", "white a1 b1 black a3 b2 hand 1", ""));
    assert!(text.starts_with("WIN in 1 ply for white\n\n3 X---.---.\n"), "{text}");
    assert!(text.contains("\nc1xa3      win        1\n"), "{text}");
    // The stones in any order, one position per line.
    let out = results(run_on(
        &format!("probe {}", *TABLES),
        "white black hand 3\nblack c2, a3, b1 white c3 a2 b2\n",
    ));
    let fields: Vec<&str> = out.lines().flat_map(|line| line.split('\t')).collect();
    assert_eq!(fields[..3], ["white black hand 3", "win", "9"]);
    assert_eq!(fields[3], "black a3 c2 b1 white c3 a2 b2");
}

#[test]
fn best_play_of_morris_takes_as_long_as_is_said() {
    let line = json(asked("line", "start", "--json"));
    let states = line["states"].as_array().expect("states");
    assert_eq!(states.len(), 10);
    for (ply, state) in states.iter().enumerate() {
        assert_eq!(state["distance"], 9 - ply, "{state}");
    }
    assert_eq!((&line["end"]["kind"], &line["end"]["value"]), (&"terminal".into(), &"loss".into()));
    let text = results(asked("line", "start", ""));
    assert!(text.ends_with("\nfewer than three stones left: a loss for black\n"), "{text}");
    let drawn = json(asked("line", "black white a1 hand 3", "--json"));
    assert_eq!((&drawn["value"], &drawn["end"]["kind"]), (&"draw".into(), &"cycle".into()));
}

#[test]
fn lists_counts_and_checks_of_morris_agree() {
    let table = format!("{}/3-3.table", *TABLES);
    let list = results(run(&format!("list {table}")));
    let stats = json(run(&format!("info --full {} --json", *TABLES)));
    let info = json(run(&format!("info {table} --json")));
    for value in ["win", "draw", "loss"] {
        let listed = list.lines().filter(|line| line.split('\t').nth(1) == Some(value)).count();
        assert!(listed > 0, "{value}");
        assert_eq!(stats["tables"]["3-3"][0][value], listed, "{value}");
        assert_eq!(info[value], listed, "{value}");
    }
    let verified = results(run(&format!("verify {}", *TABLES)));
    assert_eq!(verified.lines().filter(|line| line.starts_with("OK: ")).count(), 7);
    assert_eq!(results(run(&format!("verify --checksums {}", *TABLES))).lines().count(), 7);
    assert!(results(run(&format!("info --full {table}"))).contains("longest wins, in plies"));
}

/// Two perfect players play the game to its end: white wins with the ninth move.
#[test]
fn morris_is_played_on_its_board() {
    let out = results(run(&format!("play {} --side none", *TABLES)));
    assert!(out.starts_with("morris-tables: white by retrograde, black by retrograde\n"), "{out}");
    assert!(
        out.contains("\nwin for white after 9 plies (fewer than three stones left)\n"),
        "{out}"
    );
    assert!(out.contains("\n   1  white: b2  (win in 9)\n"), "{out}");
    // A person plays, and uses every command that takes a move back or ends the game.
    for end in ["q", "quit", "exit"] {
        let typed = format!("b2\nundo\na1\nback\nhint\n{end}\nb2\n");
        let out = results(run_on(&format!("play {} --side both", *TABLES), &typed));
        assert!(out.contains("\nbest: b2  (win in 9)\n"), "{out}");
        assert!(out.contains("\n2 .---O---.\n"), "{out}");
        assert!(!out.contains("# white: by hand\n# black: by hand\nb2\n"), "{end}: {out}");
    }
}

#[test]
fn morris_is_drawn() {
    let text = results(run(&format!("picture {} --text", *TABLES)));
    assert!(text.starts_with("p0-0-0: white to move\n"), "{text}");
    assert!(text.contains("WIN in 9 plies for white, from white black hand 3\nb2 "), "{text}");
    let table = format!("{}/3-3.table", *TABLES);
    let svg = results(run(&format!("picture {table} --as histogram")));
    assert!(svg.starts_with("<svg"), "{svg}");
    let at = "white a1 b1 black a3 b2 hand 1";
    let map = results(asked("picture", at, "--of b1 --text"));
    assert!(map.contains("if the white stone stands there"), "{map}");
}

/// Real kills, each later than the one before. The files are those of a build without kills.
#[test]
fn a_killed_build_of_morris_comes_to_the_same_files() {
    let (whole, killed) = (fresh("morris-whole"), fresh("morris-killed"));
    results(run(&format!("build morris --men 6 5-4 --out {whole}")));
    for round in 0..6 {
        let mut child = program(&format!("build morris --men 6 5-4 --out {killed} --threads 1"));
        let mut child = child.spawn().expect("the program starts");
        sleep(Duration::from_millis(20 * round));
        let _ = child.kill();
        child.wait().expect("the program ends");
    }
    results(run(&format!("build morris --men 6 5-4 --out {killed}")));
    assert_eq!(files(whole), files(killed));
}

#[test]
fn what_is_no_position_or_region_of_morris_is_refused() {
    for (position, said) in [
        ("white a1 black a1 hand 2", "there are two stones on a1"),
        ("white a9 black a1 hand 2", "`a9` is not a point"),
        ("white a1 a2", "both sides are named"),
        ("a1 white black", "found `a1` instead of"),
        ("white a1 a2 a3 black b1 b2 b3", "no captures can lead to the mills of white"),
        ("white a1 a2 b3 c3 black b1 b2", "white has 4 stones on the board"),
        ("white a1 a2 b3 black b1 b2", "black has fewer than three stones left"),
        ("white black hand 0", "`hand` is followed by"),
    ] {
        for command in ["probe", "line"] {
            let ran = asked(command, position, "");
            assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{position}");
            assert!(ran.err.contains(said), "{position}: {}", ran.err);
        }
    }
    for arguments in [
        "build morris --out unmade",
        "build morris --men 4 --out unmade",
        "build morris --men 9 8-9 --out unmade",
        "build morris --men 9 --pieces 4 --out unmade",
        "build chess --men 9 --out unmade",
        "verify --rules morris-tables",
    ] {
        let _ = *TABLES;
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments}: {}", ran.err);
    }
    // Tables of two games cannot share a folder.
    let ran = run(&format!("build morris --men 6 3-3 --out {}", *TABLES));
    assert!(ran.status == 3 && ran.err.contains("morris3"), "{}", ran.err);
}
