//! A test that checks nothing says so, and fails in CI.

use std::fs;
use std::process::{Command, Output};

use retrograde_testkit::needs;

use crate::tidy::{root, sources};

/// Tests of terminals, shells and full disks passed in silence on machines without these. In CI, too.
#[test]
fn a_test_returns_early_only_if_the_machine_lacks_what_it_needs() {
    let (mut tests, mut skips) = (0, 0);
    for file in sources() {
        let text = fs::read_to_string(&file).expect("a source file can be read");
        let lines: Vec<&str> = text.lines().collect();
        for body in tests_of(&lines) {
            tests += 1;
            for at in body.filter(|&at| returns(lines[at])) {
                let opener = opener_of(&lines, at);
                assert!(
                    opener.contains("if !needs::"),
                    "{}:{}: a test returns early; if the machine lacks something, ask `retrograde_testkit::needs`",
                    file.display(),
                    at + 1
                );
                skips += 1;
            }
        }
    }
    assert!(tests > 500 && skips > 10, "this rule has lost sight of the tests: {tests}, {skips}");
}

/// The lines of each test, by their numbers from 0.
fn tests_of(lines: &[&str]) -> Vec<std::ops::Range<usize>> {
    let marks = (0..lines.len()).filter(|&at| lines[at].trim() == "#[test]");
    let bodies = marks.map(|mark| {
        let starts = |line: &&str| line.trim_start().starts_with("fn ");
        let first = mark + lines[mark..].iter().position(starts).expect("a function");
        let end = format!("{}}}", " ".repeat(indent(lines[first])));
        let len = lines[first..].iter().position(|line| *line == end).expect("it ends");
        first..first + len
    });
    bodies.collect()
}

/// Whether a line returns without a value.
fn returns(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default().trim_end();
    ["return;", "return }", "return,"].iter().any(|word| code.contains(word))
        || code.ends_with("return")
}

/// The text that opens the block of a line, from its first word on.
fn opener_of(lines: &[&str], at: usize) -> String {
    if lines[at].contains('{') {
        return lines[at].to_owned();
    }
    let last = (0..at).rev().find(|&above| indent(lines[above]) < indent(lines[at]));
    let last = last.expect("it is in a block");
    // A long condition ends in a line that begins with `)`.
    let first = (0..=last).rev().find(|&above| {
        indent(lines[above]) == indent(lines[last]) && !lines[above].trim_start().starts_with(')')
    });
    lines[first.expect("the block has a beginning")..=last].join("\n")
}

/// How many blanks a line begins with. An empty line is in any block.
fn indent(line: &str) -> usize {
    if line.is_empty() { usize::MAX } else { line.len() - line.trim_start().len() }
}

#[test]
#[ignore = "run as a child, with and without `CI`"]
fn need_a_program_that_does_not_exist() {
    assert!(needs::program("sh"));
    if !needs::program("retrograde-of-the-year-3000") {
        return;
    }
    unreachable!("it does not exist");
}

#[test]
fn a_skip_is_loud_and_fails_in_ci() {
    let child = |ci: &str| -> Output {
        let mut command = Command::new(std::env::current_exe().expect("a test runs"));
        command.args(["--ignored", "--exact", "skips::need_a_program_that_does_not_exist"]);
        command.env("CI", ci).output().expect("it starts")
    };
    let need = "skips::need_a_program_that_does_not_exist is left out: it needs the program \
                `retrograde-of-the-year-3000`";
    let output = child("");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains(need), "{output:?}");
    let output = child("true");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && said.contains(need), "{output:?}");
}

/// Runs were green while they left out fuzzing, licences and the book, and no person had to look.
#[test]
fn a_step_that_is_left_out_fails_in_ci() {
    let check = fs::read_to_string(root().join("scripts/check")).expect("it can be read");
    let from = check.find("\nleft_out() {").expect("it has the function");
    let function = &check[from..from + check[from..].find("\n}\n").expect("it ends") + 3];
    let run = |name: &str, ci: &str, full: &str| -> Output {
        let script = format!(
            "set -euo pipefail; full={full}\n{function}\nleft_out {name} 'it is not here'; echo went on"
        );
        let mut command = Command::new("bash");
        command
            .args(["-c", &script])
            .current_dir(root())
            .env("CI", ci)
            .output()
            .expect("bash starts")
    };
    let goes_on = |output: &Output| {
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(": left out, it is not here"), "{output:?}");
        assert_eq!(output.status.success(), said.contains("went on"), "{output:?}");
        output.status.success()
    };
    let exceptions = fs::read_to_string(root().join("exceptions.toml")).expect("it can be read");
    let lines: Vec<&str> = exceptions.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() <= 5, "{} exceptions, and at most five are allowed", lines.len());
    for line in lines {
        let (name, reason) = line.split_once(" = ").expect("a line is `name = \"reason\"`");
        assert!(reason.contains("; scripts/check --full"), "where does {name} run instead?");
        assert!(check.contains(&format!("left_out {name} ")), "no step has the name {name}");
        assert!(goes_on(&run(name, "true", "")), "{name} is an exception");
        assert!(
            !goes_on(&run(name, "true", "yes")),
            "--full leaves nothing out, and {name} neither"
        );
    }
    assert!(!goes_on(&run("server", "true", "")), "the server is no exception");
    assert!(goes_on(&run("server", "", "")), "outside CI the run says so, and goes on");
    assert!(!goes_on(&run("server", "", "yes")), "--full leaves nothing out");
}

