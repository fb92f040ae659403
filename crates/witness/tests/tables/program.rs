//! The program `retrograde-witness`: its output and its exit codes.

use std::process::{Command, Output};

use crate::common::{Scratch, Solved};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_retrograde-witness")).args(arguments).output().unwrap()
}

#[test]
fn the_program_says_what_it_proved_and_leaves_as_the_house_does() {
    let folder = Scratch::new();
    let (good, bad) = (folder.join("good.table"), folder.join("bad.table"));
    let solved = Solved::pursuit("E..\n.*.\n", 1);
    solved.writer().write(&good, &solved.solution).unwrap();
    let good = good.to_str().unwrap();

    let output = run(&[good, "--memory", "1MiB", "--threads", "1"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, format!("OK: {good}: 50 positions, 94 moves, every value proved\n"));
    assert!(output.status.success() && output.stderr.is_empty());

    let said = String::from_utf8(run(&[good, "--sample", "1000"]).stdout).unwrap();
    let what = "no value contradicts its moves; a sample of 100% of the states is not a proof";
    assert_eq!(said, format!("OK: {good}: 50 positions, 94 moves, {what}\n"));

    std::fs::write(&bad, "no table").unwrap();
    let output = run(&[folder.join("").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("error: ") && said.contains("bad.table: the file is cut short"),
        "{said}"
    );

    for arguments in [&[][..], &["--memory", "0", good], &["--memory", "much", good], &["--what"]] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    assert!(help.contains("Examples:") && help.contains("--memory <SIZE>"), "{help}");
}
