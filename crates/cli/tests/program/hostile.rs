//! What careless and hostile input does: an error that says what is wrong, in bounded time and memory.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::Stdio;

use retrograde::{Counts, Probe, Solution, Value};
use retrograde_games::Graph;
use retrograde_table::{About, Compression, SideCounts, WriteError, Writer, Written, container};

use crate::{Ran, home, program, ran, results, run, run_on, shell, write_file};

fn refused(ran: &Ran, holds: &[&str]) {
    refused_with(3, ran, holds);
}

/// The same for a wrong answer.
fn wrong(ran: &Ran, holds: &[&str]) {
    refused_with(1, ran, holds);
}

fn refused_with(status: i32, ran: &Ran, holds: &[&str]) {
    assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{}", ran.err);
    for part in holds {
        assert!(ran.err.contains(part), "`{part}` is missing: {}", ran.err);
    }
}

fn empty(name: &str) -> PathBuf {
    let folder = home().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

/// A folder with two endgames.
fn endgames(name: &str) -> PathBuf {
    let folder = empty(name);
    results(run(&format!("build chess KQvK KRvK --out {name}")));
    folder
}

#[test]
fn names_with_blanks_are_probed_as_they_stand() {
    write_file("blanks.dot", "digraph { \"a\" -> b; \" a\" -> \"a \"; \"a \" -> b }");
    results(run("solve graph blanks.dot --out blanks.table"));
    let list = results(run("list blanks.table"));
    let names: Vec<&str> = list.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(names, ["a", "b", " a", "a "]);
    assert_eq!(results(run_on("probe blanks.table", &names.join("\n"))), list);
    assert_eq!(results(run_on("probe blanks.table", &names.join("\r\n"))), list);
    assert_eq!(run_on("probe blanks.table", "b \n").status, 3);
}

/// Control characters of a file or a table reached the terminal. The name of a vertex could clear the screen, and so
/// could an error that quotes a line.
#[test]
fn control_characters_are_escaped_wherever_they_come_from() {
    let (name, escaped) = ("a\x1b[2J\u{9b}31m\x07", "a\\u001b[2J\\u009b31m\\u0007");
    write_file("steer.txt", format!("{name} b\nb c\n"));
    write_file("steer-wrong.txt", format!("a b\n{name} {name} {name} {name}\n"));
    let about = About { game: name.into(), ..About::default() };
    Writer::new(about)
        .write(home().join("steer.table"), &Circle(Value::Draw, Value::Draw))
        .unwrap();
    results(run("list graph steer.txt --out steer.csv --format csv"));
    let file = fs::read_to_string(home().join("steer.csv")).unwrap();
    let told = [
        "list graph steer.txt",
        "list graph steer.txt --json",
        "solve graph steer.txt",
        "picture graph steer.txt --text",
        "picture graph steer.txt --text --as histogram",
        "solve graph steer-wrong.txt",
        "info steer.table",
        "info steer.table --json",
        "line steer.table",
    ];
    let told = told.map(run).map(|Ran { out, err, .. }| out + &err);
    for text in told.iter().chain([&file]) {
        let raw = text.chars().find(|letter| letter.is_control() && !"\n\t".contains(*letter));
        assert_eq!(raw, None, "{text}");
    }
    assert!(told[0].contains(escaped), "{}", told[0]);
    assert!(file.contains(escaped), "{file}");
}

/// Runs a command whose results are never read.
fn unread(arguments: &str) -> i32 {
    let mut command = program(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    ran(child.wait_with_output().expect("the program ends")).status
}

#[test]
fn without_a_reader_a_build_is_finished_and_a_check_is_honest() {
    let folder = empty("unread");
    assert_eq!(unread("build chess KPvK --out unread"), 0);
    assert_eq!(results(run("verify --checksums unread")).lines().count(), 5);
    for command in ["verify --checksums", "verify"] {
        assert_eq!(unread(&format!("{command} unread")), 0);
    }
    // The last error, when the others have been reported.
    let last = folder.join("KPvK.table");
    let length = fs::metadata(&last).unwrap().len();
    OpenOptions::new().write(true).open(&last).unwrap().write_all_at(&[0x55], length / 2).unwrap();
    for command in ["verify --checksums", "verify"] {
        assert_eq!(unread(&format!("{command} unread")), 1, "{command}");
    }
}

#[test]
fn moves_by_the_thousand_million_are_refused() {
    for game in
        ["take --heaps 4294967295 --take any", "corner --piece rook --rows 1 --columns 4294967292"]
    {
        let ran = run(&format!("solve {game}"));
        assert_eq!((ran.status, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains("moves"), "{}", ran.err);
    }
}

#[test]
fn a_manifest_that_is_damaged_or_gone_is_an_error_everywhere() {
    let folder = endgames("unmanifest");
    let manifest = folder.join("manifest.json");
    let fen = "8/8/8/8/8/2k5/1R6/K7_w_-_-";
    let commands = ["verify --checksums", "verify", "info --full", "info", "list"];
    let asked: Vec<String> = commands
        .iter()
        .map(|command| format!("{command} unmanifest"))
        .chain([format!("probe unmanifest {fen}"), format!("line unmanifest {fen}")])
        .collect();
    fs::write(&manifest, "{").unwrap();
    for command in &asked {
        refused(&run(command), &["manifest.json"]);
    }
    fs::remove_file(&manifest).unwrap();
    for command in asked.iter().filter(|command| !command.starts_with("info")) {
        refused(&run(command), &["manifest.json"]);
    }
    assert_eq!(run("info --full unmanifest").status, 3);
}

#[test]
fn a_plan_says_what_does_not_fit_and_leaves_nothing() {
    let folder = empty("plan-tmp");
    let mut command = program("build chess KQvKR --out nowhere --plan --memory 2M");
    let out = results(ran(command.env("TMPDIR", &folder).output().expect("the program starts")));
    assert!(out.contains("--memory allows 2 MiB: KQvKR does not fit"), "{out}");
    assert!(out.contains("\ntime       about "), "{out}");
    let out = results(run("build chess KQvKR --out nowhere --plan --memory 1"));
    assert!(out.contains("time unknown"), "{out}");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}

/// Four states in a circle. The table says that every move wins or loses, but the rules do not support any of these
/// values.
struct Circle(Value, Value);

impl Probe for Circle {
    type Error = std::convert::Infallible;

    fn states(&self) -> u64 {
        4
    }

    fn has_distances(&self) -> bool {
        true
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error> {
        Ok(Some(if state.is_multiple_of(2) { self.0 } else { self.1 }))
    }
}

impl Circle {
    fn write(&self, name: &str) -> Result<Written, WriteError> {
        let board = Some("a b\nb c\nc d\nd a\n".into());
        let counts =
            vec![SideCounts::new("player", Counts { win: 2, loss: 2, draw: 0, invalid: 0 })];
        let about = About { game: "graph".into(), board, counts, ..About::default() };
        Writer::new(about).write(home().join(name), self)
    }
}

#[test]
fn a_line_over_wrong_values_ends() {
    Circle(Value::Win(9), Value::Loss(8)).write("circle.table").unwrap();
    wrong(&run("line circle.table"), &["retrograde verify"]);
    wrong(&run("verify circle.table"), &["follows"]);
}

/// Tables store distances up to 4,000,000,000, so that 32 bits can hold a few moves more.
#[test]
fn the_furthest_distances_are_told_and_none_is_further() {
    const FAR: u32 = 4_000_000_000;
    Circle(Value::Win(FAR), Value::Loss(FAR)).write("far.table").unwrap();
    for asked in ["probe far.table a", "info --full far.table", "info --full far.table --json"] {
        let out = results(run(asked));
        assert!(out.replace(',', "").contains("4000000000"), "{asked}: {out}");
    }
    results(run("list far.table"));
    results(run("verify --checksums far.table"));
    results(run("info far.table"));
    wrong(&run("line far.table"), &["retrograde verify"]);
    // The values of the moves contradict that of the state. The server refuses this answer, too.
    wrong(&run("probe far.table a --json"), &["retrograde verify"]);
    wrong(&run("verify far.table"), &["follows"]);
    for beyond in [FAR + 1, u32::MAX] {
        let error = Circle(Value::Win(beyond), Value::Draw).write("beyond.table").unwrap_err();
        assert!(error.to_string().contains("state 0 is more than 4000000000"), "{error}");
        assert!(!home().join("beyond.table").exists());
    }
}

/// Four kilobytes on the disk that claim to be a histogram of a tebibyte.
#[test]
fn a_table_that_claims_to_be_long_is_refused() {
    let path = home().join("sparse.table");
    let block = container::Packer::new(Compression::None).unwrap().block(&[1, 1]).unwrap();
    let contents = container::Contents {
        kind: container::Kind::TABLE,
        header: &header_of("take --heaps 3 --take 1"),
        text: &mut ["[]".to_string()].into_iter(),
        blocks: 1,
        batch: 1,
        pack: &|_| Ok(vec![block.clone()]),
        replace: true,
    };
    let (len, _) =
        container::write(&path, contents, |_| std::ops::ControlFlow::Continue(())).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let claimed: u64 = 1 << 40;
    let text_at = 56 + u64::from(u32::from_le_bytes(bytes[20..24].try_into().unwrap()));
    let index_at = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) + claimed - 2;
    bytes[24..32].copy_from_slice(&claimed.to_le_bytes());
    bytes[40..48].copy_from_slice(&index_at.to_le_bytes());
    let sum = [&bytes[..48], &bytes[56..text_at as usize]].concat();
    bytes[48..56].copy_from_slice(&xxhash_rust::xxh3::xxh3_64(&sum).to_le_bytes());
    fs::write(&path, &bytes[..text_at as usize]).unwrap();
    let file: File = OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(len + claimed - 2).unwrap();
    for (command, status) in [("info", 3), ("verify --checksums", 1), ("verify", 1), ("list", 3)] {
        let ran = shell(&format!("ulimit -v 4000000; retrograde {command} {}", path.display()));
        refused_with(status, &ran, &["sparse.table", "damaged"]);
    }
}

/// The header of a table of this game.
fn header_of(game: &str) -> String {
    results(run(&format!("solve {game} --out header.table --force")));
    retrograde_table::Table::open(home().join("header.table")).unwrap().header_text().to_owned()
}

/// The file is wrong, not the arguments.
#[test]
fn a_table_that_does_not_say_its_board_is_refused() {
    let solution: Solution = retrograde::solve(&Graph::parse("a b\n").unwrap());
    for game in ["graph", "pursuit", "chase", "take", "corner"] {
        let about = About { game: game.into(), ..About::default() };
        Writer::new(about).write(home().join("boardless.table"), &solution).unwrap();
        for command in ["line", "verify", "list", "probe"] {
            refused(&run(&format!("{command} boardless.table")), &["boardless.table: the table"]);
        }
    }
}

#[test]
fn a_limit_on_the_process_is_refused_with_the_number() {
    let ran = shell(
        "ulimit -v 800000; retrograde solve corner --piece king --rows 30000 --columns 30000 \
         --threads 1",
    );
    refused(&ran, &[" of memory and the limit on this process", "ulimit -v"]);
}

#[test]
fn a_long_line_is_not_repeated() {
    let long = "x".repeat(3_000_000);
    for ran in [
        run_on("solve graph -", &format!("a {long} b\n")),
        run_on("solve pursuit -", &long),
        run_on("probe probe-long.table", &long),
    ] {
        assert_eq!(ran.status, 3);
        assert!(ran.err.len() < 5000, "{} bytes", ran.err.len());
    }
}

#[test]
fn a_board_without_floor_is_a_table_like_any_other() {
    write_file("floorless.txt", "**\n**\n");
    for police in [1, 2] {
        let table = format!("floorless-{police}.table");
        results(run(&format!("solve pursuit floorless.txt --police {police} --out {table}")));
        assert!(results(run(&format!("verify {table}"))).starts_with("OK: "));
    }
}

#[test]
fn a_pipe_in_a_folder_holds_nothing_up() {
    let folder = endgames("pipes");
    fs::remove_file(folder.join("KQvK.table")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.join("KQvK.table")).status();
    assert!(made.unwrap().success());
    refused(&run("build chess KQvK --out pipes"), &["KQvK.table", "not a file"]);
    let kept = empty("pipes-kept");
    let made = std::process::Command::new("mkfifo").arg(kept.join("solve.checkpoint")).status();
    assert!(made.unwrap().success());
    refused(&run("solve take --heaps 9 --take 1 --checkpoint pipes-kept"), &["not a file"]);
}

#[test]
fn two_solves_do_not_share_a_checkpoint() {
    let folder = empty("two-kept");
    let solve = "solve take --heaps 3000000 --take 1 --checkpoint two-kept/kept";
    let mut first = program(solve).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !fs::read_to_string(folder.join("kept/.lock")).is_ok_and(|text| text.ends_with('\n')) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let holder = format!("process {} on ", first.id());
    refused(&run(solve), &["two-kept/kept", &holder]);
    first.kill().unwrap();
    first.wait().unwrap();
    results(run(&solve.replace("3000000", "300")));
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "nothing is left of it");
}

#[test]
fn of_folders_made_for_a_checkpoint_none_is_left() {
    let folder = empty("deep-kept");
    let solve = "solve take --heaps 9 --take 1 --checkpoint deep-kept/a/b/c/d";
    results(run(solve));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    // A refused solve leaves none either.
    assert_eq!(run(&format!("{solve} --memory 1")).status, 3);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    // Folders that existed before stay; only the innermost is new.
    fs::create_dir_all(folder.join("a/b")).unwrap();
    results(run(solve));
    assert!(folder.join("a/b").exists() && !folder.join("a/b/c").exists());
}

/// The list shows all of them, and memory holds none meanwhile.
#[test]
fn a_start_with_very_many_best_moves_is_told_in_little_memory() {
    let mut text = String::new();
    for to in 0..200_000 {
        text += &format!("start v{to}\n");
    }
    write_file("many.txt", &text);
    let out = results(run("solve graph many.txt --from start"));
    assert!(out.contains("best       v0\n           v1\n"), "{out}");
    assert!(out.contains("           and 199,992 more\n"), "{out}");
    let out = results(run("solve graph many.txt --from start --json"));
    let object: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let best = object["start"]["best"].as_array().expect("a list");
    assert_eq!((best.len(), &best[199_999]), (200_000, &"v199999".into()));
}

/// A damaged block that no command looks at is not noticed: what is shown needs no other states.
#[test]
fn states_that_are_not_shown_are_not_looked_at() {
    let pairs: String = (0..80_000).map(|at| format!("x{at} y{at}\n")).collect();
    write_file("looked.txt", pairs);
    results(run("solve graph looked.txt --out looked.table -q"));
    let path = home().join("looked.table");
    let mut bytes = fs::read(&path).unwrap();
    let index_at = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) as usize;
    let first = u64::from_le_bytes(bytes[index_at..index_at + 8].try_into().unwrap()) as usize;
    let end = u32::from_le_bytes(bytes[index_at + 8..index_at + 12].try_into().unwrap()) as usize;
    // In block 1. The start and its move are in block 0.
    bytes[first + end + 6] ^= 1;
    fs::write(&path, bytes).unwrap();
    for command in ["info looked.table", "probe looked.table x3", "line looked.table x3"] {
        let ran = run(command);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{command}");
    }
    for (command, status) in [
        ("probe looked.table x40000", 3),
        ("info --full looked.table", 3),
        ("verify looked.table", 1),
    ] {
        let ran = run(command);
        let is_named = ran.err.contains("looked.table") && ran.err.contains("block 1");
        assert!(ran.status == status && is_named, "{command}: {}", ran.err);
    }
}

#[test]
fn no_command_writes_where_it_was_not_told_to() {
    let folder = empty("unwritten");
    let run = |arguments: &str| {
        let mut command = program(arguments);
        let none = folder.join("none");
        ran(command.current_dir(&folder).env("HOME", &none).env("TMPDIR", &none).output().unwrap())
    };
    let files = || {
        let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    fs::write(folder.join("board.txt"), "E..\n.*.\n").unwrap();
    results(run("solve pursuit board.txt --out board.table -q"));
    for command in [
        "solve pursuit board.txt",
        "solve achi",
        "rules achi",
        "info --full board.table",
        "list board.table",
        "probe board.table --start",
        "line board.table",
        "verify board.table",
        "verify --checksums board.table",
        "verify achi",
        "certificate achi",
        "board --rows 3 --columns 3",
        "games",
    ] {
        let _ = run(command);
        assert_eq!(files(), ["board.table", "board.txt"], "{command}");
    }
}
