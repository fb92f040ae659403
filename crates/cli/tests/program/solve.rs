//! `retrograde solve`: the verdict, the JSON object, and `list`.

use std::collections::BTreeSet;

use retrograde::Value;
use retrograde_games::{Board, Chase};
use retrograde_positions::AnyStates;
use retrograde_testkit::naive;
use serde_json::{Value as Json, json};

use crate::{results, run, run_on};

fn object(arguments: &str) -> Json {
    serde_json::from_str(&results(run(&format!("{arguments} --json")))).expect("one JSON object")
}

#[test]
fn the_first_line_is_the_verdict() {
    for (arguments, verdict) in [
        ("take --heaps 15 --take 1,2,3", "WIN in 7 plies for the player to move, from 15"),
        ("take --heaps 16 --take 1,2,3", "LOSS in 8 plies for the player to move, from 16"),
        ("take --heaps 16 --take 1,2,3 --misere", "WIN in 8 plies for the player to move, from 16"),
        ("take --heaps 15 --take 1,2,3 --from 1", "WIN in 1 ply for the player to move, from 1"),
        ("take --heaps 15 --take 1,2,3 --no-distance", "WIN for the player to move, from 15"),
    ] {
        let out = results(run(&format!("solve {arguments}")));
        assert_eq!(out.lines().next(), Some(verdict), "{arguments}");
    }
}

/// Threads have to synchronize, which takes longer than a small game.
#[test]
fn a_small_game_is_solved_on_one_thread_unless_more_are_asked_for() {
    let solve = "solve take --heaps 15 --take 1,2,3";
    assert_eq!(object(solve)["threads"], json!(1));
    assert_eq!(object(&format!("{solve} --threads 2"))["threads"], json!(2));
}

#[test]
fn a_board_is_solved_for_the_police() {
    let out = results(run_on("solve pursuit -", "P...\n....\n...T\n"));
    let first = out.lines().next().unwrap_or_default();
    assert!(first.starts_with("WIN in "), "{first}");
    assert!(first.ends_with(" for police, from police 0,0 2,3"), "{first}");
    // 12 cells for each of the two, and either may be to move.
    assert!(out.contains("states     288, invalid 0"), "{out}");
}

