//! Limits on memory, disk space, descriptors and stack. Each command works or names what is missing. No command may use
//! more than a gigabyte of memory.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use retrograde_testkit::needs;
use serde_json::Value;

use crate::{Ran, home, program, results, run, shell, write_file};

/// Runs a command under a limit of the shell, in a gigabyte. The allocator would reserve more addresses than that on a
/// machine with many processors, so an environment variable limits it.
fn limited(limit: &str, arguments: &str) -> Ran {
    let folder = home().display();
    shell(&format!(
        "export MALLOC_ARENA_MAX=1; ulimit -v 1000000; cd '{folder}' && {limit} exec retrograde {arguments}"
    ))
}

fn empty(name: &str) -> PathBuf {
    let folder = home().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

fn names(name: &str) -> Vec<String> {
    let entries = fs::read_dir(home().join(name)).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The command ends with an error that contains all of these texts, and prints no results.
fn refused(ran: &Ran, holds: &[&str]) {
    assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    for part in holds {
        assert!(ran.err.contains(part), "`{part}` is missing: {}", ran.err);
    }
}

/// Every command that opens files.
fn commands(folder: &str) -> Vec<String> {
    let board = format!("{folder}/board.txt");
    vec![
        format!(
            "solve pursuit {board} --out {folder}/a.table --checkpoint {folder}/kept --checkpoint-interval 0s"
        ),
        format!("solve pursuit {board} --disk {folder}/disk --memory 30M --out {folder}/b.table"),
        format!("build chess KQvK --out {folder}/chess"),
        format!("verify --checksums {folder}/chess"),
        format!("verify {folder}/a.table"),
        format!("list {folder}/a.table --out {folder}/a.tsv"),
        format!("probe {folder}/chess 8/8/8/8/8/2k5/8/KQ6_w_-_-"),
        format!("line {folder}/chess 8/8/8/8/8/2k5/8/KQ6_w_-_-"),
    ]
}

fn prepare(name: &str) {
    empty(name);
    let board = results(run("board --rows 16 --columns 16 --seed 1"));
    write_file(&format!("{name}/board.txt"), board);
}

#[test]
fn sixteen_descriptors_and_a_small_stack_are_enough() {
    for (name, limit) in [("limit-fds", "ulimit -n 16;"), ("limit-stack", "ulimit -s 128;")] {
        prepare(name);
        for command in commands(name) {
            let ran = limited(limit, &command);
            assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{limit} {command}");
        }
        assert_eq!(names(name), ["a.table", "a.tsv", "b.table", "board.txt", "chess"]);
    }
}

#[test]
fn what_takes_more_than_a_gigabyte_is_refused_with_the_number() {
    let corner = "solve corner --piece king --rows 60000 --columns 60000 --threads 1";
    refused(&limited("", corner), &[" of memory and "]);
    empty("limit-memory");
    let build = limited("", "build chess KQRBvKR --out limit-memory");
    refused(&build, &["KQ", " takes ", " of memory and "]);
    assert!(names("limit-memory").is_empty(), "nothing is begun");
}

/// The output of the program, and its peak memory.
#[cfg(target_os = "linux")]
fn peak_of(arguments: &str) -> (Vec<u8>, u64) {
    let mut command = program(arguments);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("it is ours").is_none() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0u64) * 1024);
        std::thread::sleep(Duration::from_millis(1));
    }
    (child.wait_with_output().expect("it has ended").stdout, peak)
}

/// The program refuses a graph that takes more memory than its solution before it reads it.
#[cfg(target_os = "linux")]
#[test]
fn a_graph_takes_no_more_memory_than_it_may() {
    let moves: String = (0..600_000).map(|to| format!("start v{to}\n")).collect();
    write_file("many.txt", moves);
    let solve = "solve graph many.txt --from start --threads 1";
    refused(&run(&format!("{solve} --memory 40MB")), &["reading this graph", "--memory allows"]);
    let (out, peak) = peak_of(&format!("{solve} --memory 50MB"));
    assert!(String::from_utf8_lossy(&out).contains("win"), "{out:?}");
    assert!(peak <= (50 << 20) + (16 << 20), "it took {peak}");
}

