//! Signals in the middle of work. The program ends in time with the signal, as shells expect. It removes unfinished
//! files, and keeps the files that the user asked for.
//!
//! Without a limit, a stop took 24 seconds inside a level of a large board, and over 40 with `--disk`.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Once};
use std::thread::sleep;
use std::time::{Duration, Instant};

use retrograde_catalog::is_signal_ignored;

use crate::{home, program, results, run};

/// All take the same way through the program, which the first test and [signals](crate::signals) try with each of them.
/// The other tests take one.
pub(crate) const SIGNALS: [(&str, i32); 3] = [INT, TERM, HUP];
const INT: (&str, i32) = ("INT", 2);
const TERM: (&str, i32) = ("TERM", 15);
const HUP: (&str, i32) = ("HUP", 1);

/// The program allows itself half a second. Machines that run tests are busy.
pub(crate) const IN_TIME: Duration = Duration::from_secs(5);

pub(crate) fn empty(name: &str) -> PathBuf {
    let folder = home().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

/// Starts the program such that it receives all signals. A child process inherits the signals that the tests ignore,
/// and a shell ignores some for background jobs. So the test catches them instead.
pub(crate) fn start(command: &mut Command) -> Child {
    static CAUGHT: Once = Once::new();
    CAUGHT.call_once(|| {
        for (_, signal) in SIGNALS.into_iter().filter(|(_, signal)| is_signal_ignored(*signal)) {
            signal_hook::flag::register(signal, Arc::default()).expect("a signal");
        }
    });
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn wait_for(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never comes");
        sleep(Duration::from_millis(1));
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub(crate) fn send(child: &Child, name: &str) {
    retrograde_testkit::signal(child.id(), name);
}

/// Sends a signal. The program must end with it in time. Returns the message and the duration.
fn stopped(mut child: Child, (name, number): (&str, i32)) -> (String, Duration) {
    send(&child, name);
    let sent = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if sent.elapsed() > IN_TIME {
            child.kill().expect("a child");
            panic!("{name} does not stop it");
        }
        sleep(Duration::from_millis(1));
    }
    let took = sent.elapsed();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.signal(), Some(number), "{output:?}");
    (String::from_utf8_lossy(&output.stderr).into_owned(), took)
}

const FROM_LEVEL: &str = "stopped; the same command continues from level ";

#[test]
fn a_plan_that_is_stopped_leaves_no_folder() {
    for signal in SIGNALS {
        let folder = empty("stop-plan");
        let mut command = program("build chess --pieces 4 --out nowhere --plan");
        let child = start(command.env("TMPDIR", &folder));
        // A region has been begun.
        wait_for(|| {
            let inside =
                |name: &String| fs::read_dir(folder.join(name)).is_ok_and(|all| all.count() > 1);
            names(&folder).iter().any(inside)
        });
        assert_eq!(stopped(child, signal).0, "");
        assert_eq!(names(&folder), [""; 0]);
    }
}

#[test]
fn a_solve_that_is_stopped_keeps_its_state_and_goes_on() {
    let solve = "solve take --heaps 1500000 --take 1 --out stop-solve/a.table";
    let folder = empty("stop-solve");
    results(run(solve));
    let expected = fs::read(folder.join("a.table")).unwrap();
    let options = "--force --checkpoint stop-solve/kept --checkpoint-interval 1h";
    // On a busy machine it may not have come to a level yet. Then there is nothing to keep.
    let said = [30, 100, 300, 900].into_iter().find_map(|milliseconds| {
        let child = start(&mut program(&format!("{solve} {options}")));
        // The command has passed all checks, and is in the solve of 1.5 million levels.
        wait_for(|| folder.join("kept/.lock").exists());
        sleep(Duration::from_millis(milliseconds));
        let said = stopped(child, HUP).0;
        (!said.starts_with("stopped before a level was kept")).then_some(said)
    });
    let said = said.expect("a level is kept in time");
    assert!(said.starts_with(FROM_LEVEL) && said.lines().count() == 1, "{said}");
    assert_eq!(names(&folder), ["a.table", "kept"]);
    assert_eq!(names(&folder.join("kept")), ["solve.checkpoint"]);
    results(run(&format!("{solve} {options}")));
    assert_eq!(names(&folder), ["a.table"]);
    assert!(fs::read(folder.join("a.table")).unwrap() == expected, "another table");
}

/// Level 2 of this game takes minutes, and a checkpoint is possible only at its end. So a stopped program went on to
/// that end.
#[test]
fn a_solve_stops_inside_a_level() {
    let solve = "solve take --heaps 1000000 --take any --out stop-level/a.table";
    let folder = empty("stop-level");
    let kept = "--checkpoint stop-level/kept --checkpoint-interval 0s";
    let child = start(&mut program(&format!("{solve} {kept}")));
    wait_for(|| folder.join("kept/solve.checkpoint").exists());
    let said = stopped(child, INT).0;
    assert!(said.starts_with(FROM_LEVEL) && said.lines().count() == 1, "{said}");
    assert_eq!(names(&folder), ["kept"]);
    assert_eq!(names(&folder.join("kept")), ["solve.checkpoint"]);
}

/// The same for a level of seconds: the solve continues from the checkpoint before it.
#[test]
fn a_solve_that_stops_inside_a_level_goes_on_from_the_one_before() {
    let folder = empty("stop-inside");
    let solve = "solve take --heaps 40000 --take any --out stop-inside/a.table";
    results(run(solve));
    let expected = fs::read(folder.join("a.table")).unwrap();
    let solve = format!("{solve} --force --checkpoint stop-inside/kept --checkpoint-interval 0s");
    let child = start(&mut program(&solve));
    let kept = |name| folder.join("kept").join(name).exists();
    wait_for(|| kept(".lock") && kept("solve.checkpoint"));
    sleep(Duration::from_millis(30));
    let said = stopped(child, TERM).0;
    assert!(said.starts_with(FROM_LEVEL) && said.lines().count() == 1, "{said}");
    assert_eq!(names(&folder), ["a.table", "kept"]);
    assert_eq!(names(&folder.join("kept")), ["solve.checkpoint"]);
    results(run(&solve));
    assert_eq!(names(&folder), ["a.table"]);
    assert!(fs::read(folder.join("a.table")).unwrap() == expected, "another table");
}

/// Setting this game up takes a while, without any callback. To seed it takes a while too.
#[test]
fn a_solve_stops_while_it_seeds() {
    let folder = empty("stop-seed");
    for (signal, milliseconds) in SIGNALS.into_iter().zip([100, 300, 600]) {
        let child = start(&mut program("solve quixo --size 4 --out stop-seed/a.table"));
        sleep(Duration::from_millis(milliseconds));
        assert_eq!(stopped(child, signal).0, "");
        assert_eq!(names(&folder), [""; 0]);
    }
}

#[test]
fn a_solve_on_disk_stops_inside_a_pass() {
    let folder = empty("stop-disk");
    let solve = |heaps: u32| {
        let solve =
            "solve take --engine scalar --take any --disk stop-disk/d --out stop-disk/a.table";
        format!("{solve} --heaps {heaps}")
    };
    let child = start(&mut program(&solve(1_000_000)));
    wait_for(|| folder.join("d/.lock").exists());
    sleep(Duration::from_millis(100));
    let said = stopped(child, HUP).0;
    // Before the first checkpoint, there is nothing to keep.
    let kept = names(&folder);
    let begun = said.starts_with("stopped; the same command") && kept == ["d"];
    assert!(begun || said.is_empty() && (kept.is_empty() || kept == ["d"]), "{said}: {kept:?}");
    assert!(!folder.join("d/.lock").exists());
    // The files of such a solve do not hinder another solve.
    let folder = empty("stop-disk");
    let child = start(&mut program(&solve(10_000)));
    wait_for(|| folder.join("d/.lock").exists());
    stopped(child, TERM);
    results(run(&solve(10_000)));
    assert_eq!(names(&folder), ["a.table"]);
    results(run("solve take --heaps 10000 --take any --out stop-disk/b.table"));
    let [one, other] = ["a", "b"].map(|name| fs::read(folder.join(format!("{name}.table"))));
    assert!(one.unwrap() == other.unwrap(), "another table");
}

#[test]
fn a_build_that_is_stopped_leaves_whole_tables_alone_and_goes_on() {
    let build = "build chess KQvKR --out stop-build";
    let folder = empty("stop-build");
    let child = start(&mut program(build));
    wait_for(|| folder.join("KQvK.table").exists());
    let said = stopped(child, INT).0;
    assert_eq!(said, "stopped; finished tables stay, and the same command continues\n");
    let left = names(&folder);
    let whole = |name: &String| {
        ["manifest.json", "copies"].contains(&name.as_str())
            || name.ends_with(".table")
            || name.ends_with(".table.json")
    };
    assert!(left.iter().all(whole), "{left:?}");
    results(run("verify --checksums stop-build"));
    results(run(build));
    assert_eq!(results(run("verify --checksums stop-build")).lines().count(), 3);
}

#[test]
fn a_list_that_is_stopped_leaves_no_file() {
    let folder = empty("stop-list");
    let list = "list corner --piece king --rows 4000 --columns 4000 --out stop-list/all.tsv";
    let child = start(&mut program(list));
    wait_for(|| !names(&folder).is_empty());
    assert_eq!(stopped(child, INT).0, "");
    assert_eq!(names(&folder), [""; 0]);
}

/// A program that a shell starts in the background ignores Ctrl-C, and still ends with the other signals.
#[test]
fn a_signal_that_is_ignored_stays_so() {
    let folder = empty("stop-ignored");
    let bin = env!("CARGO_BIN_EXE_retrograde");
    let solve = "solve take --heaps 1000000 --take any --out stop-ignored/a.table";
    let line = format!("trap '' INT HUP; exec '{bin}' {solve}");
    let mut child = start(Command::new("sh").args(["-c", &line]).current_dir(home()));
    sleep(Duration::from_millis(300));
    for name in ["INT", "HUP", "INT"] {
        send(&child, name);
    }
    sleep(Duration::from_millis(700));
    assert!(child.try_wait().expect("a child").is_none(), "it does not ignore them");
    assert_eq!(stopped(child, TERM).0, "");
    assert_eq!(names(&folder), [""; 0]);
}

/// These tests failed if they were started by a program that ignores SIGINT: a shell with background jobs, or `nohup`.
#[test]
fn the_tests_hear_what_their_parent_ignores() {
    let me = std::env::current_exe().expect("a test runs");
    let one = "stop::a_list_that_is_stopped_leaves_no_file";
    let line = format!("trap '' INT; exec '{}' --exact {one}", me.display());
    let output = Command::new("sh").args(["-c", &line]).env("RETROGRADE_HOME", "ignoring").output();
    let output = output.expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
}
