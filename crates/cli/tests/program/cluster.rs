//! `retrograde solve --processes` and `--hosts`, and `build` with these options, start `retrograde-cluster`, beside the
//! program or on the path. They report on the table that it writes. (The tests of its crate cover that program.)

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::serve::{alone, copy};
use crate::{Ran, home, ran, results, run, write_file};

/// A solve on several processes.
fn solve(name: &str, arguments: &str, script: Option<&str>) -> Ran {
    let program = with_script(name, script);
    let arguments = format!("solve take --heaps 3,5 --take any {arguments}");
    let mut command = Command::new(program);
    command.args(arguments.split_whitespace()).current_dir(home());
    ran(command.env("PATH", "/usr/bin:/bin").output().expect("it starts"))
}

/// A copy of the program alone in a folder. If a script is given, it stands beside the program under the name
/// `retrograde-cluster`.
pub(crate) fn with_script(name: &str, script: Option<&str>) -> PathBuf {
    let (program, folder) = alone(name);
    if let Some(script) = script {
        let temp_file = folder.join("temp_file");
        fs::write(&temp_file, format!("#!/bin/sh\nread job\n{script}\n")).expect("a script");
        fs::set_permissions(&temp_file, fs::Permissions::from_mode(0o755)).expect("a mode");
        copy(&temp_file, &folder.join("retrograde-cluster"));
    }
    program
}

#[test]
fn a_plan_is_printed_and_nothing_solved() {
    let script = r#"echo "$job" >plan.json
        echo '{"plan": {"processes": 3, "threads": 2, "states": 5000, "engine": "scalar", "block_states": 1024,
            "memory": 3145728, "moves_of_a_state": 5.0, "moves_away": 1.5, "sent_bytes_most": 2097152, "checkpoint_bytes": 4096}}' |
            tr '\n' ' '"#;
    let ask = |name: &str, more: &str| {
        solve(
            name,
            &format!("--processes 3 --plan --memory 2MB --out planned.table {more}"),
            Some(script),
        )
    };
    let ran = ask("cluster-plan", "");
    assert_eq!((ran.status, &*ran.err), (0, ""), "{}", ran.out);
    for line in [
        "processes  3, 2 threads each",
        "engine     scalar",
        "states     5,000, in blocks of 1,024",
        "memory     3 MiB for each process",
        "           each may take 1.91 MiB: more processes need less each",
        "messages   2 MiB at most in all: 5.0 moves lead into a state, 30% of them from another process",
        "disk       about 4 KiB for the checkpoint of each process; twice that while it saves one",
    ] {
        assert!(ran.out.lines().any(|said| said == line), "{line}: {}", ran.out);
    }
    let job = fs::read_to_string(home().join("plan.json")).expect("a job");
    assert!(job.contains("\"end\":\"plan\""), "{job}");
    assert!(!home().join("planned.table").exists());
    let ran = ask("cluster-plan-json", "--json");
    assert!(ran.out.contains("\"memory_max\":2000000"), "{}", ran.out);
}

#[test]
fn the_job_is_handed_over_and_the_table_reported() {
    results(run("solve take --heaps 3,5 --take any --out cluster.table --quiet"));
    let script =
        "echo \"$job\" > job.json; cp cluster.table found.table; echo '{\"memory\": 1048576}'
        echo '{\"done\": {\"seconds\": 1.5, \"sent_bytes\": 2048}}'";
    let ran = solve(
        "cluster-found",
        "--processes 3 --out found.table --timeout 5s --compression best",
        Some(script),
    );
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.starts_with("WIN") || ran.out.starts_with("LOSS"), "{}", ran.out);
    assert!(ran.err.contains("each of 3 processes takes 1 MiB of memory"), "{}", ran.err);
    assert!(ran.err.contains("solved in 1.50 s on 3 processes"), "{}", ran.err);
    let job = fs::read_to_string(home().join("job.json")).expect("a job");
    // The other program could not read the name of the compression, and used the default.
    for part in [
        "\"compression\":\"best\"",
        "\"processes\":3",
        "\"timeout_ms\":5000",
        "\"name\":\"take\"",
        "\"hosts\":null",
    ] {
        assert!(job.contains(part), "{part}: {job}");
    }
}