/// The memory that a solve reports, and its peak memory. On a busy machine, the test may not run while the peak lasts. Then the
/// program runs again.
#[cfg(target_os = "linux")]
fn measured(arguments: &str) -> (u64, u64) {
    let mut found = (0, 0);
    for _ in 0..20 {
        let (out, peak) = peak_of(arguments);
        let said: Value = serde_json::from_slice(&out).expect("it is JSON");
        found = (said["memory_bytes"].as_u64().expect("a number"), peak);
        if peak > found.0 / 2 {
            break;
        }
    }
    found
}

/// The program itself takes some megabytes more than it reports for a solve, more than that in a test build, and now and then
/// another huge page for each thread.
#[cfg(target_os = "linux")]
#[test]
fn a_solve_takes_no_more_memory_than_it_says() {
    write_file("said.txt", results(run("board --rows 64 --columns 64 --seed 1 --walls 15")));
    for solve in [
        "solve pursuit said.txt --threads 1",
        "solve pursuit said.txt --threads 2",
        "solve pursuit said.txt --engine scalar --threads 1",
        "solve pursuit said.txt --engine scalar --threads 2",
        "solve pursuit said.txt --engine scalar --no-distance",
        "solve take --heaps 3000,3000 --take 1,2,5",
        "solve corner --piece king --rows 3000 --columns 3000",
    ] {
        let (said, peak) = measured(&format!("{solve} --json"));
        assert!(said > 8_000_000, "{solve}: {said}");
        assert!(peak > said / 2, "{solve}: it says {said} and took {peak}");
        assert!(peak <= said + said / 20 + (20 << 20), "{solve}: it says {said} and took {peak}");
    }
}

/// A limit on the size of files sends a signal. The parent makes the program ignore it.
#[test]
fn where_files_may_not_grow_nothing_half_written_is_left() {
    prepare("limit-size");
    let board = "limit-size/board.txt";
    for command in [
        format!("solve pursuit {board} --compression none --out limit-size/a.table"),
        "build chess KQvK --out limit-size/chess".to_owned(),
        "list corner --piece king --rows 300 --columns 300 --out limit-size/all.tsv".to_owned(),
    ] {
        let ran = limited("ulimit -f 8;", &command);
        assert_eq!(ran.status, 3, "{command}: {}", ran.err);
        assert!(ran.err.contains("limit-size/"), "{}", ran.err);
    }
    let whole = |name: &String| ["board.txt", "chess"].contains(&name.as_str());
    assert!(names("limit-size").iter().all(whole), "{:?}", names("limit-size"));
    assert!(names("limit-size/chess").iter().all(|name| name == "manifest.json"));
}

/// If a checkpoint cannot be written, the solve continues: hours of work are worth more.
#[test]
fn a_solve_whose_state_finds_no_room_goes_on() {
    prepare("limit-kept");
    let solve = "solve pursuit limit-kept/board.txt --no-distance --checkpoint limit-kept/kept --checkpoint-interval 0s";
    let ran = limited("ulimit -f 8;", solve);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(
        ran.err.contains("warning: ") && ran.err.contains("the solve continues"),
        "{}",
        ran.err
    );
    assert_eq!(names("limit-kept"), ["board.txt"]);
}

