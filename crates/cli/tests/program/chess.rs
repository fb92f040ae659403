//! Chess endgames: the tests build them into a folder, probe FENs, write PGN, kill builds and damage tables.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use retrograde_testkit::{Rng, seed};
use serde_json::Value as Json;

use crate::checkpoint::rounds;
use crate::{Ran, home, program, results, run, run_on};

/// A folder that all tests read and none changes.
pub(super) static TABLES: LazyLock<&str> = LazyLock::new(|| {
    let built = fresh("chess-tables");
    results(run(&format!("build chess KQvKR KPvK KBNvK --out {built} --verify")));
    "chess-tables"
});

/// A folder with this name that does not exist yet.
pub(super) fn fresh(name: &str) -> &str {
    let _ = fs::remove_dir_all(home().join(name));
    name
}

fn probe(fen: &str, options: &str) -> Ran {
    asked("probe", fen, options)
}

pub(super) fn asked(command: &str, fen: &str, options: &str) -> Ran {
    let mut command = program(&format!("{command} {} {options}", *TABLES));
    crate::ran(command.arg(fen).output().expect("the program starts"))
}

pub(super) fn json(ran: Ran) -> Json {
    serde_json::from_str(&results(ran)).expect("an object")
}

/// Every file of a folder.
pub(super) fn files(name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(home().join(name)).expect("there is a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named = |path: &PathBuf| PathBuf::from(path.file_name().expect("a name"));
    paths.map(|path| (named(&path), fs::read(&path).expect("a file"))).collect()
}

#[test]
fn smaller_endgames_come_along_and_are_not_made_twice() {
    let folder = fresh("chess-along");
    let out = results(run(&format!("build chess KRvK --out {folder} --threads 1 --verify")));
    assert!(out.starts_with("KRvK "), "{out}");
    assert!(out.contains("\nOK: 1 table in chess-along, verified, "), "{out}");
    let out = results(run(&format!("build chess KRvKQ --out {folder}")));
    assert!(!out.contains("KRvK "), "{out}");
    assert!(out.contains("\nOK: 3 tables in chess-along, 2 made now, "), "{out}");
    let out = results(run(&format!("build chess KQvKR --out {folder} --memory 1M")));
    assert!(out.starts_with("OK: 3 tables in chess-along, 0 made now, "), "{out}");
}

#[test]
fn stats_count_placements_as_everybody_does() {
    let stats = json(run(&format!("info --full {} --json", *TABLES)));
    let side = |material: &str, side: &str| {
        let said = &stats["tables"][material][side];
        ["win", "draw", "loss", "longest"].map(|key| said[key].as_u64())
    };
    let of = |win, draw, loss, longest| [Some(win), Some(draw), Some(loss), longest];
    assert_eq!(side("KQvK", "white"), of(144_508, 0, 0, Some(19)));
    assert_eq!(side("KQvK", "black"), of(0, 23_048, 200_896, None));
    assert_eq!(side("KRvK", "white"), of(175_168, 0, 0, Some(31)));
    assert_eq!(side("KRvK", "black"), of(0, 22_244, 201_700, None));
    assert_eq!(side("KPvK", "white"), of(124_960, 38_368, 0, Some(55)));
    assert_eq!(side("KPvK", "black"), of(0, 70_420, 97_604, None));
    assert_eq!(side("KBNvK", "white"), of(10_822_184, 53_320, 0, Some(65)));
    assert_eq!(side("KBNvK", "black"), of(0, 2_472_416, 11_188_168, None));
    assert_eq!(side("KQvKR", "white"), of(8_863_768, 71_704, 17_136, Some(69)));
    assert_eq!(side("KQvKR", "black"), of(3_090_088, 627_960, 7_062_680, Some(37)));
    // The example of a longest mate is one of the positions with the longest mates.
    for (material, side) in [("KQvK", "white"), ("KQvKR", "white"), ("KQvKR", "black")] {
        let said = &stats["tables"][material][side];
        let fen = said["fen"].as_str().expect("a position");
        let answer = json(probe(fen, "--json"));
        assert_eq!((&answer["category"], &answer["dtm"]), (&"win".into(), &said["longest"]));
    }
    let text = results(run(&format!("info --full {}", *TABLES)));
    assert!(
        text.contains(
            "KQvKR    black         3,090,088         627,960       7,062,680          37"
        )
    );
}

#[test]
fn a_probe_says_value_plies_and_moves_best_first() {
    let out = results(probe("8/8/8/8/8/1r6/6Q1/k1K5 b - -", ""));
    let expected = "\
WIN in 37 plies (mate in 19) for black in 8/8/8/8/8/1r6/6Q1/k1K5 b - - 0 1

move     uci    value  plies  mate in
Rb1+     b3b1   win       37       19
Rc3+     b3c3   loss      28       14
Rb8      b3b8   loss      18        9
";
    assert!(out.starts_with(expected), "{out}");
    let out = results(probe("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", ""));
    assert_eq!(out, "LOSS (mated) for black in k7/1Q6/1K6/8/8/8/8/8 b - - 0 1\n");
    let out = results(probe("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", ""));
    assert_eq!(out, "DRAW (no move is left) for black in k7/2Q5/1K6/8/8/8/8/8 b - - 0 1\n");
    // Two bare kings need no table.
    let out = results(probe("k7/8/8/8/8/8/8/K7 w - -", ""));
    assert_eq!(out, "DRAW (two bare kings) for white in k7/8/8/8/8/8/8/K7 w - - 0 1\n");
}

/// What the table server says about a position, and about the position after a move.
const SAID_OF_POSITIONS: [&str; 11] = [
    "category",
    "dtz",
    "precise_dtz",
    "dtc",
    "dtm",
    "dtw",
    "checkmate",
    "stalemate",
    "variant_win",
    "variant_loss",
    "insufficient_material",
];

#[test]
fn json_has_the_shape_of_the_table_server() {
    let answer = json(probe("k7/7Q/1K6/8/8/8/8/8 w - - 0 1", "--json"));
    let keys: Vec<_> = answer.as_object().expect("an object").keys().collect();
    assert_eq!(keys, [&["format", "fen"], &SAID_OF_POSITIONS[..], &["moves"]].concat());
    assert_eq!(answer["fen"], "k7/7Q/1K6/8/8/8/8/8 w - - 0 1");
    assert_eq!((&answer["category"], &answer["dtm"]), (&"win".into(), &1.into()));
    let best = &answer["moves"][0];
    let keys: Vec<_> = best.as_object().expect("an object").keys().collect();
    let said_of_moves = ["uci", "san", "zeroing", "conversion"];
    assert_eq!(keys, [&said_of_moves, &SAID_OF_POSITIONS[..]].concat());
    for unknown in ["dtz", "precise_dtz", "dtc", "dtw"] {
        assert_eq!((&answer[unknown], &best[unknown]), (&Json::Null, &Json::Null));
    }
    for never in ["variant_win", "variant_loss", "insufficient_material"] {
        assert_eq!((&answer[never], &best[never]), (&false.into(), &false.into()));
    }
    assert_eq!((&best["category"], &best["dtm"]), (&"loss".into(), &0.into()));
    assert_eq!((&best["checkmate"], &best["stalemate"]), (&true.into(), &false.into()));
    let moves = answer["moves"].as_array().expect("moves");
    let stalemate = moves.iter().find(|each| each["san"] == "Qc7").expect("a slip");
    assert_eq!((&stalemate["category"], &stalemate["dtm"]), (&"draw".into(), &Json::Null));
    assert_eq!(stalemate["stalemate"], true);
    let kings = json(probe("k7/8/8/8/8/8/8/K7 w - -", "--json"));
    assert_eq!(
        (&kings["category"], &kings["insufficient_material"]),
        (&"draw".into(), &true.into())
    );
}

/// A capture, a pawn's step and a promotion, each as the table server counts it.
#[test]
fn moves_that_change_what_can_come_are_marked() {
    for (fen, uci, marks, insufficient) in [
        ("8/8/8/8/3k4/8/3P4/K7 w - -", "d2d3", [true, false], false),
        ("8/8/8/8/3k4/8/3P4/K7 w - -", "a1b1", [false, false], false),
        ("8/3P4/8/8/3k4/8/8/K7 w - -", "d7d8q", [true, true], false),
        ("8/3P4/8/8/3k4/8/8/K7 w - -", "d7d8n", [true, true], true),
        ("8/8/8/8/8/3k4/3P4/K7 b - -", "d3d2", [true, true], true),
        ("8/8/8/8/8/1r6/6Q1/k1K5 b - -", "b3b1", [false, false], false),
    ] {
        let answer = json(probe(fen, "--json"));
        let moves = answer["moves"].as_array().expect("moves");
        let played = moves.iter().find(|each| each["uci"] == uci).expect("a legal move");
        let found = [&played["zeroing"], &played["conversion"]];
        assert_eq!(found, [&marks[0].into(), &marks[1].into()] as [&Json; 2], "{fen} {uci}");
        assert_eq!(played["insufficient_material"], insufficient, "{fen} {uci}");
    }
}

/// The value of each move is that of the position after it, for many positions. The best move gives the value of the
/// position itself.
#[test]
fn answers_agree_from_move_to_move() {
    let mut fen = "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1".to_owned();
    for left in (1..=69).rev() {
        let answer = json(probe(&fen, "--json"));
        assert_eq!(answer["dtm"].as_i64().map(i64::abs), Some(left), "{fen}");
        let best = &answer["moves"][0];
        assert_eq!(best["dtm"].as_i64().map(i64::abs), Some(left - 1), "{fen}");
        let line = results(asked("line", &fen, ""));
        assert_eq!(line.matches(['#']).count(), 1, "{line}");
        if left < 66 {
            break;
        }
        fen = after(&fen, best["uci"].as_str().expect("a move"));
    }
}

/// The FEN after a move without capture and promotion.
fn after(fen: &str, uci: &str) -> String {
    let (board, rest) = fen.split_once(' ').expect("a FEN");
    let mut squares: Vec<Vec<char>> = board
        .split('/')
        .map(|rank| {
            let square = |letter: char| match letter.to_digit(10) {
                Some(empty) => vec!['.'; empty as usize],
                None => vec![letter],
            };
            rank.chars().flat_map(square).collect()
        })
        .collect();
    let at = |text: &str| {
        let bytes = text.as_bytes();
        (usize::from(b'8' - bytes[1]), usize::from(bytes[0] - b'a'))
    };
    let ((from_rank, from_file), (to_rank, to_file)) = (at(&uci[..2]), at(&uci[2..4]));
    squares[to_rank][to_file] = std::mem::replace(&mut squares[from_rank][from_file], '.');
    let ranks: Vec<String> =
        squares.iter().map(|rank| rank.iter().collect::<String>().replace('.', "1")).collect();
    let turn = if rest.starts_with('w') { 'b' } else { 'w' };
    format!("{} {turn} - - 0 1", ranks.join("/"))
}

#[test]
fn positions_on_standard_input_are_answered_a_line_each() {
    let fens = "k7/7Q/1K6/8/8/8/8/8 w - - 0 1\n\nk7/8/8/8/8/8/8/K7 w - -\n";
    let out = results(run_on(&format!("probe {}", *TABLES), fens));
    let expected = "k7/7Q/1K6/8/8/8/8/8 w - - 0 1\twin\t1\nk7/8/8/8/8/8/8/K7 w - - 0 1\tdraw\t-\n";
    assert_eq!(out, expected);
    let out = results(run_on(&format!("probe {} --json", *TABLES), fens));
    assert_eq!(out.lines().count(), 2);
    // Valid lines get an answer, and errors name the invalid lines.
    let fens =
        "k7/8/8/8/8/8/8/K7_w_-_-\nnonsense\n8/8/8/8/3k4/8/5N2/K6R w - -\nk7/8/8/8/8/8/8/K7 b - -\n";
    for options in ["", "--json"] {
        let ran = run_on(&format!("probe {} {options}", *TABLES), fens);
        assert_eq!((ran.status, ran.out.lines().count()), (3, 2), "{}", ran.out);
        let said: Vec<_> = ran.err.lines().collect();
        let [fen, missing, sum] = said[..] else { panic!("{}", ran.err) };
        assert!(fen.starts_with("error: standard input: line 2: FEN `nonsense`: "), "{fen}");
        assert!(missing.starts_with("error: standard input: line 3: "), "{missing}");
        assert!(missing.contains("retrograde build chess KRNvK --out"), "{missing}");
        assert_eq!(sum, "error: 2 of 4 lines could not be answered");
    }
}

#[test]
fn best_play_is_printed_as_pgn() {
    let out = results(asked("line", "k7/8/2K5/8/8/8/8/7Q w - - 0 1", ""));
    let (tags, moves) = out.split_once("\n\n").expect("tags, a blank line, moves");
    assert!(
        tags.contains("[Result \"1-0\"]\n[SetUp \"1\"]\n[FEN \"k7/8/2K5/8/8/8/8/7Q w - - 0 1\"]")
    );
    assert!(moves.starts_with("1. ") && moves.ends_with("# 1-0\n"), "{moves}");
    let out = results(asked("line", "8/8/8/8/8/1r6/6Q1/k1K5 b - - 0 1", ""));
    assert!(out.contains("\n\n1... Rb1+ 2. ") && out.ends_with(" 19. Kh1 Rf1# 0-1\n"), "{out}");
    assert!(out.lines().all(|line| line.len() < 80), "{out}");
    let out = results(asked("line", "8/8/8/8/3k4/8/3P4/K7 b - - 0 1", ""));
    assert!(out.ends_with(" 1/2-1/2\n"), "{out}");
}

#[test]
fn what_no_table_can_answer_is_said_clearly() {
    for (fen, holds) in [
        ("8/8/8/8/4k3/8/8/KQ6 w KQ - 0 1", "castling rights `KQ`"),
        ("8/8/8/3k4/8/8/3P4/K7 w - d6 0 1", "no pawn can be captured en passant on d6"),
        ("8/8/8/8/8/2k5/8/KP6 w - -", "a pawn on b1"),
        ("8/8/8/8/8/2k5/8/KQQQQQQ1 w - -", "8 pieces are too many"),
        ("8/8/8/8/3k4/8/8/K2Q4 w - -", "black is in check, but it is not black's move"),
        ("8/8/8/8/8/8/8/8 w - -", "0 kings"),
        ("8/8/8/8/8/1Q/8/8 w - -", "rank 3"),
        ("8/8/8/8/8/8/8/8 x - -", "side to move"),
        ("nonsense", "a FEN has 4 to 6 fields"),
        ("8/8/8/8/3k4/8/5N2/K6R w - -", "to make it: retrograde build chess KRNvK --out"),
    ] {
        for command in ["probe", "line"] {
            let ran = asked(command, fen, "");
            assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{fen}: {}", ran.err);
            assert!(ran.err.contains(holds), "{fen}: {}", ran.err);
        }
    }
    for (arguments, status, holds) in [
        ("build chess --out nowhere", 2, "name materials, like KQvKR"),
        ("build chess KQKR --out nowhere", 2, "did you mean KQvKR?"),
        ("build chess kqvkr --out nowhere", 2, "did you mean KQvKR?"),
        ("build chess KvK --out nowhere", 2, "two bare kings"),
        ("build chess --pieces 7 --out nowhere", 2, "from 3 to 6"),
        ("build checkers --out nowhere", 2, "chess"),
        ("build chess KQvK", 2, "--out"),
        ("build chess KQvKR --out nowhere --memory 1M", 3, "--memory allows 1 MiB"),
        ("info --full nowhere-at-all", 2, "neither a game nor a table"),
        ("line chess-tables", 2, "FEN"),
    ] {
        let _ = *TABLES;
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(holds), "{arguments}: {}", ran.err);
    }
}

