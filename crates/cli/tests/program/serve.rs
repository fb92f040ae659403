//! `retrograde serve` passes its arguments to the server beside it or on the path. If there is no server, it says how
//! to install one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{home, ran};

/// A program with the name of the server. It prints its arguments.
fn stand_in(folder: &Path, says: &str) {
    fs::create_dir_all(folder).expect("the tests' folder can be written to");
    let temp_file = folder.join("temp_file");
    fs::write(&temp_file, format!("#!/bin/sh\necho {says} \"$@\"\nexit 7\n")).expect("a script");
    fs::set_permissions(&temp_file, fs::Permissions::from_mode(0o755)).expect("a mode");
    copy(&temp_file, &folder.join("retrograde-server"));
}

/// Copies a program in a separate process. If this process wrote the file, a program that another test starts at that
/// moment could inherit the open file, and then the system would refuse to run the copy.
pub(crate) fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").args([from, to]).status().expect("cp starts").success());
}

/// A copy of the program alone in a folder, and the folder.
pub(crate) fn alone(name: &str) -> (PathBuf, PathBuf) {
    let folder = home().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    let program = folder.join("retrograde");
    copy(Path::new(env!("CARGO_BIN_EXE_retrograde")), &program);
    (program, folder)
}

fn serve(program: &Path, path: &Path) -> crate::Ran {
    let arguments = ["serve", "some folder", "--listen", "127.0.0.1:0", "--help"];
    ran(Command::new(program).args(arguments).env("PATH", path).output().expect("it starts"))
}

#[test]
fn the_server_is_found_beside_the_program_and_on_the_path() {
    let (program, folder) = alone("serve-found");
    let elsewhere = folder.join("elsewhere");
    stand_in(&elsewhere, "path");
    let path = format!("{}:/usr/bin:/bin", elsewhere.display());
    let ran = serve(&program, Path::new(&path));
    assert_eq!((ran.status, &*ran.out), (7, "path some folder --listen 127.0.0.1:0 --help\n"));
    stand_in(&folder, "beside");
    let ran = serve(&program, Path::new(&path));
    assert_eq!((ran.status, &*ran.out), (7, "beside some folder --listen 127.0.0.1:0 --help\n"));
}

#[test]
fn where_there_is_no_server_the_program_says_how_to_get_one() {
    let (program, folder) = alone("serve-missing");
    let ran = serve(&program, &folder);
    assert_eq!((ran.status, &*ran.out), (3, ""));
    assert!(ran.err.contains("cargo install --path crates/server"), "{}", ran.err);
}
