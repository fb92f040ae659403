//! Tables as a user sees them: written, used in place of the game, listed, checked, damaged.

use std::fs;
use std::path::PathBuf;
use std::sync::Once;

use retrograde::{Game, Probe, Solution, Status, Value};
use retrograde_games::{Board, Pursuit, Take, Takes};
use retrograde_table::{About, InvalidStates, Writer};
use serde_json::{Value as Json, json};

use crate::{Ran, home, program, results, run, run_on, write_file};

/// Games to make tables of: the name of the file, the arguments of the solve, and whether `--half` works.
const GAMES: &[(&str, &str, bool)] = &[
    ("take", "take --heaps 3,5,7 --take any", false),
    ("misere", "take --heaps 15,3 --take 1,2,3 --misere", false),
    ("corner", "corner --piece queen --rows 9 --columns 7", false),
    ("graph", "graph tables-graph.txt", false),
    ("graph-misere", "graph tables-graph.txt --misere", false),
    ("chase", "chase tables-chase.txt --police 2", true),
    ("pursuit", "pursuit tables-board.txt", true),
    ("pursuit-two", "pursuit tables-small.txt --police 2", true),
];

/// Writes the boards. Several tests read them, so none may find one half written.
fn write_boards() {
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(write_boards_anew);
}

fn write_boards_anew() {
    write_file("tables-graph.txt", "a b\nb c\nc a\nc d\nd e\nb f\n= f win\n");
    write_file("tables-chase.txt", "a b\nb c\nc d\nd e\ne a\n! c\npolice a\npolice b\nthief d\n");
    let board = results(run("board --rows 9 --columns 8 --walls 20 --exits 2 --seed 3"));
    write_file("tables-board.txt", board);
    let board = results(run("board --rows 4 --columns 3 --walls 10 --exits 1 --police 2 --seed 3"));
    write_file("tables-small.txt", board);
}

fn path(name: &str) -> PathBuf {
    home().join(name)
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).expect("JSON")
}

/// A JSON object without the cost of the values.
fn costless(text: &str) -> Json {
    let mut object = json(text);
    let entries = object.as_object_mut().expect("an object");
    for key in ["seconds", "threads", "memory_bytes", "table"] {
        entries.remove(key);
    }
    object
}

