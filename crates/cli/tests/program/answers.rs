//! What commands say of the same thing, and of what was not meant.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use crate::{home, results, run, run_on, write_file};

/// Endgames and morris, with distances and without.
static FOLDERS: LazyLock<()> = LazyLock::new(|| {
    results(run("build chess KQvK --out slips-chess"));
    results(run("build chess KQvK --out slips-short --no-distance"));
    results(run("build morris --men 3 3-3 --out slips-morris"));
});

fn object(arguments: &str) -> Json {
    serde_json::from_str(&results(run(arguments))).expect("one JSON object")
}

/// The arguments are at fault: what the error must hold.
fn refused(arguments: &str, status: i32, holds: &[&str]) {
    let ran = run(arguments);
    assert_eq!((ran.status, &*ran.out), (status, ""), "{arguments}: {}", ran.err);
    for part in holds {
        assert!(ran.err.contains(part), "{arguments}: `{part}` is missing: {}", ran.err);
    }
}

/// `states` counted void numbers here and not there, and `longest` was that of wins here and of all values there.
#[test]
fn states_and_longest_mean_one_thing() {
    let board = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/board.txt");
    results(run(&format!("solve pursuit {board} --out meaning.table")));
    let told = ["solve", "info", "stats"]
        .map(|command| object(&format!("{command} meaning.table --json")));
    for told in told {
        assert_eq!((&told["states"], &told["void"]), (&json!(2592), &json!(936)), "{told}");
        assert_eq!((&told["longest"], &told["longest_win"]), (&json!(24), &json!(23)), "{told}");
    }
    assert!(results(run("verify meaning.table")).starts_with("OK: 2,592 states"));
    let text = results(run("info meaning.table"));
    assert!(text.contains("\nlongest    24 plies, a win 23 plies\n"), "{text}");
}

/// Of a table without distances `stats` told the longest win of its histogram, and in the next line that there was none; `play`
/// said that nobody wins.
#[test]
fn without_distances_no_distance_is_told() {
    LazyLock::force(&FOLDERS);
    let text = results(run("stats slips-short/KQvK.table"));
    assert!(text.contains("no distances were kept"), "{text}");
    assert!(!text.contains("plies") && !text.contains("longest  "), "{text}");
    for command in ["play", "picture"] {
        let arguments = format!("{command} slips-short/KQvK.table");
        let ran = run(&arguments);
        assert_eq!(ran.status, 1);
        assert!(ran.err.contains("no distances were kept"), "{}", ran.err);
    }
}

/// `--from` and a state after the table were made one FEN.
#[test]
fn two_states_are_one_too_many() {
    LazyLock::force(&FOLDERS);
    let [one, two] = ["8/8/8/5k2/8/8/1Q6/K7_w_-_-", "8/8/8/8/8/8/1Q6/k1K5_b_-_-"];
    refused(&format!("line slips-chess --from {one} {two}"), 2, &[two, "one state"]);
    refused(&format!("line slips-chess {one} {two}"), 2, &[two, "one FEN"]);
    refused(&format!("play slips-chess --from {one} {two}"), 2, &[two]);
    refused("line slips-morris --from start start", 2, &["start", "one state"]);
    results(run("line slips-chess --from 8/8/8/5k2/8/8/1Q6/K7 w - -"));
    results(run("solve take --heaps 3 --take any --out slips-take.table"));
    refused("line slips-take.table --from 3 2", 2, &["`2`", "one state"]);
}

/// The header of a table of morris was printed as it stands, in JSON.
#[test]
fn info_of_morris_is_for_people() {
    LazyLock::force(&FOLDERS);
    let text = results(run("info slips-morris/3-3.table"));
    assert!(!text.contains('{') && text.contains("\n3-3      3-3 "), "{text}");
    let told = object("info slips-morris/3-3.table --json");
    assert_eq!(told["parameters"], json!({ "men": 3, "region": "3-3" }));
    assert_eq!(told["positions"][0]["own"], 3);
}

/// `picture -o a.png` wrote SVG into it.
#[test]
fn a_picture_is_what_its_name_says() {
    let game = "picture take --heaps 3 --take any";
    refused(&format!("{game} -o slips.png"), 2, &["slips.svg"]);
    assert!(!home().join("slips.png").exists());
    results(run(&format!("{game} -o slips.svg")));
    results(run(&format!("{game} --text -o slips.txt")));
}

/// Without `--force` a folder was called a file that `--force` writes over, and with it that was refused.
#[test]
fn a_folder_is_no_file_to_write_over() {
    fs::create_dir_all(home().join("slips-folder")).unwrap();
    for force in ["", " --force"] {
        let solve = format!("solve take --heaps 3 --take any --out slips-folder{force}");
        refused(&solve, 1, &["slips-folder", "folder"]);
    }
}

/// An argument at fault left with 1, which is for files.
#[test]
fn arguments_at_fault_leave_with_two() {
    refused("solve quixo --size 9", 2, &["quixo"]);
    refused("solve corner --piece queen --rows 0 --columns 4294967295", 2, &["corner"]);
}

/// One table of a folder could be verified by its name and nothing else; a slip in the name had no suggestion.
#[test]
fn one_table_of_a_folder_is_named() {
    LazyLock::force(&FOLDERS);
    for command in ["stats", "solve", "list", "verify"] {
        assert!(!results(run(&format!("{command} slips-chess KQvK"))).is_empty());
    }
    refused("verify slips-chess KQvQ", 1, &["did you mean KQvKQ?"]);
    refused("stats slips-chess KQvKR", 1, &["KQvKR", "retrograde build chess KQvKR"]);
    refused("stats slips-morris 9-9", 1, &["9-9"]);
}

/// What is solved region by region was an unknown word.
#[test]
fn chess_and_morris_are_built() {
    for command in ["solve chess", "play morris", "line chess"] {
        refused(command, 2, &["retrograde build", "--out DIR"]);
    }
    refused("solve ches", 2, &["did you mean chess?"]);
}

/// Where memory is short the way that needs the least was not named.
#[test]
fn too_little_memory_points_to_the_disk() {
    refused("solve take --heaps 99,99,99 --take any --memory 1000", 1, &["--disk DIR"]);
}

/// The name of a board in the place of the game was no table, and nothing else was said.
#[test]
fn a_forgotten_game_is_noticed() {
    write_file("slips-board.txt", "P.*E\n...T\n");
    write_file("slips-graph.txt", "a b\nb c\n");
    refused("solve slips-board.txt", 1, &["pursuit slips-board.txt"]);
    refused("list slips-graph.txt", 1, &["graph or chase slips-graph.txt"]);
}

/// `stats` looked at every state before it said what the header knows, which takes minutes for a large table.
#[test]
fn what_the_header_knows_is_told_before_any_state_is_read() {
    results(run_on("solve pursuit - --out slips-damaged.table", "P..*E\n.*...\n..*.T\n.....\n"));
    let path = home().join("slips-damaged.table");
    let whole = results(run("stats slips-damaged.table"));
    damage(&path);
    let ran = run("stats slips-damaged.table");
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("block"), "{}", ran.err);
    assert!(ran.out.contains("\nlongest    ") && whole.starts_with(&ran.out), "{}", ran.out);
}

/// Changes a byte of the first block.
fn damage(path: &Path) {
    let bytes = fs::read(path).unwrap();
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let header = u64::from(u32::from_le_bytes(bytes[20..24].try_into().unwrap()));
    let blocks = 56 + header + number(24) + 8;
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.write_all_at(&[!bytes[blocks as usize + 6]], blocks + 6).unwrap();
}
