//! The table of one endgame, in place of the table of a game: each command accepts it.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value as Json, json};

use crate::chess::{TABLES, asked, fresh, json};
use crate::{home, program, results, run, run_on};

fn table(material: &str) -> String {
    format!("{}/{material}.table", *TABLES)
}

/// Every position of a list, with its values.
fn listed(material: &str) -> BTreeMap<String, (String, String)> {
    let out = results(run(&format!("list {}", table(material))));
    let lines = out.lines().map(|line| {
        let [fen, value, distance] =
            line.split('\t').collect::<Vec<_>>().try_into().expect("three fields");
        (fen.to_owned(), (value.to_owned(), distance.to_owned()))
    });
    lines.collect()
}

/// `list` says the same as `probe`, line by line, and as the counts of `info`.
#[test]
fn a_list_has_every_position_once_with_its_value() {
    let out = results(run(&format!("list {}", table("KRvK"))));
    let all = listed("KRvK");
    assert_eq!(all.len(), out.lines().count(), "no position comes twice");
    let info = json(run(&format!("info {} --json", table("KRvK"))));
    for (side, letter) in [("white", " w "), ("black", " b ")] {
        let counts = &info["sides"][side];
        for value in ["win", "loss", "draw"] {
            let found = all.iter().filter(|(fen, said)| fen.contains(letter) && said.0 == value);
            assert_eq!(counts[value], found.count(), "{letter}{value}");
        }
    }
    let fens: String = all.keys().step_by(37).map(|fen| format!("{fen}\n")).collect();
    let probed = results(run_on(&format!("probe {}", table("KRvK")), &fens));
    assert!(probed.lines().count() > 1000);
    for line in probed.lines() {
        let (fen, said) = line.split_once('\t').expect("fields");
        let (value, distance) = &all[fen];
        assert_eq!(said, format!("{value}\t{distance}"), "{fen}");
    }
    let csv = results(run(&format!("list {} --format csv", table("KRvK"))));
    assert_eq!(csv.lines().next(), Some("state,value,distance"));
    assert_eq!(csv.lines().count(), all.len() + 1);
    let ndjson = results(run(&format!("list {} --json", table("KRvK"))));
    let first: Json = serde_json::from_str(ndjson.lines().next().expect("a line")).expect("JSON");
    assert_eq!(all[first["state"].as_str().expect("a FEN")].0, first["value"].as_str().unwrap());
}

#[test]
fn info_counts_the_states_of_an_endgame_and_its_placements() {
    let info = json(run(&format!("info {} --json", table("KQvKR"))));
    assert_eq!(
        (&info["game"], &info["parameters"]["material"]),
        (&"chess".into(), &"KQvKR".into())
    );
    assert_eq!((&info["longest"], &info["longest_win"]), (&json!(70), &json!(69)));
    let mut sum = 0;
    for name in ["white", "black"] {
        for value in ["win", "loss", "draw"] {
            sum += info["sides"][name][value].as_u64().expect("a count");
        }
    }
    assert_eq!((Some(sum), info["numbers"].as_u64()), (info["states"].as_u64(), Some(3_784_704)));
    let text = results(run(&format!("info {}", table("KQvKR"))));
    assert!(!text.contains(['{', '}', '"']), "raw JSON is for programs:\n{text}");
    for said in [
        "\nmaterial   KQvKR\n",
        "states     2,524,224, invalid ",
        "longest    ",
        "KQvKR    white         8,863,768          71,704          17,136          69  8/8/8/8/2r5/",
    ] {
        assert!(text.contains(said), "`{said}` is missing:\n{text}");
    }
}

#[test]
fn info_says_what_a_position_is_worth() {
    let fen = "8/8/8/8/8/1r6/6Q1/k1K5_b_-_-";
    let out = results(run(&format!("info {} --from {fen}", table("KQvKR"))));
    let verdict =
        "\nWIN in 37 plies for black, from 8/8/8/8/8/1r6/6Q1/k1K5 b - - 0 1\nbest       Rb1+\n";
    assert!(out.contains(verdict), "{out}");
    let info = json(run(&format!("info {} --from {fen} --json", table("KQvKR"))));
    assert_eq!(info["start"]["distance"], 37);
    assert_eq!(info["start"]["best"][0], "Rb1+");
}

/// The table of a folder and the folder itself give the same answer.
#[test]
fn line_probe_verify_and_check_take_a_table_of_the_folder() {
    let fen = "8/8/8/8/8/1r6/6Q1/k1K5 b - - 0 1";
    for command in ["line", "probe"] {
        let mut named = program(&format!("{command} {}", table("KQvKR")));
        let named = crate::ran(named.arg(fen).output().expect("the program starts"));
        assert_eq!(results(named), results(asked(command, fen, "")));
    }
    let out = results(run(&format!("verify {}", table("KPvK"))));
    assert!(out.starts_with("OK: KPvK: ") && out.ends_with("every value follows\n"), "{out}");
    assert_eq!(out.lines().count(), 1);
    let out = results(run(&format!("verify --checksums {}", table("KPvK"))));
    assert!(out.starts_with("OK: chess-tables/KPvK.table: "), "{out}");
    assert!(out.ends_with("every checksum holds\n"), "{out}");
}

#[test]
fn a_fen_that_was_not_quoted_is_read() {
    let fen = "8/8/8/8/8/1r6/6Q1/k1K5 b - -";
    for tables in [table("KQvKR"), (*TABLES).to_owned()] {
        for command in ["probe", "line"] {
            let unquoted = results(run(&format!("{command} {tables} {fen}")));
            assert_eq!(unquoted, results(asked(command, fen, "")));
            let unquoted = results(run(&format!("{command} {tables} {fen} 0 1")));
            assert_eq!(unquoted, results(asked(command, fen, "")));
        }
        // Each answer begins with the board.
        let two = results(run(&format!("probe {tables} {fen} k7/8/8/8/8/8/8/K7 w - - --json")));
        assert_eq!(two.lines().count(), 2);
    }
    let ran = run("line take 3");
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("unexpected argument '3'"), "{}", ran.err);
}

#[test]
fn what_makes_no_sense_of_an_endgame_says_what_to_type() {
    let away = fresh("chess-away");
    fs::create_dir_all(home().join(away)).expect("a folder");
    let [from, to] = [table("KQvK"), format!("{away}/KQvK.table")];
    fs::copy(home().join(from), home().join(&to)).expect("a copy");
    let one = table("KPvK");
    for (arguments, status, holds) in [
        (format!("list {}", *TABLES), 3, "name one, like chess-tables/KQvK.table"),
        (format!("verify --rules {one}"), 2, "`retrograde verify chess-tables/KPvK.table`"),
        (format!("solve {one} --out here.table"), 2, "leave --out out"),
        (format!("info {one} --police 2"), 2, "unexpected argument '--police'"),
        (format!("list {one} extra"), 2, "leave `extra` out"),
        (format!("line {one}"), 2, "one FEN"),
        (format!("info {one} --from nonsense"), 3, "FEN `nonsense`"),
        (format!("verify {} kpvk", *TABLES), 3, "did you mean KPvK?"),
        (format!("list {to}"), 3, "retrograde build chess KQvK --out DIR"),
        ("solve persuit board.txt".to_owned(), 2, "did you mean pursuit?"),
        ("solve checkers".to_owned(), 2, "the games are graph, "),
    ] {
        let ran = run(&arguments);
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(holds), "{arguments}: {}", ran.err);
    }
    // `info` works on a table outside its folder.
    results(run(&format!("info {to}")));
}