#[test]
fn a_folder_keeps_the_options_it_was_begun_with() {
    let folder = fresh("chess-options");
    results(run(&format!("build chess KRvK --out {folder} --no-distance --compression none")));
    let ran = run(&format!("build chess KQvK --out {folder}"));
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("built with distances off"), "{}", ran.err);
    let stats = json(run(&format!("info --full {folder} --json")));
    assert_eq!(stats["tables"]["KRvK"]["white"]["win"], 175_168);
    assert_eq!(stats["tables"]["KRvK"]["white"]["longest"], Json::Null);
    let fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let ran = run_on(&format!("probe {folder}"), fen);
    assert_eq!(results(ran), format!("{fen}\twin\t-\n"));
    let mut line = program(&format!("line {folder}"));
    let ran = crate::ran(line.arg(fen).output().expect("the program starts"));
    assert!(ran.err.contains("the table has no distances"), "{}", ran.err);
}

#[test]
fn tables_are_the_published_ones() {
    let record = include_str!("../../../../benches/record/endgames-5-2026-11-28.tsv");
    let sums: Vec<String> = record
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let words: Vec<&str> = line.split('\t').collect();
            format!("{} {} {}", words[0], words[5], words[6])
        })
        .collect();
    assert_eq!(include_str!("../../src/commands/published.txt").lines().collect::<Vec<_>>(), sums);

    for (compression, folder) in [("standard", "chess-published"), ("best", "chess-published-best")]
    {
        let folder = fresh(folder);
        results(run(&format!("build chess KQvK KPvK --compression {compression} --out {folder}")));
        let out = results(run(&format!("verify --published {folder}")));
        assert_eq!(out.matches("the published table, ").count(), 5, "{out}");
    }
    let other = fresh("chess-published-fast");
    results(run(&format!("build chess KRvK --no-distance --out {other}")));
    let ran = run(&format!("verify --published {other}"));
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("not the published table of KRvK"), "{}", ran.err);
    let ran = run("verify --published chess");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("name a folder"), "{}", ran.err);
}

