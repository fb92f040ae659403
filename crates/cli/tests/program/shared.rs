//! Several processes with one folder or one file between them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{FOLDER, Ran, program, ran, results, run};

/// A folder of this name, empty.
fn empty(name: &str) -> PathBuf {
    let folder = Path::new(FOLDER).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

fn start(arguments: &str) -> Child {
    let mut command = program(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn end(child: Child) -> Ran {
    ran(child.wait_with_output().expect("it was started here"))
}

fn wait_for(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never comes");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn of_two_builds_into_one_folder_the_second_is_told_who_holds_it() {
    let folder = empty("shared-build");
    let first = start("build chess KQvKR --out shared-build");
    let says = format!("process {} on ", first.id());
    let lock = folder.join(".lock");
    wait_for(|| fs::read_to_string(&lock).is_ok_and(|text| text.ends_with('\n')));
    let second = run("build chess KRvKB --out shared-build");
    assert_eq!((second.status, second.out.as_str()), (1, ""));
    for part in [&*says, " since 20", " UTC is at work", "shared-build: "] {
        assert!(second.err.contains(part), "{part}: {}", second.err);
    }
    results(end(first));
    assert!(!lock.exists());
    results(run("build chess KRvKB --out shared-build"));
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    for table in ["KQvK", "KRvK", "KQvKR", "KBvK", "KRvKB"] {
        assert!(manifest.contains(&format!("\"{table}\"")), "{table} is lost: {manifest}");
    }
    assert_eq!(results(run("check shared-build")).lines().count(), 5);
}
