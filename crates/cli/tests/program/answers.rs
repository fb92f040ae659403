//! Different commands say the same of one thing, and errors suggest what the user meant.

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

/// The arguments are wrong. The error must contain these texts.
fn refused(arguments: &str, status: i32, holds: &[&str]) {
    let ran = run(arguments);
    assert_eq!((ran.status, &*ran.out), (status, ""), "{arguments}: {}", ran.err);
    for part in holds {
        assert!(ran.err.contains(part), "{arguments}: `{part}` is missing: {}", ran.err);
    }
}

/// One command counted invalid numbers in `states`, another did not. `longest` was the longest win in one, and the
/// longest distance in the other.
#[test]
fn states_and_longest_mean_one_thing() {
    let board = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/board.txt");
    results(run(&format!("solve pursuit {board} --out meaning.table")));
    let told =
        ["info", "info --full"].map(|command| object(&format!("{command} meaning.table --json")));
    for told in told {
        assert_eq!((&told["states"], &told["invalid"]), (&json!(2592), &json!(936)), "{told}");
        assert_eq!((&told["longest"], &told["longest_win"]), (&json!(24), &json!(23)), "{told}");
    }
    assert!(results(run("verify meaning.table")).starts_with("OK: 2,592 states"));
    let text = results(run("info meaning.table"));
    assert!(text.contains("\nlongest    24 plies, a win 23 plies\n"), "{text}");
}

/// For a table without distances, `stats` printed the longest win of its histogram, and in the next line that there was
/// none. `play` printed that neither side wins.
#[test]
fn without_distances_no_distance_is_told() {
    LazyLock::force(&FOLDERS);
    let text = results(run("info --full slips-short/KQvK.table"));
    assert!(text.contains("no distances were kept"), "{text}");
    assert!(!text.contains("plies") && !text.contains("longest  "), "{text}");
    for command in ["play", "picture"] {
        let arguments = format!("{command} slips-short/KQvK.table");
        let ran = run(&arguments);
        assert_eq!(ran.status, 3);
        assert!(ran.err.contains("no distances"), "{}", ran.err);
    }
}

/// `--from` and a state after the table were joined to one FEN.
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

/// `info` printed the header of a morris table as raw JSON.
#[test]
fn info_of_morris_is_for_people() {
    LazyLock::force(&FOLDERS);
    let text = results(run("info slips-morris/3-3.table"));
    assert!(!text.contains('{') && text.contains("\n3-3      3-3 "), "{text}");
    let told = object("info slips-morris/3-3.table --json");
    assert_eq!(told["parameters"], json!({ "men": 3, "region": "3-3" }));
    assert_eq!(told["positions"][0]["own"], 3);
}

/// `picture -o a.png` wrote SVG into the file.
#[test]
fn a_picture_is_what_its_name_says() {
    let game = "picture take --heaps 3 --take any";
    refused(&format!("{game} -o slips.png"), 2, &["slips.svg"]);
    assert!(!home().join("slips.png").exists());
    results(run(&format!("{game} -o slips.svg")));
    results(run(&format!("{game} --text -o slips.txt")));
}

/// Without `--force` the error said that `--force` replaces a folder. With `--force` the folder was refused.
#[test]
fn a_folder_is_no_file_to_write_over() {
    fs::create_dir_all(home().join("slips-folder")).unwrap();
    for force in ["", " --force"] {
        let solve = format!("solve take --heaps 3 --take any --out slips-folder{force}");
        refused(&solve, 3, &["slips-folder", "folder"]);
    }
}

/// A wrong argument ended with exit code 1, which is for failed checks.
#[test]
fn arguments_at_fault_leave_with_two() {
    refused("solve quixo --size 9", 2, &["quixo"]);
    refused("solve corner --piece queen --rows 0 --columns 4294967295", 2, &["corner"]);
}

/// Only `verify` accepted one table of a folder by name, and a misspelt name got no suggestion.
#[test]
fn one_table_of_a_folder_is_named() {
    LazyLock::force(&FOLDERS);
    for command in ["info --full", "info", "list", "verify"] {
        assert!(!results(run(&format!("{command} slips-chess KQvK"))).is_empty());
    }
    refused("verify slips-chess KQvQ", 3, &["did you mean KQvKQ?"]);
    refused("info --full slips-chess KQvKR", 3, &["KQvKR", "retrograde build chess KQvKR"]);
    refused("info --full slips-morris 9-9", 3, &["9-9"]);
}

/// The name of a family was reported as an unknown word.
#[test]
fn chess_and_morris_are_built() {
    for command in ["solve chess", "play morris", "line chess"] {
        refused(command, 2, &["retrograde build", "--out DIR"]);
    }
    refused("solve ches", 2, &["did you mean chess?"]);
}