#[test]
fn a_table_answers_what_a_solve_answers() {
    write_boards();
    for (name, game, halves) in GAMES {
        for options in ["", "--half", "--compression none", "--compression best", "--no-distance"] {
            if options == "--half" && !halves {
                continue;
            }
            let table = format!("answers-{name}{}.table", options.replace(' ', ""));
            let solved = results(run(&format!("solve {game} --json --out {table} {options}")));
            assert_eq!(json(&solved)["table"]["file"], json!(table));
            let asked = json(&results(run(&format!("info {table} --json"))));
            let told = costless(&solved);
            for (key, value) in told.as_object().expect("an object") {
                assert_eq!(&asked[key], value, "{key} of {game} {options}");
            }

            let distances = if options == "--no-distance" { options } else { Default::default() };
            let list = results(run(&format!("list {game} {distances}")));
            assert_eq!(results(run(&format!("list {table}"))), list, "{game} {options}");

            // The states one by one, in another order.
            let backwards: Vec<&str> = list.lines().rev().collect();
            let states: Vec<&str> =
                backwards.iter().filter_map(|line| line.split('\t').next()).collect();
            let probed = results(run_on(&format!("probe {table}"), &states.join("\n")));
            assert!(probed.lines().eq(backwards), "{game} {options}");

            for check in ["verify", "verify --checksums", "verify --rules"] {
                assert!(results(run(&format!("{check} {table}"))).starts_with("OK: "));
            }
            if distances.is_empty() && !game.contains("small") {
                let line = results(run(&format!("line {game}")));
                assert_eq!(results(run(&format!("line {table}"))), line, "{game} {options}");
            }
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_how_the_game_was_solved() {
    write_boards();
    let first = "solve pursuit tables-board.txt --out bytes-0.table --threads 1 --engine scalar";
    results(run(first));
    for (number, how) in
        ["--threads 2 --engine scalar", "--threads 1", "--threads 2", "--threads 7", "--police 1"]
            .iter()
            .enumerate()
    {
        let table = format!("bytes-{}.table", number + 1);
        results(run(&format!("solve pursuit tables-board.txt --out {table} {how}")));
        assert_eq!(fs::read(path(&table)).unwrap(), fs::read(path("bytes-0.table")).unwrap());
    }
}

#[test]
fn a_probe_has_every_move_best_first() {
    results(run("solve take --heaps 6 --take 1,2,3 --out probe.table"));
    let object = json(&results(run("probe probe.table 6 --json")));
    let expected = json!({
        "format": 2, "state": "6", "value": "win", "distance": 3,
        "moves": [
            { "to": "4", "value": "win", "distance": 3 },
            { "to": "5", "value": "loss", "distance": 4 },
            { "to": "3", "value": "loss", "distance": 2 },
        ],
    });
    assert_eq!(object, expected);
    assert_eq!(results(run("probe probe.table 0 5")), "0\tloss\t0\n5\twin\t3\n");
    let stuck = json(&results(run("probe probe.table 0 --json")));
    assert_eq!(stuck["moves"], json!([]));
}

#[test]
fn states_come_from_standard_input_too() {
    results(run("solve take --heaps 6 --take 1,2,3 --out stdin.table"));
    assert_eq!(results(run_on("probe stdin.table", "6\n\n 4 \n")), "6\twin\t3\n4\tloss\t2\n");
    let ran = run_on("probe stdin.table", "6\n7\n5\n");
    // The questions before and after the wrong one get their answers.
    assert_eq!((ran.status, ran.out.as_str()), (3, "6\twin\t3\n5\twin\t3\n"));
    assert!(ran.err.starts_with("error: standard input: line 2: state 7"), "{}", ran.err);
    assert!(ran.err.ends_with("\nerror: 1 of 3 lines could not be answered\n"), "{}", ran.err);
    let mut command = program("probe stdin.table");
    let bytes = b"\xff\xfe\n6";
    let ran = crate::run_command_on(&mut command, bytes);
    assert_eq!((ran.status, ran.out.as_str()), (3, "6\twin\t3\n"), "{}", ran.err);
    assert!(ran.err.contains("line 1: this is not text"), "{}", ran.err);
    let ran = run("probe stdin.table 6 7");
    assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{}", ran.err);
}

#[test]
fn a_caller_that_waits_for_an_answer_gets_it() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    results(run("solve take --heaps 6 --take 1,2,3 --out dialogue.table"));
    let mut command = program("probe dialogue.table");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for (question, answer) in [("6\n", "6\twin\t3\n"), ("4\n", "4\tloss\t2\n")] {
        questions.write_all(question.as_bytes()).unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert_eq!(line, answer);
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_line_begins_where_one_says() {
    results(run("solve take --heaps 6 --take 1,2,3 --out line.table"));
    let line = results(run("line take --heaps 6 --take 1,2,3 --from 5"));
    assert_eq!(results(run("line line.table 5")), line);
    assert_eq!(results(run("line line.table --from 5")), line);
    let ran = run("line line.table 9");
    assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{}", ran.err);
}

#[test]
fn lists_are_exported() {
    results(run("solve take --heaps 2,1 --take 1 --out export.table"));
    let csv =
        "state,value,distance\n\"0,0\",loss,0\n\"0,1\",win,1\n\"1,0\",win,1\n\"1,1\",loss,2\n";
    let list = results(run("list export.table --format csv"));
    assert!(list.starts_with(csv), "{list}");
    assert_eq!(results(run("list take --heaps 2,1 --take 1 --format csv")), list);
    let lines = results(run("list export.table --json"));
    let first = json(lines.lines().next().unwrap());
    assert_eq!(first, json!({ "format": 2, "state": "0,0", "value": "loss", "distance": 0 }));
    assert_eq!(lines.lines().count(), 6);
    let cycle = results(run_on("list graph - --format csv", "a b\nb a\n"));
    assert_eq!(cycle, "state,value,distance\na,draw,\nb,draw,\n");
}

#[test]
fn a_table_says_what_it_is_of() {
    write_boards();
    results(run("solve pursuit tables-board.txt --out info.table"));
    let text = results(run("info info.table"));
    for part in ["game       pursuit\n", "police     1\n", "levels ", "bits a state", "board\n"] {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
    let object = json(&results(run("info info.table --json")));
    assert_eq!(object["game"], "pursuit");
    assert_eq!(object["parameters"], json!({ "police": 1 }));
    assert_eq!(object["board"], json!(fs::read_to_string(path("tables-board.txt")).unwrap()));
    assert_eq!(object["table"]["bytes"], json!(fs::metadata(path("info.table")).unwrap().len()));
    let solved = json(&results(run("solve pursuit tables-board.txt --json")));
    for counted in ["states", "invalid", "win", "loss", "draw", "longest", "sides"] {
        assert_eq!(object[counted], solved[counted], "{counted}");
    }
    let levels = object["levels"].as_array().unwrap();
    let wins: u64 = levels.iter().filter_map(|level| level["win"].as_u64()).sum();
    assert_eq!(json!(wins), solved["win"]);
    // The text says the same as the numbers.
    let solved = results(run("solve pursuit tables-board.txt"));
    let counts = |out: &str| {
        let from = out.find("states ").expect("counts");
        out[from..]
            .lines()
            .take_while(|line| !line.starts_with("levels"))
            .map(str::to_owned)
            .collect()
    };
    let [said, expected]: [Vec<String>; 2] = [counts(&text), counts(&solved)];
    assert_eq!(said, expected);
}

#[test]
fn a_folder_stands_for_its_table() {
    for (folder, games) in [("folder-one", &["5"][..]), ("folder-two", &["5", "6"])] {
        fs::create_dir_all(path(folder)).unwrap();
        for heap in games {
            results(run(&format!(
                "solve take --heaps {heap} --take 1 --out {folder}/{heap}.table"
            )));
        }
    }
    assert_eq!(results(run("probe folder-one 5")), "5\twin\t5\n");
    assert_eq!(results(run("line folder-one")), results(run("line take --heaps 5 --take 1")));
    refused(&run("probe folder-two 5"), &["folder-two", "2 tables", "5.table"]);
    refused(&run("line folder-two"), &["2 tables"]);
    for check in ["verify --checksums", "verify"] {
        let out = results(run(&format!("{check} folder-two")));
        assert_eq!(out.matches("OK: ").count(), 2, "{out}");
    }
    assert_eq!(results(run("info folder-two --json")).lines().count(), 2);
    fs::create_dir_all(path("folder-none")).unwrap();
    for command in ["probe", "verify --checksums", "info", "verify"] {
        refused(&run(&format!("{command} folder-none")), &["folder-none", "no table"]);
    }
}

#[test]
fn what_cannot_be_done_with_a_table_is_refused() {
    results(run("solve take --heaps 3 --take 1 --out refuse.table"));
    write_file("refuse-no.table", "retrograde or not");
    for (arguments, status, holds) in [
        ("probe refuse-none.table 3", 3, "no such table"),
        ("solve refuse-none.table", 3, "no such table"),
        ("verify refuse-no.table", 3, "not a retrograde table"),
        ("solve refuse-nothing", 2, "neither a game nor a table"),
        ("info refuse.table refuse.table", 2, "leave `refuse.table` out"),
        ("info refuse.table --heaps 3", 2, "unexpected argument '--heaps'"),
        ("solve refuse.table --out again.table", 2, "--out"),
        ("solve take --heaps 3 --take 1 --half --out half.table", 2, "--half"),
        ("solve take --heaps 3 --take 1 --half", 2, "--out"),
        ("solve take --heaps 3 --take 1 --compression best", 2, "--out"),
        ("solve take --heaps 3 --take 1 --out no/such/folder/x.table", 3, "no/such/folder"),
        ("solve take --heaps 3 --take 1 --out .", 3, ""),
        ("list refuse.table --format csv --json", 2, ""),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(holds), "{arguments}: {}", ran.err);
    }
    assert!(!path("half.table").exists());
}

/// The command ends with 3, and with one message that contains all of these texts.
fn refused(ran: &Ran, holds: &[&str]) {
    refused_with(3, ran, holds);
}

/// The same with exit code 1, for a wrong answer.
fn wrong(ran: &Ran, holds: &[&str]) {
    refused_with(1, ran, holds);
}

/// The result of a check of a changed file: the table is wrong, or the file no longer looks like a table at all.
fn damaged(ran: &Ran, name: &str) {
    let foreign = ["not a retrograde table", "version"].iter().any(|said| ran.err.contains(said));
    refused_with(if foreign { 3 } else { 1 }, ran, &[name]);
}

fn refused_with(status: i32, ran: &Ran, holds: &[&str]) {
    assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "one message: {}", ran.err);
    for part in holds {
        assert!(ran.err.contains(part), "`{part}` is missing: {}", ran.err);
    }
}

/// The answer of a command to a table with one changed byte: the truth, or the name of the damaged part.
#[test]
fn a_changed_byte_is_found_or_does_no_harm() {
    results(run("solve take --heaps 3 --take 1,2 --out whole.table"));
    let whole = fs::read(path("whole.table")).unwrap();
    let truth = results(run("probe whole.table 0 1 2 3"));
    // The tests of tables change every byte.
    for at in (0..whole.len()).step_by(5) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        write_file("changed.table", &changed);
        let check = run("verify --checksums changed.table");
        damaged(&check, "changed.table");
        // One of two commands is tried for each byte. Both would take twice as long.
        let asked = run(["probe changed.table 0 1 2 3", "verify changed.table"][at % 2]);
        if asked.status == 0 {
            assert!(asked.out == truth || asked.out.starts_with("OK: "), "byte {at}");
        } else {
            let finds = at % 2 == 1;
            match finds {
                true => damaged(&asked, "changed.table"),
                false => refused(&asked, &["changed.table"]),
            }
        }
    }
    for len in (0..whole.len()).step_by(11) {
        write_file("short.table", &whole[..len]);
        damaged(&run("verify --checksums short.table"), "short.table");
        refused(&run("probe short.table 3"), &["short.table"]);
    }
}

/// A solution with another value for one of its states.
struct Lie<'a>(&'a Solution, u64, Value);

impl Probe for Lie<'_> {
    type Error = std::convert::Infallible;
    fn states(&self) -> u64 {
        self.0.states()
    }
    fn has_distances(&self) -> bool {
        true
    }
    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error> {
        Ok(if state == self.1 { Some(self.2) } else { self.0.value(state) })
    }
}