/// A tool for each step that a machine can lack, and the word of the run that tells of it.
const TOOLS: [(&str, &str); 11] = [
    ("cargo-fuzz", "fuzzing"),
    ("cargo-deny", "dependencies"),
    ("cargo-semver-checks", "interface"),
    ("git", "interface"),
    ("mdbook", "book"),
    ("python3", "sentences"),
    ("mpicc", "cluster"),
    ("mpirun", "cluster"),
    ("pgrep", "cluster"),
    ("oldest", "oldest"),
    ("wasm32", "wasm32"),
];

/// A folder of programs that all succeed and do nothing, but for one that is hidden. `cargo` answers for its subcommands, for the
/// oldest compiler and for the targets. As with the real one, its own subcommands have no version.
fn stubs(hidden: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stubs-{hidden}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("lib/rustlib")).expect("the tests' folder can be written to");
    let write = |name: &str, text: String| {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a stub is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
    };
    if hidden != "wasm32" {
        fs::create_dir(folder.join("lib/rustlib/wasm32-unknown-unknown")).expect("a folder");
    }
    let cargo = "case \"$1 $2\" in 'doc --version'|'test --version'|'publish --version') exit 1 ;; esac\n\
                 case $1 in +*) old=oldest ;; *) old=cargo-$1 ;; esac\n\
                 case $old in cargo-fuzz|cargo-deny|cargo-semver-checks|oldest) command -v $old >/dev/null ;; esac";
    write("cargo", cargo.to_owned());
    write("rustc", format!("echo {}", folder.display()));
    for tool in ["cargo-fuzz", "cargo-deny", "cargo-semver-checks", "oldest"] {
        write(tool, String::new());
    }
    // There is a release, so that the interface is compared.
    write("git", "echo v1".to_owned());
    write("ldconfig", "echo libclang".to_owned());
    for tool in ["mdbook", "python3", "mpicc", "mpirun", "pgrep"] {
        write(tool, String::new());
    }
    // Of the machine, only what the script itself is made of.
    for tool in [
        "sh", "bash", "dirname", "sed", "grep", "tr", "mktemp", "cat", "rm", "uname", "env", "ls",
        "find",
    ] {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found =
            std::env::split_paths(&path).map(|place| place.join(tool)).find(|it| it.exists());
        std::os::unix::fs::symlink(found.expect("a usual tool"), folder.join(tool))
            .expect("a link");
    }
    let _ = fs::remove_file(folder.join(hidden));
    folder
}

/// Fuzz targets and a script rotted behind green runs on machines without their tools.
#[test]
fn each_tool_that_is_missing_fails_the_run_or_is_an_exception() {
    let exceptions = fs::read_to_string(root().join("exceptions.toml")).expect("it can be read");
    let run = |hidden: &str, options: &[&str]| -> (bool, String) {
        let folder = stubs(hidden);
        let mut command = Command::new(folder.join("bash"));
        command.arg(root().join("scripts/check")).args(options).env("PATH", &folder);
        let output = command.env("CI", "true").output().expect("bash starts");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    };
    for options in [&["--dry-run"][..], &["--full", "--dry-run"]] {
        let (whole, said) = run("nothing", options);
        assert!(whole && !said.contains("left out"), "{options:?}: {said}");
    }
    for (tool, step) in TOOLS {
        let (whole, said) = run(tool, &["--dry-run"]);
        assert!(said.contains(&format!("{step}: left out")), "{tool}: {said}");
        let excepted = exceptions.lines().any(|line| line.starts_with(&format!("{step} = ")));
        assert_eq!(whole, excepted, "{tool}: {said}");
        let (whole, said) = run(tool, &["--full", "--dry-run"]);
        assert!(!whole && said.contains("leaves nothing out"), "{tool}: {said}");
    }
}
