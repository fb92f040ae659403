//! A game from one page of text: every command takes the path of the text, and a table of it needs no text.

use std::fs;

use serde_json::json;

use crate::chess::json;
use crate::{home, results, run, run_on, write_file};

const ACHI: &str = include_str!("../../../../examples/games/achi.game");
const SECOND: &str = "second .../.M./... MMmmm";

/// A program with the answers about a text or its table: the value of a position and its best moves, and best play.
fn answers(subject: &str) -> [String; 4] {
    let line = results(run(&format!("line {subject} --json")));
    let from = run_on(&format!("play {subject} --side both"), "M*e\n?\nq\n");
    let picture = results(run(&format!("picture {subject}")));
    // The title is the name of the file.
    let shown = |text: String| text.replace(subject, "it");
    [line, shown(results(from)), shown(picture), results(run(&format!("list {subject}")))]
}

#[test]
fn a_table_of_a_text_needs_no_text() {
    write_file("achi.game", ACHI);
    let solved = json(run("solve achi.game --json --out achi.table --force"));
    assert_eq!((&solved["game"], &solved["start"]["value"]), (&json!("achi"), &json!("win")));
    // The counts of `crates/described/tests/described/examples.rs`. A position may be any of sixteen that are equal.
    assert_eq!(solved["positions"], json!({ "win": 7829, "loss": 2153, "draw": 3108 }));
    assert!(solved["states"].as_u64() < Some(1_000), "{solved}");
    let table = answers("achi.table");
    assert!(table[1].contains("   1  first: M*e  (win in 9)"), "{}", table[1]);
    assert_eq!(answers("achi.game"), table);
    for subject in ["achi.game", "text achi.game", "achi.table"] {
        let verified = results(run(&format!("verify {subject}")));
        assert!(verified.starts_with("OK: 920 states"), "{verified}");
    }
    assert!(results(run("verify achi.game --rules")).starts_with("OK: 920 states"));
    fs::remove_file(home().join("achi.game")).expect("the text can be removed");
    assert_eq!(answers("achi.table"), table);
    let mut probe = crate::program("probe achi.table --json");
    let probed = json(crate::ran(probe.arg(SECOND).output().expect("the program starts")));
    assert_eq!((&probed["value"], &probed["distance"]), (&json!("loss"), &json!(8)));
    let info = json(run("info achi.table --json"));
    // The header of a table had no counts of positions.
    assert_eq!(info["positions"], solved["positions"]);
    let shown = results(run("info achi.table"));
    let row = shown.lines().find(|line| line.starts_with("positions ")).expect("a row");
    assert!(row.split_whitespace().eq(["positions", "7,829", "2,153", "3,108"]), "{row}");
    assert_eq!((&info["board"], &info["parameters"]), (&json!(ACHI), &json!({ "numbering": 1 })));
}

/// The other tests run meanwhile, so the threads of a solve take turns in no fixed order.
#[test]
fn the_number_of_threads_changes_no_byte_of_a_table() {
    let known = include_str!("../../../../examples/games/known.txt");
    let blocks = known.split("\n\n").filter(|block| block.contains("\nsize small"));
    let games =
        blocks.filter_map(|block| block.lines().find_map(|line| line.strip_prefix("game ")));
    let games: Vec<&str> = games.collect();
    assert!(games.len() > 20, "{games:?}");
    for game in games {
        let path = format!("{}/../../examples/games/{game}.game", env!("CARGO_MANIFEST_DIR"));
        write_file("threads.game", fs::read_to_string(path).expect("a text"));
        let table = |threads: u32| {
            let out = format!("{game}.{threads}.table");
            results(run(&format!("solve threads.game -j {threads} --out {out} --quiet")));
            fs::read(home().join(out)).expect("a table")
        };
        let one = table(1);
        assert!(one == table(2) && one == table(5), "{game}");
    }
}

/// The program panicked: a position without the king has no state.
#[test]
fn a_move_that_takes_the_last_king_ends_the_game() {
    let text = "game kings\nboard grid 3 3\nmen both king 1\nstart first king a1\nstart second king b2\n\
        move king step all takes\nwin take king\n";
    write_file("kings.game", text);
    let solved = json(run("solve kings.game --json"));
    assert_eq!(solved["start"]["value"], json!("win"), "{solved}");
    let line = json(run("line kings.game --json"));
    assert_eq!(line["states"][1]["state"], json!("second .../.K./..."), "{line}");
    assert_eq!(line["states"][1]["distance"], json!(0), "{line}");
    let played = results(run_on("play kings.game --side first", "a1xb2\n"));
    assert!(played.contains("win"), "{played}");
}

#[test]
fn a_position_follows_a_text_as_it_follows_a_table() {
    write_file("tsoro.game", include_str!("../../../../examples/games/tsoro-yematatu.game"));
    let from = |words: &[&str]| {
        let mut line = crate::program("line tsoro.game --json");
        json(crate::ran(line.args(words).output().expect("the program starts")))
    };
    let state = "second M/.../... MMmmm";
    assert_eq!(from(&[state])["states"][0]["state"], state);
    assert_eq!(from(&[state]), from(&["--from", state]));
}

#[test]
fn a_wrong_text_is_refused_with_the_place() {
    write_file("wrong.game", "game x\nbord grid 3 3\n");
    let ran = run("solve wrong.game");
    assert_eq!(ran.status, 3);
    let expected = "error: wrong.game: line 2, column 1: `bord`: did you mean `board`?";
    assert!(ran.err.starts_with(expected), "{}", ran.err);
    let ran = run("solve nowhere.game");
    assert!(ran.status == 3 && ran.err.contains("nowhere.game: "), "{}", ran.err);
    write_file("right.game", ACHI);
    let ran = run("solve text right.game --numbering 2");
    assert!(ran.status == 2 && ran.err.contains("numbering 2 is not known"), "{}", ran.err);
    for command in ["probe right.game x", "info right.game", "verify right.game --checksums"] {
        let ran = run(command);
        let advice = "`retrograde solve right.game --out FILE` writes a table";
        assert!(ran.status == 2 && ran.err.contains(advice), "{command}: {}", ran.err);
    }
    let ran = run("solve right.game right.game");
    assert!(ran.status == 2 && ran.err.contains("leave `right.game` out"), "{}", ran.err);
}

#[test]
fn the_rules_of_a_text_are_shown_before_it_is_solved() {
    write_file("shown.game", ACHI);
    let shown = results(run("rules shown.game"));
    for said in
        ["achi: first and second, first begins", "positions  13,090 in ", "start      first "]
    {
        assert!(shown.contains(said), "`{said}` is missing:\n{shown}");
    }
    assert_eq!(results(run_on("rules -", ACHI)), shown);
    let ran = run_on("rules -", "game x\nbord grid 3 3\n");
    assert!(ran.err.starts_with("error: standard input: line 2, column 1: `bord`"), "{}", ran.err);
    assert_eq!(ran.status, 3);
}