#[test]
fn the_object_has_the_promised_keys_in_order() {
    let text = results(run("solve take --heaps 15 --take 1,2,3 --json --threads 1"));
    assert_eq!(text.lines().count(), 1);
    let object: Json = serde_json::from_str(&text).expect("one JSON object");
    let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "format",
            "game",
            "states",
            "invalid",
            "win",
            "loss",
            "draw",
            "longest",
            "longest_win",
            "sides",
            "start",
            "seconds",
            "threads",
            "memory_bytes",
            "table"
        ]
    );
    assert_eq!(object["game"], "take");
    assert_eq!(object["states"], 16);
    assert_eq!(object["invalid"], 0);
    assert_eq!(object["win"], 12);
    assert_eq!(object["loss"], 4);
    assert_eq!(object["draw"], 0);
    assert_eq!(object["longest"], 7);
    assert_eq!(object["sides"], json!({ "player": { "win": 12, "loss": 4, "draw": 0 } }));
    let start = json!({ "state": "15", "value": "win", "distance": 7, "best": ["12"] });
    assert_eq!(object["start"], start);
    assert_eq!(object["threads"], 1);
    assert!(object["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(object["memory_bytes"].as_u64().is_some_and(|bytes| bytes >= 16));
}

#[test]
fn without_distances_they_are_null() {
    let object = object("solve take --heaps 15 --take 1,2,3 --no-distance");
    assert_eq!(object["longest"], Json::Null);
    assert_eq!(object["start"]["value"], "win");
    assert_eq!(object["start"]["distance"], Json::Null);
}

#[test]
fn counts_add_up_by_side_and_invalid() {
    let board = results(run("board --rows 7 --columns 6 --walls 20 --exits 2 --seed 5"));
    assert_eq!(board, results(run("board --rows 7 --columns 6 --walls 20% --exits 2 --seed 5")));
    let text = results(run_on("solve pursuit - --json", &board));
    let object: Json = serde_json::from_str(&text).expect("one JSON object");
    let number = |value: &Json| value.as_u64().expect("a number");
    // 8 of 42 cells are walls.
    assert_eq!(number(&object["states"]), 2 * 34 * 34);
    assert_eq!(number(&object["invalid"]), 2 * 42 * 42 - 2 * 34 * 34);
    let mut all = 0;
    for value in ["win", "loss", "draw"] {
        let [police, thief] = ["police", "thief"].map(|who| number(&object["sides"][who][value]));
        assert_eq!(police + thief, number(&object[value]));
        all += police + thief;
    }
    assert_eq!(all, number(&object["states"]));
    let counts = ["win", "loss", "draw"].map(|value| number(&object["sides"]["police"][value]));
    assert_eq!(counts.iter().sum::<u64>(), 34 * 34);
}

#[test]
fn the_levels_add_up_to_the_counts() {
    let out = results(run("solve take --heaps 15 --take 1,2,3"));
    let levels: Vec<Vec<u64>> = out
        .lines()
        .skip_while(|line| !line.starts_with("levels"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    // Lost in 0, 2, 4, 6 plies with 0, 4, 8 and 12 stones. Won in 1, 3, 5, 7 plies, with three heap sizes each.
    let expected: Vec<Vec<u64>> =
        (0..8).map(|d| if d % 2 == 0 { vec![d, 0, 1] } else { vec![d, 3, 0] }).collect();
    assert_eq!(levels, expected);
}

#[test]
fn many_levels_are_abbreviated() {
    let out = results(run("solve take --heaps 3000 --take 1"));
    assert!(out.contains("(2,985 levels more)"), "{out}");
    assert!(out.lines().count() < 40);
}

#[test]
fn a_game_without_a_start_is_solved_for_all() {
    let out = results(run_on("solve pursuit -", "...\n.E.\n"));
    assert!(out.starts_with("SOLVED "), "{out}");
    let text = results(run_on("solve pursuit - --json", "...\n.E.\n"));
    let object: Json = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!(object["start"], Json::Null);
}

/// The list of a 7x6 board against the naive solver, line by line, for one policeman and for two.
#[test]
fn the_list_is_the_naive_solvers() {
    for (police, rows, columns) in [(1, 7, 6), (2, 4, 3)] {
        let text = results(run(&format!(
            "board --rows {rows} --columns {columns} --walls 15 --exits 2 --police {police} --seed 3"
        )));
        let board = Board::parse(&text).expect("the program's own board");
        let game = Chase::on_board(&board, police).expect("it holds so many police");
        let expected: BTreeSet<String> = (0..)
            .zip(naive::solve(&game))
            .filter_map(|(state, value)| Some(listed(&game.text(state).unwrap(), value?)))
            .collect();
        for options in ["--threads 1", "--threads 2", "--engine scalar"] {
            let arguments = format!("list pursuit - --police {police} {options}");
            let list = results(run_on(&arguments, &text));
            let lines: BTreeSet<String> = list.lines().map(str::to_owned).collect();
            assert_eq!(lines.len(), list.lines().count(), "a state is listed twice");
            assert_eq!(lines, expected);
        }
    }
}

fn listed(text: &str, value: Value) -> String {
    match value {
        Value::Win(distance) => format!("{text}\twin\t{distance}"),
        Value::Loss(distance) => format!("{text}\tloss\t{distance}"),
        Value::Draw => format!("{text}\tdraw\t-"),
    }
}

#[test]
fn a_list_without_distances_has_dashes() {
    let list = results(run("list take --heaps 2 --take 1,2 --no-distance"));
    assert_eq!(list, "0\tloss\t-\n1\twin\t-\n2\twin\t-\n");
}

#[test]
fn corner_prints_its_board() {
    let out = results(run("solve corner --piece rook --rows 3 --columns 4"));
    let board: Vec<&str> = out.lines().rev().take(3).collect();
    // Nim with two heaps: lost if both are equal.
    assert_eq!(board, ["+++-", "++-+", "+-++"]);
}

#[test]
fn a_solve_that_does_not_fit_is_refused_with_the_number() {
    let ran = run("solve corner --piece king --rows 4000 --columns 4000 --memory 1MiB");
    assert_eq!((ran.status, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("MiB of memory and --memory allows 1 MiB"), "{}", ran.err);
    let ran = run("solve corner --piece king --rows 2000000000 --columns 2000000000");
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
}

#[test]
fn audit_and_verify_say_that_all_is_well() {
    for game in [
        "take --heaps 5,7 --take any --misere",
        "corner --piece queen --rows 9 --columns 7",
        "corner --piece bishop --rows 9 --columns 7 --misere",
    ] {
        for check in ["verify --rules", "verify"] {
            let out = results(run(&format!("{check} {game}")));
            assert!(out.starts_with("OK: "), "{check} {game}: {out}");
        }
    }
    let board = results(run("board --rows 6 --columns 7 --seed 1"));
    // A numbering with gaps, which `list` and the counts leave out.
    for (some, seen) in [
        ("--sample 200", "256 of 4,736"),
        ("--states 64..130", "128 of 4,736"),
        ("--states 0..4736", "3,528"),
        ("", "3,528"),
    ] {
        let out = results(run_on(&format!("verify --rules pursuit - {some}"), &board));
        assert!(out.starts_with(&format!("OK: {seen} states, ")), "{out}");
    }
    for (range, said) in [
        ("0..4737", "--states 0..4737: the last state is 4735"),
        ("5..5", "write a range as FROM..TO"),
        ("7", "write a range as FROM..TO"),
    ] {
        let ran = run_on(&format!("verify --rules pursuit - --states {range}"), &board);
        assert!(ran.status == 2 && ran.err.contains(said), "{}", ran.err);
    }
    // The audit checks the rules for all numbers.
    for (options, states) in [("--rules", "3,528"), ("", "2,592"), ("--no-distance", "2,592")] {
        let out = results(run_on(&format!("verify pursuit - {options}"), &board));
        assert!(out.starts_with(&format!("OK: {states} states, ")), "{out}");
    }
}