/// A table that is intact but wrong: `verify` finds each value that does not follow.
#[test]
fn verify_finds_a_value_that_does_not_follow() {
    let take = Take::new(&[12], Takes::Set(vec![1, 2, 3])).unwrap();
    let solution = retrograde::solve(&take);
    for state in 0..=12 {
        let about = About {
            game: "take".into(),
            parameters: json!({ "heaps": [12], "take": "1,2,3" }),
            ..About::default()
        };
        let value = solution.value(state).unwrap().after_move(true);
        Writer::new(about).write(path("lie.table"), &Lie(&solution, state, value)).unwrap();
        assert!(results(run("verify --checksums lie.table")).starts_with("OK: "));
        wrong(&run("verify lie.table"), &["state", "follows; ", "audit the game; state "]);
    }
}

/// A probe of a table without its rules gives the stored values of terminal states.
#[test]
fn verify_finds_a_wrong_value_of_a_terminal_state() {
    let board = "P*\nTE\n";
    let pursuit = Pursuit::new(Board::parse(board).unwrap()).unwrap();
    let solution = retrograde::solve(&pursuit);
    let terminals = |state: &u64| matches!(pursuit.status(*state), Status::Terminal(_));
    let mut tried = 0;
    for state in (0..pursuit.states()).filter(terminals) {
        let about = About { game: "pursuit".into(), board: Some(board.into()), ..About::default() };
        let lie = Lie(&solution, state, Value::Draw);
        Writer::new(about)
            .invalid_states(InvalidStates::Forgotten)
            .write(path("terminal.table"), &lie)
            .unwrap();
        for engine in ["bit-parallel", "scalar"] {
            wrong(&run(&format!("verify terminal.table --engine {engine}")), &["state", "follows"]);
        }
        tried += 1;
    }
    assert!(tried > 2);
}
