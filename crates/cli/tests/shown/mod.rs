//! What a page shows of the program: every command in a block is run, in order, in a folder beside the examples, and what
//! it prints is what the block shows, times and sizes apart.

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

/// Runs the commands of a page, and says how many there were.
pub(crate) fn try_commands(text: &str, folder: &Path) -> usize {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut tried = 0;
    for shown in blocks.flat_map(|block| block.split("$ ").skip(1)) {
        let (command, expected) = shown.split_once('\n').expect("a command is a line");
        let command = command.replace("cargo run --release -- ", "retrograde ");
        // What builds and installs is for whoever reads, and takes minutes.
        if command.starts_with("cargo ") {
            continue;
        }
        let printed = steady(&printed(&command, folder));
        // Two endgames are built at a time, and either may be done first.
        if !command.starts_with("retrograde build ") {
            assert_eq!(printed, steady(expected), "{command}");
        }
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

/// What is the same on every machine: no times, no rates, no memory.
fn steady(text: &str) -> Vec<String> {
    let lines = text.trim_end().lines();
    let lines = lines.filter(|line| !line.starts_with("time ") && !line.starts_with("memory "));
    let steady = |line: &str| line.split(",\"seconds\"").next().unwrap_or_default().to_owned();
    lines.map(steady).collect()
}