/// The processes leave their values in a table. Without `--out` the user gets the report only.
#[test]
fn without_out_no_table_is_left() {
    results(run("solve take --heaps 3,5 --take any --out cluster-report.table --quiet"));
    let script = "path=$(echo \"$job\" | sed 's/.*\"path\":\"\\([^\"]*\\)\".*/\\1/')
        cp cluster-report.table \"$path\"; echo \"$path\" > cluster-report.path
        echo '{\"done\": {\"seconds\": 1.5, \"sent_bytes\": 2048}}'";
    let ran = solve("cluster-report", "--processes 3", Some(script));
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.starts_with("WIN") && !ran.out.contains("table"), "{}", ran.out);
    let path = fs::read_to_string(home().join("cluster-report.path")).expect("a path");
    let folder = Path::new(path.trim()).parent().expect("a folder");
    assert!(path.contains("retrograde-solve-") && !folder.exists(), "{path}");
}

#[test]
fn what_went_wrong_is_said_and_what_to_do() {
    let script = "echo '{\"failed\": \"process 1 was killed by signal 9\"}'; exit 1";
    let arguments = "--processes 2 --out failed.table --checkpoint kept-by-cluster";
    let ran = solve("cluster-failed", arguments, Some(script));
    assert_eq!((ran.status, &*ran.out), (3, ""));
    assert_eq!(
        ran.err,
        "error: process 1 was killed by signal 9; the same command continues from the checkpoint in kept-by-cluster\n"
    );
    let ran = solve("cluster-missing", arguments, None);
    assert_eq!((ran.status, &*ran.out), (3, ""));
    assert!(ran.err.contains("cargo install --path crates/cluster"), "{}", ran.err);
}

#[test]
fn a_hosts_file_is_read_with_care() {
    let arguments = "solve take --heaps 3 --take any --out x.table --hosts hosts.txt --process 0";
    for (hosts, problem) in [
        ("10.0.0.1:2101\n10.0.0.2\n", "line 2: `10.0.0.2`: an address needs a port"),
        ("a:1\n# b\n\na:1 # again\n", "line 4: `a:1`: this address occurs twice"),
        // The reader took a byte order mark for a part of the first address, so two lines with one address passed.
        ("\u{feff}a:1\na:1\n", "line 2: `a:1`: this address occurs twice"),
        // The reader accepted port 0. No process could be reached there, and two processes of one machine were "twice"
        // the same address.
        ("a:1\na:0\n", "line 2: `a:0`: port 0 stands for any free port"),
        ("a:1 b:2\n", "line 1: `a:1 b:2`: one address a line"),
        ("# none\n", "it lists 0 addresses"),
    ] {
        write_file("hosts.txt", hosts);
        let ran = run(arguments);
        assert_eq!(ran.status, 3, "{}", ran.err);
        assert!(ran.err.contains(problem), "{}", ran.err);
    }
    for arguments in ["--hosts hosts.txt", "--process 1"] {
        let ran = run(&format!("solve take --heaps 3 --take any {arguments}"));
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.err);
    }
    for (option, problem) in [
        ("--engine bit-parallel", "cannot be solved 64 states at a time"),
        ("--disk logs", "several processes keep take in memory: leave --disk out"),
    ] {
        let ran = run(&format!("solve take --heaps 3 --take any --processes 2 --out x {option}"));
        assert!(ran.status == 2 && ran.err.contains(problem), "{}", ran.err);
    }
}

/// Stands in for the processes: it copies the table of the requested region from a folder. Two tests once wrote their
/// jobs to one file.
fn from_folder(folder: &str) -> String {
    format!(
        "asked() {{ echo \"$job\" | sed \"s/.*\\\"$1\\\":\\\"\\([^\\\"]*\\)\\\".*/\\1/\"; }}
        echo \"$job\" >> {folder}.jobs
        echo '{{\"level\": 3, \"settled\": 5}}'; echo '{{\"written\": 1, \"of\": 2}}'
        if test -n \"$(asked path)\"; then cp {folder}/$(asked region).table $(asked path); fi"
    )
}

