//! Tests of the real program: its output and its exit code.

mod answers;
mod arrows;
mod book;
mod certificate;
mod checkpoint;
mod chess;
mod disk;
mod endgames;
mod examples;
mod families;
mod golden;
mod graphs;
mod help;
mod hostile;
mod input;
mod limits;
mod line;
mod mistakes;
mod morris;
mod opponents;
mod picture;
mod play;
mod readme;
mod screen;
mod serve;
mod shapes;
mod shared;
mod shown;
mod signals;
mod solve;
mod stop;
mod tables;
mod terminal;
mod texts;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// The result of a run.
struct Ran {
    status: i32,
    out: String,
    err: String,
}

/// The folder for files of the tests, in which the program runs. Files of an earlier run are removed.
fn home() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        // Another name for tests that run a second time while this process runs.
        let name = std::env::var("RETROGRADE_HOME").unwrap_or_else(|_| "program".to_owned());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the tests' folder can be written to");
        folder
    });
    &FOLDER
}

/// The program with arguments, which blanks separate.
fn program(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.args(arguments.split_whitespace()).current_dir(home()).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
fn run(arguments: &str) -> Ran {
    ran(program(arguments).output().expect("the program starts"))
}

/// Runs a line of a shell in a folder beside the examples. The shell finds the program by its name.
fn shell(line: &str) -> Ran {
    let folder = home().join("shell");
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    if !folder.join("examples").exists() {
        std::os::unix::fs::symlink(examples, folder.join("examples")).expect("a link");
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_retrograde")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).stdin(Stdio::null());
    command.env("PATH", format!("{}:{path}", bin.display())).env("HOME", home().join("shell"));
    ran(command.output().expect("a shell starts"))
}

/// Runs the program with a text as its standard input.
fn run_on(arguments: &str, text: &str) -> Ran {
    run_command_on(&mut program(arguments), text.as_bytes())
}

/// Runs a command on these bytes as its standard input.
fn run_command_on(command: &mut Command, bytes: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    // A program that refuses its arguments may end before it reads.
    let _ = stdin.write_all(bytes);
    drop(stdin);
    ran(child.wait_with_output().expect("the program ends"))
}

fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    Ran {
        status: output.status.code().expect("the program is not killed"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// The results of a run that must succeed without any message.
fn results(ran: Ran) -> String {
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

/// Writes a file for the program. No two tests may use the same name.
fn write_file(name: &str, contents: impl AsRef<[u8]>) {
    fs::write(home().join(name), contents).expect("the tests' folder can be written to");
}
