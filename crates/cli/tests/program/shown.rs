//! Checks what a page shows of the program. The tests run every command in a block, in order, in a folder beside the
//! examples. The output must be the one in the block, except for times.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The sources.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An empty folder to run the commands of a page in.
pub(crate) fn folder(page: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(page);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("docs/pictures")).expect("the tests' folder can be written to");
    for (from, to) in [("examples", "examples"), ("benches/record", "records")] {
        std::os::unix::fs::symlink(root().join(from), folder.join(to)).expect("a link");
    }
    folder
}

/// Runs the commands of a page. Returns how many there were.
pub(crate) fn try_commands(text: &str, folder: &Path) -> usize {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut tried = 0;
    for shown in blocks.flat_map(|block| block.split("$ ").skip(1)) {
        let (command, expected) = shown.split_once('\n').expect("a command is a line");
        let command = command.replace("cargo run --release -- ", "retrograde ");
        // Commands that build or install are for readers, and take minutes.
        if command.starts_with("cargo ") {
            continue;
        }
        let (mut printed, mut expected) = (steady(&printed(&command, folder)), steady(expected));
        if command.starts_with("retrograde build ") {
            // Two endgames are built at a time, and either may be finished first.
            printed.sort_unstable();
            expected.sort_unstable();
        }
        assert_eq!(printed, expected, "{command}");
        tried += 1;
    }
    tried
}

fn printed(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_retrograde"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path);
    let output = shell.output().expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
    String::from_utf8(output.stdout).expect("the program writes UTF-8")
}

/// The text without the parts that differ between machines: times and rates.
fn steady(text: &str) -> Vec<String> {
    text.trim_end().lines().map(|line| without_seconds(&without_times(line))).collect()
}

/// A line with a word in the place of each time, `29.4 us`, and of each rate, `120 M states/s`.
fn without_times(line: &str) -> String {
    const UNITS: [&str; 6] = ["ns", "us", "ms", "s", "min", "h"];
    let mut kept: Vec<&str> = Vec::new();
    for word in line.split(' ') {
        let unit = word.trim_end_matches(',');
        let number = |at: usize| {
            let number = kept.len().checked_sub(at).map(|at| kept[at]);
            number.is_some_and(|number| number.parse::<f64>().is_ok())
        };
        if UNITS.contains(&unit) && number(1) {
            kept.truncate(kept.len() - 1);
            kept.push("TIME");
        } else if unit == "states/s" && number(2) {
            kept.truncate(kept.len() - 2);
            kept.push("RATE");
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// A line without the number of seconds in JSON.
fn without_seconds(line: &str) -> String {
    let Some((before, after)) = line.split_once("\"seconds\":") else { return line.to_owned() };
    let rest =
        after.trim_start_matches(|digit: char| digit.is_ascii_digit() || ".e-".contains(digit));
    format!("{before}\"seconds\":TIME{rest}")
}