#[test]
fn damage_is_named_and_repaired() {
    let folder = fresh("chess-damage");
    results(run(&format!("build chess KQvK KRvK --out {folder}")));
    let whole = files(folder);
    let path = home().join(folder).join("KQvK.table");
    let mut bytes = whole[Path::new("KQvK.table")].clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("a file");
    let ran = run(&format!("verify --checksums {folder}"));
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("to make it: retrograde build chess KQvK --out"), "{}", ran.err);
    let ran = run(&format!("build chess KQvK KRvK --out {folder}"));
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("KQvK.table"), "{}", ran.err);
    assert!(ran.out.contains("1 made now"), "{}", ran.out);
    assert_eq!(files(folder), whole);
    let out = results(run(&format!("verify --checksums {folder}")));
    assert_eq!(out.matches("every checksum holds").count(), 2);
    let out = results(run(&format!("verify {folder}")));
    assert_eq!(out.matches("every value follows").count(), 2);
    let ran = run(&format!("verify {folder} KRvK --memory 20KB"));
    assert!(ran.status != 0 && ran.err.contains("verifying this table takes about"), "{}", ran.err);
    let out = results(run(&format!("verify {folder} KRvK")));
    assert!(out.starts_with("OK: KRvK: 51,044 states, "), "{out}");
}