#[test]
fn a_build_hands_each_region_over_in_order() {
    results(run("build chess KPvK --out cluster-one --quiet"));
    let script = from_folder("cluster-one");
    let program = with_script("cluster-build", Some(&script));
    let build = |arguments: &str| {
        let arguments = format!("build chess KPvK --out cluster-two {arguments}");
        let mut command = Command::new(&program);
        command.args(arguments.split_whitespace()).current_dir(home());
        ran(command.env("PATH", "/usr/bin:/bin").output().expect("it starts"))
    };
    let _ = fs::remove_file(home().join("cluster-one.jobs"));
    let _ = fs::remove_dir_all(home().join("cluster-two"));
    let ran = build("--processes 3 --verify");
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("OK: 5 tables in cluster-two, verified"), "{}", ran.out);
    let jobs = fs::read_to_string(home().join("cluster-one.jobs")).expect("jobs");
    let regions = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
    assert_eq!(jobs.lines().count(), regions.len());
    for (job, region) in jobs.lines().zip(regions) {
        let checkpoint = format!("\"folder\":\"cluster-two/{region}.checkpoint\"");
        let region = format!("\"region\":\"{region}\"");
        for part in [
            &*region,
            &*checkpoint,
            "\"processes\":3",
            "\"family\":\"chess\"",
            "\"distances\":true",
        ] {
            assert!(job.contains(part), "{part}: {job}");
        }
    }
    for name in
        regions.map(|region| format!("{region}.table")).iter().chain([&"manifest.json".into()])
    {
        let read = |folder: &str| fs::read(home().join(folder).join(name)).expect("a file");
        assert!(read("cluster-two") == read("cluster-one"), "{name}");
    }
    let ran = run("build chess KPvK --out cluster-two --processes 2 --plan");
    assert!(ran.status == 2 && ran.err.contains("cannot be used with"), "{}", ran.err);
}

/// Every other process follows the first one region by region, and leaves the writing to it.
#[test]
fn a_process_that_follows_a_build_waits_for_each_region() {
    results(run("build chess KPvK --out cluster-first --quiet"));
    write_file("two-hosts.txt", "127.0.0.1:2101\n127.0.0.1:2102\n");
    let program = with_script("cluster-follow", Some(&from_folder("cluster-first")));
    let start = |process: u32| {
        let arguments = format!(
            "build chess KPvK --out cluster-shared --hosts two-hosts.txt --process {process}"
        );
        let mut command = Command::new(&program);
        command.args(arguments.split_whitespace()).current_dir(home());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("PATH", "/usr/bin:/bin").spawn().expect("it starts")
    };
    let _ = fs::remove_dir_all(home().join("cluster-shared"));
    let _ = fs::remove_file(home().join("cluster-first.jobs"));
    let mut follower = start(1);
    // It has joined in the first region, and waits until the manifest lists that region.
    while fs::read_to_string(home().join("cluster-first.jobs")).map_or(true, |jobs| jobs.is_empty())
    {
        thread::sleep(Duration::from_millis(10));
    }
    assert!(follower.try_wait().expect("it runs").is_none());
    let first = ran(start(0).wait_with_output().expect("it ends"));
    assert_eq!(first.status, 0, "{}", first.err);
    let follower = ran(follower.wait_with_output().expect("it ends"));
    assert_eq!((follower.status, &*follower.out), (0, ""), "{}", follower.err);
    let jobs = fs::read_to_string(home().join("cluster-first.jobs")).expect("jobs");
    let of = |process: &str| jobs.lines().filter(|job| job.contains(process)).count();
    assert_eq!((of("\"process\":0"), of("\"process\":1")), (5, 5));
    let ran = run("build chess KQvK --out cluster-shared --hosts two-hosts.txt");
    assert!(ran.status == 2 && ran.err.contains("--process"), "{}", ran.err);
}
