//! Solves with parts in files give the same table as solves in memory, also after kills and errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use retrograde_testkit::in_memory;
use serde_json::Value as Json;

use crate::checkpoint::{kill, killed, start};
use crate::chess::{files, fresh};
use crate::{home, results, run, write_file};

/// A board whose arrays take six megabytes, and a limit that leaves less than five for them.
const BOARD: &str = "board --rows 40 --columns 40 --walls 15 --exits 3 --seed 1";
const CAP: &str = "--memory 23MB";
/// A limit that leaves room for two bits a state, with up to two threads.
const LOG_CAP: &str = "--memory 80MB";

/// A folder for the parts of a solve. They are synced in every pass.
pub(crate) fn arrays(name: &str) -> PathBuf {
    in_memory(&format!("program-{name}"))
}

#[test]
fn a_table_from_disk_is_that_from_memory() {
    write_file("disk-board.txt", results(run(BOARD)));
    // Wider than high, and with the thief inside.
    write_file("disk-wide.txt", results(run("board --rows 20 --columns 70 --walls 0")));
    for (board, options) in [
        ("board", "--threads 1 --half"),
        ("board", "--threads 2 --no-distance"),
        ("wide", "--threads 2"),
    ] {
        let solve = format!("solve pursuit disk-{board}.txt {options} --json --force --out disk");
        let direct: Json =
            serde_json::from_str(&results(run(&format!("{solve}.a --engine scalar")))).unwrap();
        let parts = arrays("parts");
        let disk = format!("{solve}.b {CAP} --engine scalar --disk {}", parts.display());
        let disk = results(run(&disk));
        let disk: Json = serde_json::from_str(&disk).unwrap();
        for key in ["states", "invalid", "win", "loss", "draw", "longest", "start", "sides"] {
            assert_eq!(direct[key], disk[key], "{key} {options}");
        }
        assert!(disk["disk"]["passes"].as_u64() > Some(2), "{disk}");
        let [a, b] = ["disk.a", "disk.b"].map(|name| fs::read(home().join(name)).unwrap());
        assert!(a == b, "another table {board} {options}");
        assert!(!parts.exists(), "something is left behind");
        if !options.contains("--no-distance") {
            let logged = results(run(&format!("{solve}.c {LOG_CAP} --disk disk-log")));
            let mut logged: Json = serde_json::from_str(&logged).unwrap();
            assert_eq!(logged["disk"]["passes"], 1, "{logged}");
            let bytes = logged["disk"]["bytes_written"].as_u64();
            assert!(bytes > Some(1_000_000) && bytes < Some(20_000_000), "{logged}");
            assert_eq!(logged["start"].take(), direct["start"], "{options}");
            let c = fs::read(home().join("disk.c")).unwrap();
            assert!(a == c, "another table from the log {board} {options}");
            assert!(!home().join("disk-log").exists(), "something is left behind");
        }
    }
}

/// A game without words needs three bits a state and a log, too. Its arrays used to be in files, in as many passes as it
/// has levels.
#[test]
fn a_game_without_words_is_solved_with_a_log() {
    let solve = "solve take --heaps 60,70,80 --take any --threads 2 --json --out state-log";
    let json = |command: &str| -> Json { serde_json::from_str(&results(run(command))).unwrap() };
    let direct = json(&format!("{solve}.a"));
    let plan = json(&format!("{solve}.b {LOG_CAP} --disk state-log --plan"));
    assert!(plan["memory"].is_u64() && plan["parts"].is_null(), "{plan}");
    let logged = json(&format!("{solve}.b {LOG_CAP} --disk state-log"));
    for key in ["states", "invalid", "win", "loss", "draw", "longest", "start"] {
        assert_eq!(direct[key], logged[key], "{key}");
    }
    assert_eq!(logged["disk"]["passes"], 1, "{logged}");
    let [a, b] = ["state-log.a", "state-log.b"].map(|name| fs::read(home().join(name)).unwrap());
    assert!(a == b, "another table");
    assert!(!home().join("state-log").exists(), "something is left behind");
    let options = format!("{LOG_CAP} --threads 2 --disk killed-states/log");
    killed("killed-states", "solve take --heaps 60,70,80 --take any", &options);
}