#[test]
fn a_build_stops_before_the_tables_are_too_large() {
    let folder = fresh("chess-until");
    let build = format!("build chess --pieces 3 --out {folder} --threads 1 --until");
    let out = results(run(&format!("{build} 1KB")));
    assert!(out.contains("OK: 1 of 5 tables"), "{out}");
    let out = results(run(&format!("{build} 1MB")));
    assert!(out.contains("OK: 5 tables") && out.contains("4 made now"), "{out}");
}

#[test]
fn a_plan_names_every_region_and_writes_nothing() {
    let folder = fresh("chess-plan");
    let out = results(run(&format!("build chess --pieces 3 --out {folder} --plan")));
    for material in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        assert!(out.lines().any(|line| line.starts_with(material)), "{out}");
    }
    for said in ["regions    5, to be built 5", "states     467,712", "memory", "disk", "time"] {
        assert!(out.contains(said), "`{said}` is missing:\n{out}");
    }
    assert!(!home().join(folder).exists());
    // The build recognizes finished tables.
    let out = results(run(&format!("build chess KQvKR --out {} --plan", *TABLES)));
    assert!(out.contains("to be built 0"), "{out}");
}

/// Three times here; `scripts/chess` does it more often, with larger endgames.
#[test]
fn a_build_that_was_killed_goes_on_to_the_same_files() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let whole = fresh("chess-whole");
    let begun = Instant::now();
    results(run(&format!("build chess KQvKR --out {whole}")));
    let took = begun.elapsed();
    for _ in 0..rounds() {
        let folder = fresh("chess-killed");
        for _ in 0..3 {
            let mut command = program(&format!("build chess KQvKR --out {folder}"));
            let mut child = command.stdout(Stdio::null()).spawn().expect("the program starts");
            sleep(Duration::from_micros(rng.below(took.as_micros() as u64)));
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
        }
        results(run(&format!("build chess KQvKR --out {folder}")));
        assert_eq!(files(folder), files(whole));
    }
    retrograde_testkit::judged(3 * rounds(), "kills");
}

#[test]
fn a_chess_program_hears_each_answer_at_once() {
    let mut command = program(&format!("uci --tables {}", *TABLES));
    let mut engine =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut asks = engine.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(engine.stdout.take().expect("a pipe")).lines();
    // Each command waits for the answer to the one before.
    for (ask, last) in [
        ("uci", "uciok"),
        ("isready", "readyok"),
        ("position fen 8/8/8/8/2r5/8/2k5/K6Q w - - 0 1\ngo infinite\nisready", "readyok"),
        ("stop", "bestmove "),
    ] {
        writeln!(asks, "{ask}").expect("it listens");
        let mut heard = Vec::new();
        while heard.last().is_none_or(|line: &String| !line.starts_with(last)) {
            heard.push(answers.next().expect("an answer").expect("text"));
        }
        if ask.contains("infinite") {
            assert!(heard.iter().any(|line| line.contains(" score mate 35 ")), "{heard:?}");
        }
    }
    drop(asks);
    assert!(engine.wait().expect("it ends").success());
}