/// A small disk. This user must be allowed to mount one.
#[test]
fn on_a_full_disk_nothing_half_written_is_left() {
    prepare("limit-disk");
    empty("limit-disk/small");
    let mounted = |rest: &str| {
        let folder = home().join("limit-disk");
        shell(&format!(
            "cd '{}' && exec unshare -rm sh -c 'mount -t tmpfs -o size=32k none small && {rest}'",
            folder.display()
        ))
    };
    if !needs::met("the right to mount a small disk (`unshare -rm`)", mounted("true").status == 0) {
        return;
    }
    for command in [
        "solve pursuit board.txt --compression none --out small/a.table",
        "build chess KPvK --out small/chess",
        "list corner --piece king --rows 300 --columns 300 --out small/all.tsv",
    ] {
        let ran = mounted(&format!("retrograde {command}; echo \"status $?\"; find small -type f"));
        let (results, left) = ran.out.split_once("status ").expect("a status");
        let left: Vec<&str> = left.lines().collect();
        assert!(left[0] == "3" && ran.err.contains("small/"), "{results}{left:?} {}", ran.err);
        let whole = |name: &&str| {
            name.ends_with("/manifest.json")
                || name.ends_with("K.table")
                || name.ends_with("K.table.json")
        };
        assert!(left[1..].iter().all(whole), "{left:?}");
    }
}

/// A disk full of copies once failed the next table, and a build that was repeated failed, too.
#[test]
fn on_a_full_disk_copies_make_room_for_tables() {
    let folder = empty("limit-copies");
    let mounted = |size: u32, rest: &str| {
        let mount = format!("mount -t tmpfs -o size={size}k none small && {rest}");
        shell(&format!("cd '{}' && exec unshare -rm sh -c '{mount}'", folder.display()))
    };
    empty("limit-copies/small");
    let may_mount = mounted(32, "true").status == 0;
    if !needs::met("the right to mount a small disk (`unshare -rm`)", may_mount) {
        return;
    }
    // With all copies, the build takes 112 KiB. The tables and all files beside them take 80.
    for size in [84, 92, 100] {
        let ran = mounted(size, "retrograde build chess KPvK --out small/chess -q -j 1");
        assert_eq!(ran.status, 0, "{size}: {}", ran.err);
    }
}

/// No user can create a file in /proc, not even root.
#[test]
fn a_folder_that_cannot_be_written_to_is_told_of_before_the_work() {
    let solve = "solve take --heaps 9 --take 1";
    for command in [
        format!("{solve} --out /proc/a.table"),
        format!("{solve} --checkpoint /proc/kept"),
        format!("{solve} --disk /proc/disk --memory 9M --out limit.table"),
        "build chess KQvK --out /proc/chess".to_owned(),
        "list take --heaps 9 --take 1 --out /proc/a.tsv".to_owned(),
    ] {
        refused(&limited("", &command), &["/proc"]);
    }
}

/// A build panicked if the system refused to start threads, and a solve said that 0 threads cannot be started.
#[test]
fn threads_that_cannot_start_are_an_error() {
    empty("few-threads");
    for command in [
        "solve take --heaps 3,5 --take any",
        "solve take --heaps 3,5 --take any --disk few-threads/d --out few-threads/a.table",
        "build chess KQvK --out few-threads/chess",
        "build morris --men 3 --out few-threads/morris --disk few-threads/m",
    ] {
        // Two MiB of stack for each thread do not fit.
        let ran = limited("ulimit -v 400000;", &format!("{command} --threads 500"));
        refused(&ran, &["refuses to start", " threads (", "--threads N starts fewer"]);
    }
}

/// `--memory` limited the solve, but not the reading before it, which grew without end.
#[test]
fn what_is_read_keeps_to_the_memory() {
    write_file("endless-graph.txt", "0 1\n");
    for command in [
        "solve graph /dev/zero --memory 200MiB",
        "solve pursuit /dev/zero --memory 200MiB",
        "solve chase /dev/zero --memory 200MiB",
        "list graph /dev/zero --memory 200MiB",
        "verify graph /dev/zero --memory 200MiB",
        "play graph endless-graph.txt --script /dev/zero --memory 200MiB",
    ] {
        let ran = run(command);
        refused(&ran, &["/dev/zero: ", "half of the memory", "--memory allows 200 MiB"]);
    }
    let ran = limited("", "verify --rules graph /dev/zero");
    refused(&ran, &["/dev/zero: ", "half of the memory", "`ulimit -v`"]);
}