/// Words in which many states win and lose at level 1, and the others are drawn by rule, which takes one more bit a state. The
/// solve ended with a memory error, although it would have worked with parts in files.
#[test]
fn a_solve_whose_lists_do_not_fit_goes_on_with_parts() {
    let mut text = String::new();
    for word in 0..3_000 {
        for bit in 0..64 {
            text += &match bit {
                0 => format!("= {word}.0 loss\n"),
                1 => format!("= {word}.1 win\n"),
                _ if bit % 8 < 4 => format!("{word}.{bit} {word}.{}\n", bit % 2),
                _ => format!("= {word}.{bit} draw\n"),
            };
        }
    }
    write_file("disk-lists.txt", text);
    let solve = "solve graph disk-lists.txt --threads 2 --json --out disk-lists";
    let json = |command: &str| -> Json { serde_json::from_str(&results(run(command))).unwrap() };
    let direct = json(&format!("{solve}.a"));
    let plan = json(&format!("{solve}.b --memory 1GB --disk disk-lists --plan"));
    let memory = plan["memory"].as_u64().expect("a plan with a log");
    let plan = json(&format!("{solve}.b --memory {memory}B --disk disk-lists --plan"));
    assert_eq!(plan["memory"], memory, "{plan}");
    let disk = json(&format!("{solve}.b --memory {memory}B --disk disk-lists"));
    assert!(disk["disk"]["passes"].as_u64() > Some(1), "{disk}");
    for key in ["states", "win", "loss", "draw", "longest"] {
        assert_eq!(direct[key], disk[key], "{key}");
    }
    let [a, b] = ["disk-lists.a", "disk-lists.b"].map(|name| fs::read(home().join(name)).unwrap());
    assert!(a == b && !home().join("disk-lists").exists());
}

/// A board whose bits take eleven megabytes, in twenty shards, and a limit that leaves room for some of these.
const WINDOW_BOARD: &str = "board --rows 70 --columns 70 --walls 15 --exits 3 --seed 1";
const WINDOW_CAP: &str = "--threads 2 --memory 76MB";

/// Without distances; the next test has them.
#[test]
fn a_table_of_a_solve_with_a_window_is_that_from_memory() {
    write_file("window-board.txt", results(run(WINDOW_BOARD)));
    let solve = "solve pursuit window-board.txt --no-distance --json --out window";
    let json = |command: &str| -> Json { serde_json::from_str(&results(run(command))).unwrap() };
    let direct = json(&format!("{solve}.a"));
    let plan = json(&format!("{solve}.b {WINDOW_CAP} --disk window-disk --plan"));
    assert!(plan["levels_a_pass"].as_u64() > Some(1), "{plan}");
    assert!(plan["bits_bytes"].as_u64() > Some(10_000_000), "{plan}");
    let disk = json(&format!("{solve}.b {WINDOW_CAP} --disk window-disk"));
    for key in ["states", "invalid", "win", "loss", "draw", "longest", "start", "sides"] {
        assert_eq!(direct[key], disk[key], "{key}");
    }
    assert!(disk["disk"]["passes"].as_u64() > Some(2), "{disk}");
    let [a, b] = ["window.a", "window.b"].map(|name| fs::read(home().join(name)).unwrap());
    assert!(a == b, "another table");
    assert!(!home().join("window-disk").exists(), "something is left behind");
}

#[test]
fn a_solve_with_a_window_that_is_killed_goes_on_to_the_same_table() {
    write_file("window-killed.txt", results(run(WINDOW_BOARD)));
    let bits = arrays("killed-window");
    let options = format!("{WINDOW_CAP} --disk {}", bits.display());
    killed("killed-window", "solve pursuit window-killed.txt", &options);
    assert!(!bits.exists(), "something is left behind");
}

#[test]
fn a_solve_with_a_log_that_is_killed_goes_on_to_the_same_table() {
    write_file("disk-log-killed.txt", results(run(BOARD)));
    let options = format!("{LOG_CAP} --threads 2 --disk killed-log/log");
    killed("killed-log", "solve pursuit disk-log-killed.txt", &options);
}

