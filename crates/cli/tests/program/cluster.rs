//! `retrograde solve --processes` and `--hosts` hand over to `retrograde-cluster`, beside the program or on the path, and report what is
//! in the table that it leaves. (What that program does is tested where it is made.)

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::serve::{alone, copy};
use crate::{Ran, home, ran, results, run, write_file};

/// A solve on several processes, by the program alone in a folder; beside it, where one is given, a shell script that is called
/// like the other.
fn solve(name: &str, arguments: &str, script: Option<&str>) -> Ran {
    let (program, folder) = alone(name);
    if let Some(script) = script {
        let draft = folder.join("draft");
        fs::write(&draft, format!("#!/bin/sh\nread job\n{script}\n")).expect("a script");
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).expect("a mode");
        copy(&draft, &folder.join("retrograde-cluster"));
    }
    let arguments = format!("solve take --heaps 3,5 --take any {arguments}");
    let mut command = Command::new(program);
    command.args(arguments.split_whitespace()).current_dir(home());
    ran(command.env("PATH", "/usr/bin:/bin").output().expect("it starts"))
}

#[test]
fn the_job_is_handed_over_and_the_table_reported() {
    results(run("solve take --heaps 3,5 --take any --out cluster.table --quiet"));
    let script =
        "echo \"$job\" > job.json; cp cluster.table found.table; echo '{\"memory\": 1048576}'
        echo '{\"done\": {\"seconds\": 1.5, \"sent_bytes\": 2048}}'";
    let ran = solve("cluster-found", "--processes 3 --out found.table --patience 5s", Some(script));
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.out, results(run("solve found.table")));
    assert!(ran.err.contains("each of 3 processes takes 1 MiB of memory"), "{}", ran.err);
    assert!(ran.err.contains("solved in 1.50 s on 3 processes"), "{}", ran.err);
    let job = fs::read_to_string(home().join("job.json")).expect("a job");
    for part in ["\"processes\":3", "\"patience_ms\":5000", "\"game\":\"take\"", "\"hosts\":null"] {
        assert!(job.contains(part), "{part}: {job}");
    }
}

#[test]
fn what_went_wrong_is_said_and_what_to_do() {
    let script = "echo '{\"failed\": \"process 1 was killed by signal 9\"}'; exit 1";
    let arguments = "--processes 2 --out failed.table --checkpoint kept-by-cluster";
    let ran = solve("cluster-failed", arguments, Some(script));
    assert_eq!((ran.status, &*ran.out), (1, ""));
    assert_eq!(
        ran.err,
        "error: process 1 was killed by signal 9; the same command goes on from what is kept in kept-by-cluster\n"
    );
    let ran = solve("cluster-missing", arguments, None);
    assert_eq!((ran.status, &*ran.out), (1, ""));
    assert!(ran.err.contains("cargo install retrograde-cluster"), "{}", ran.err);
}

#[test]
fn a_hosts_file_is_read_with_care() {
    let arguments = "solve take --heaps 3 --take any --out x.table --hosts hosts.txt --process 0";
    for (hosts, problem) in [
        ("10.0.0.1:2101\n10.0.0.2\n", "line 2: `10.0.0.2`: an address needs a port"),
        ("a:1\n# b\n\na:1 # again\n", "line 4: `a:1`: this address is there twice"),
        ("a:1 b:2\n", "line 1: `a:1 b:2`: one address a line"),
        ("# none\n", "it lists 0 addresses"),
    ] {
        write_file("hosts.txt", hosts);
        let ran = run(arguments);
        assert_eq!(ran.status, 1, "{}", ran.err);
        assert!(ran.err.contains(problem), "{}", ran.err);
    }
    for arguments in ["--processes 2", "--hosts hosts.txt --out x", "--process 1 --out x"] {
        let ran = run(&format!("solve take --heaps 3 --take any {arguments}"));
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.err);
    }
    let ran = run("solve take --heaps 3 --take any --processes 2 --out x --engine words");
    assert!(ran.status == 2 && ran.err.contains("state by state"), "{}", ran.err);
}
