//! Builds that are killed. Each is a process of its own.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use chess_for_tests::Chess;
use retrograde_testkit::{Rng, judged, seed};

use crate::{Scratch, build, files};

/// The folder of the process that is killed.
const FOLDER: &str = "RETROGRADE_KILLED_FOLDER";

#[test]
#[ignore = "is started, and killed, by the other test"]
fn the_process_that_is_killed() {
    let folder = std::env::var_os(FOLDER).unwrap();
    build(&Chess, folder.as_ref(), "KPvK").unwrap();
}

#[test]
fn a_build_that_was_killed_goes_on_to_the_same_files() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let whole = Scratch::new();
    let begun = Instant::now();
    build(&Chess, &whole, "KPvK").unwrap();
    let took = begun.elapsed();
    for _ in 0..6 {
        let folder = Scratch::new();
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new(program)
            .args(["--ignored", "--exact", "kill::the_process_that_is_killed"])
            .env(FOLDER, &*folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_micros(rng.below(took.as_micros() as u64 + 20_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        build(&Chess, &folder, "KPvK").unwrap();
        assert_eq!(files(&folder), files(&whole));
    }
    judged(6, "kills");
}
