//! Signals in the middle of work: what is not finished is taken away, what was asked to be kept is kept, and the program
//! dies of the signal, as shells expect.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{home, program, results, run};

const SIGNALS: [(&str, i32); 2] = [("INT", 2), ("TERM", 15)];

fn empty(name: &str) -> PathBuf {
    let folder = home().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn wait_for(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never comes");
        sleep(Duration::from_millis(1));
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Sends a signal; the program must die of it, with no complaint.
fn stopped(child: Child, (name, number): (&str, i32)) {
    let signal = format!("-{name}");
    let sent = Command::new("kill").args([&signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill starts").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.signal(), Some(number), "{output:?}");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.starts_with("stopping ") && err.lines().count() == 1, "{err}");
}

#[test]
fn a_plan_that_is_stopped_leaves_no_folder() {
    for signal in SIGNALS {
        let folder = empty("stop-plan");
        let mut command = program("build chess --pieces 4 --out nowhere --plan");
        let child = start(command.env("TMPDIR", &folder));
        // When some region has been begun.
        wait_for(|| {
            let inside =
                |name: &String| fs::read_dir(folder.join(name)).is_ok_and(|all| all.count() > 1);
            names(&folder).iter().any(inside)
        });
        stopped(child, signal);
        assert_eq!(names(&folder), [""; 0]);
    }
}

#[test]
fn a_solve_that_is_stopped_keeps_its_state_and_goes_on() {
    let solve = "solve take --heaps 3000000 --take 1 --out stop-solve/a.table";
    let folder = empty("stop-solve");
    results(run(solve));
    let expected = fs::read(folder.join("a.table")).unwrap();
    let options = "--force --checkpoint stop-solve/kept --every 1h";
    for signal in SIGNALS {
        let child = start(&mut program(&format!("{solve} {options}")));
        // Past all that can be refused, and into the solve of three million levels.
        wait_for(|| folder.join("kept/.lock").exists());
        sleep(Duration::from_millis(30));
        stopped(child, signal);
        assert_eq!(names(&folder), ["a.table", "kept"]);
        assert_eq!(names(&folder.join("kept")), ["solve.checkpoint"]);
    }
    results(run(&format!("{solve} {options}")));
    assert_eq!(names(&folder), ["a.table"]);
    assert!(fs::read(folder.join("a.table")).unwrap() == expected, "another table");
}

#[test]
fn a_build_that_is_stopped_leaves_whole_tables_alone_and_goes_on() {
    let build = "build chess KQvKR --out stop-build";
    for signal in SIGNALS {
        let folder = empty("stop-build");
        let child = start(&mut program(build));
        wait_for(|| folder.join("KQvK.table").exists());
        stopped(child, signal);
        let left = names(&folder);
        let whole = |name: &String| name == "manifest.json" || name.ends_with(".table");
        assert!(left.iter().all(whole), "{left:?}");
        results(run("check stop-build"));
    }
    results(run(build));
    assert_eq!(results(run("check stop-build")).lines().count(), 3);
}

#[test]
fn a_list_that_is_stopped_leaves_no_file() {
    for signal in SIGNALS {
        let folder = empty("stop-list");
        let list = "list corner --piece king --rows 4000 --columns 4000 --out stop-list/all.tsv";
        let child = start(&mut program(list));
        wait_for(|| !names(&folder).is_empty());
        stopped(child, signal);
        assert_eq!(names(&folder), [""; 0]);
    }
}
