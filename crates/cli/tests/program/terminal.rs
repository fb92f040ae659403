//! Pipes and terminals: a reader that stops reading, and a progress bar for a person at a terminal.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use retrograde_testkit::needs;
use serde_json::Value as Json;

use crate::{home, program, results, run, write_file};

/// `retrograde ... | head -1`: no panic, no message, and success.
#[test]
fn a_closed_pipe_ends_quietly() {
    for arguments in [
        "list corner --piece king --rows 500 --columns 500",
        "line take --heaps 100000 --take 1",
        "board --rows 900 --columns 900",
    ] {
        let mut command = program(arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut first = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        out.read_line(&mut first).expect("a first line");
        assert!(first.ends_with('\n'));
        drop(out);
        let end = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&end.stderr);
        assert_eq!((end.status.code(), &*err), (Some(0), ""), "{arguments}");
    }
}

/// No process reads results or errors.
#[test]
fn closed_from_the_start_ends_quietly() {
    for arguments in
        ["solve take --heaps 15 --take 1,2,3", "solve take", "--help", "completions zsh"]
    {
        let mut command = program(arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop((child.stdout.take(), child.stderr.take()));
        let status = child.wait().expect("it ends").code();
        assert_eq!(status, Some(if arguments == "solve take" { 2 } else { 0 }), "{arguments}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let full = OpenOptions::new().write(true).open("/dev/full");
    if !needs::met("/dev/full", full.is_ok()) {
        return;
    }
    let full = full.expect("it is open");
    let output = program("solve take --heaps 15 --take 1,2,3").stdout(full).output();
    let output = output.expect("it starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3));
    assert!(err.contains("could not be written"), "{err}");
}

/// Runs the program with standard error on a terminal of its own, which `script` makes. Returns what the terminal
/// showed, and how long the solve took.
fn on_terminal(arguments: &str) -> (String, f64) {
    let program = env!("CARGO_BIN_EXE_retrograde");
    let command = format!("'{program}' {arguments} --json > bar.json");
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &command, "/dev/null"]).current_dir(home()).stdin(Stdio::null());
    let output = terminal.output().expect("script starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let results = File::open(home().join("bar.json")).expect("results were written");
    let object: Json = serde_json::from_reader(results).expect("one JSON object");
    let seconds = object["seconds"].as_f64().expect("a time");
    (String::from_utf8_lossy(&output.stdout).into_owned(), seconds)
}

/// Work of more than a second shows progress on a terminal, but not with `--quiet`.
#[test]
fn a_long_solve_shows_a_bar_on_a_terminal() {
    if !needs::program("script") {
        return;
    }
    // Two police take long for little memory. How long depends on the machine, so boards grow until one takes long
    // enough. The time grows with the sixth power of the side.
    let mut side = 8;
    loop {
        let make = format!("board --rows {side} --columns {side} --police 2 --seed 1");
        write_file("bar.txt", results(run(&make)));
        let solve = "solve pursuit bar.txt --police 2 --threads 1";
        let (seen, seconds) = on_terminal(solve);
        if seconds < 1.0 {
            assert_eq!(seen, "", "a bar for what took {seconds} s");
        } else if seconds > 1.5 {
            assert!(seen.contains("level ") && seen.contains("% settled"), "{seen:?}");
            // At each drawing the terminal must not wrap, and afterwards it is as before.
            let drawn = seen.matches("\x1b[?7l\r").count();
            assert!(drawn > 0 && drawn == seen.matches("\x1b[K\x1b[?7h").count(), "{seen:?}");
            assert!(seen.ends_with("\r\x1b[K"), "the bar is wiped: {seen:?}");
            let (seen, _) = on_terminal(&format!("{solve} --quiet"));
            assert_eq!(seen, "");
            break;
        }
        let enough = f64::from(side) * (1.8 / seconds).powf(1.0 / 6.0);
        side = (enough.ceil() as u32).clamp(side + 1, 2 * side);
    }
}