/// If memory was short, the error did not name the option that needs the least.
#[test]
fn too_little_memory_points_to_the_disk() {
    refused("solve take --heaps 99,99,99 --take any --memory 1000", 3, &["--disk DIR"]);
}

/// If the name of a board stood in place of the game, the error only said that it is no table.
#[test]
fn a_forgotten_game_is_noticed() {
    write_file("slips-board.txt", "P.*E\n...T\n");
    write_file("slips-graph.txt", "a b\nb c\n");
    refused("solve slips-board.txt", 3, &["pursuit slips-board.txt"]);
    refused("list slips-graph.txt", 3, &["graph or chase slips-graph.txt"]);
}

/// `stats` looked at every state before it printed what the header knows. For a large table that takes minutes.
#[test]
fn what_the_header_knows_is_told_before_any_state_is_read() {
    results(run_on("solve pursuit - --out slips-damaged.table", "P..*E\n.*...\n..*.T\n.....\n"));
    let path = home().join("slips-damaged.table");
    let whole = results(run("info --full slips-damaged.table"));
    damage(&path);
    let ran = run("info --full slips-damaged.table");
    assert_eq!(ran.status, 3);
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

#[test]
fn a_command_that_suits_the_subject_is_named() {
    let board = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/board.txt");
    results(run(&format!("solve pursuit {board} --out suited.table")));
    let ran = run("solve suited.table");
    assert_eq!(ran.out, results(run("info suited.table")));
    assert!(ran.err.contains("`retrograde info suited.table` prints the same"), "{}", ran.err);
    refused(&format!("info pursuit {board}"), 2, &["pursuit is a game", "--full"]);
    refused(&format!("verify pursuit {board} --checksums"), 2, &["pursuit is a game"]);
    refused("verify suited.table --sample 9", 2, &["--rules"]);
    refused("solve suited.table --disk there", 2, &["leave --disk out"]);
}

#[test]
fn the_start_of_a_table_is_told_by_info() {
    results(run("solve take --heaps 3,5,7 --take any --out told.table"));
    let text = results(run("info told.table"));
    let solved = results(run("solve take --heaps 3,5,7 --take any"));
    let verdict = solved.lines().next().expect("a verdict");
    assert!(text.contains(&format!("\n\n{verdict}\nbest ")), "{text}");
    let told = object("info told.table --from 1,2,4 --json");
    assert_eq!(
        told["start"],
        object("solve take --heaps 3,5,7 --take any --from 1,2,4 --json")["start"]
    );
    refused("info told.table --from nowhere", 3, &["--from nowhere"]);
    refused("info told.table --from 1,2,4 --full", 2, &["--full"]);
}

#[test]
fn colour_is_written_where_it_is_asked_for() {
    let picture = "picture corner --piece king --rows 2 --columns 2 --text";
    for (option, coloured) in
        [("", false), ("--color auto", false), ("--color never", false), ("--color=always", true)]
    {
        let out = results(run(&format!("{picture} {option}")));
        assert_eq!(out.contains("\x1b["), coloured, "{option}: {out}");
        assert_eq!(results(run(&format!("{option} {picture}"))), out);
    }
    refused("--color sometimes list graph -", 2, &["auto"]);
}

/// Spreadsheets could read only the output of `list`.
#[test]
fn every_report_is_written_for_spreadsheets() {
    results(run("solve take --heaps 2,1 --take any --out sheet.table"));
    for (command, titles, fields) in [
        ("verify sheet.table", "game,file,states,moves", "take,sheet.table,6,"),
        ("verify sheet.table --rules", "game,states,seen,moves", "take,6,6,"),
        ("solve take --heaps 2,1 --take any", "game,states,invalid,win,loss,draw,", "take,6,0,"),
        ("info sheet.table --full", "game,states,invalid,win,loss,draw,", "take,6,0,"),
        ("probe sheet.table 2,1", "state,value,distance,moves", "\"2,1\",win,3,"),
        ("line sheet.table", "game,value,distance,states,end.kind,", "take,win,3,"),
    ] {
        let out = results(run(&format!("{command} --format csv")));
        let lines: Vec<_> = out.lines().collect();
        let [head, line] = lines[..] else { panic!("{command}: {out}") };
        assert!(head.starts_with(titles) && line.starts_with(fields), "{command}: {out}");
    }
    let two = results(run("probe sheet.table 2,1 0,0 --format csv"));
    assert_eq!(two.matches("state,").count(), 1, "{two}");
    refused("info sheet.table --format csv --json", 2, &["--json"]);
    let json = results(run("info sheet.table --format json"));
    assert_eq!(json, results(run("info sheet.table --json")));
}