#[test]
fn a_solve_on_disk_that_is_killed_goes_on_to_the_same_table() {
    write_file("disk-killed.txt", results(run(BOARD)));
    let parts = arrays("killed");
    killed(
        "killed-disk",
        "solve pursuit disk-killed.txt",
        &format!("{CAP} --engine scalar --disk {}", parts.display()),
    );
    assert!(!parts.exists(), "something is left behind");
}

#[test]
fn a_plan_says_what_a_pass_takes() {
    write_file("disk-plan.txt", results(run(BOARD)));
    let plan = results(run(&format!(
        "solve pursuit disk-plan.txt {CAP} --engine scalar --disk planned --plan --json"
    )));
    let plan: Json = serde_json::from_str(&plan).unwrap();
    assert!(plan["parts"].as_u64() > plan["parts_in_memory"].as_u64(), "{plan}");
    assert!(plan["bytes_packed"].as_u64() < plan["bytes"].as_u64(), "{plan}");
    assert!(plan["seconds_a_pass"].as_f64() > Some(0.0), "{plan}");
    assert!(!home().join("planned").exists(), "a plan makes nothing");
    let plan =
        format!("solve pursuit disk-plan.txt {LOG_CAP} --threads 2 --disk planned --plan --json");
    let plan: Json = serde_json::from_str(&results(run(&plan))).unwrap();
    assert!(plan["memory"].as_u64() < Some(80_000_000) && plan["bytes"].is_u64(), "{plan}");
    assert!(!home().join("planned").exists(), "a plan makes nothing");
    let hidden = fs::read_dir(home()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!hidden.into_iter().any(|name| name.to_string_lossy().starts_with(".retrograde-")));
}

#[test]
fn an_endgame_that_does_not_fit_is_solved_on_disk_and_goes_on_after_a_kill() {
    let [whole, folder] = ["disk-whole", "disk-endgames"].map(fresh);
    let arrays = arrays("endgames");
    results(run(&format!("build chess KQPvK --out {whole}")));
    // Those it needs fit.
    fs::create_dir_all(home().join(folder)).unwrap();
    for name in files(whole).keys().filter(|name| {
        let table = name.extension().is_some_and(|extension| extension == "table");
        table && **name != *Path::new("KQPvK.table")
    }) {
        fs::copy(home().join(whole).join(name), home().join(folder).join(name)).unwrap();
    }
    let build = format!("build chess KQPvK --out {folder} --memory 38MB");
    let refused = run(&build);
    assert!(refused.status == 3 && refused.err.contains("--disk DIR"), "{}", refused.err);
    // Part of the memory is for the tables that exits lead to. The message has all of it.
    let refused = run(&format!(
        "build chess KQPvK --out {folder} --memory 16MiB --disk {}",
        arrays.display()
    ));
    assert!(refused.status == 3 && refused.err.contains("allows 16 MiB"), "{}", refused.err);
    let build = format!("{build} --disk {}", arrays.display());
    let child = start(&build);
    while !arrays.join("KQPvK/manifest").exists() {
        sleep(Duration::from_millis(20));
    }
    kill(child);
    assert!(!files(folder).contains_key(Path::new("KQPvK.table")), "it was done sooner");
    results(run(&build));
    assert!(files(folder) == files(whole), "other files");
    assert!(!arrays.exists(), "something is left behind");
}

#[test]
fn what_cannot_be_done_on_disk_is_said() {
    write_file("disk-not.txt", results(run(BOARD)));
    for (arguments, said) in [
        ("--disk not", "--disk needs --out FILE"),
        ("--disk not --out not.table --memory 1MB", "take"),
        (
            "--disk not --out not.table --engine bit-parallel --memory 12MB",
            "leave --engine bit-parallel out",
        ),
        ("--disk not --out not.table --checkpoint other", "cannot be used with"),
        ("--plan", "add --disk DIR, or start retrograde-mpi"),
    ] {
        let ran = run(&format!("solve pursuit disk-not.txt {arguments}"));
        assert!(ran.status != 0 && ran.err.contains(said), "{arguments}: {}", ran.err);
    }
    let folder = home().join("disk-stray");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("manifest"), "something else").unwrap();
    let ran = run("solve pursuit disk-not.txt --disk disk-stray --out not.table");
    assert!(ran.status == 3 && ran.err.contains("the manifest is damaged"), "{}", ran.err);
}
