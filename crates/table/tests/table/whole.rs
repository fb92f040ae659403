//! A table exists as a whole or not at all, even if its writer is killed.
//!
//! The writers that are killed are this program, started again as a child that runs one ignored test.

use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{Given, Scratch};
use retrograde::{Probe, Value};
use retrograde_files::{FileError, TempFile};
use retrograde_table::{About, Compression, Table, WriteError, Writer};
use retrograde_testkit::{Rng, needs};

/// The file that a child writes.
const TARGET: &str = "RETROGRADE_TABLE_TARGET";

/// Values from a seed, which compress badly.
fn noise(seed: u64, states: usize) -> Given {
    let mut rng = Rng::new(seed);
    let values = (0..states).map(|_| Some(Value::Win(rng.below(200) as u32))).collect();
    Given { values, distances: true }
}

fn write(path: &Path, given: &Given) -> Result<u64, WriteError> {
    let writer = Writer::new(About::default()).compression(Compression::None);
    writer.write(path, given).map(|written| written.bytes)
}

/// This program again, to run the ignored test of this name.
fn child(test: &str, target: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(TARGET, target).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn target() -> PathBuf {
    std::env::var_os(TARGET).expect("a parent says where to write").into()
}

#[test]
#[ignore = "run as a child, to be killed"]
fn write_for_ever() {
    let tables = [1, 2].map(|seed| noise(seed, 300_000));
    println!("\nready");
    loop {
        for given in &tables {
            write(&target(), given).unwrap();
        }
    }
}

#[test]
fn a_killed_writer_leaves_a_whole_table_or_none() {
    const KILLS: usize = 50;
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let whole = [1, 2].map(|seed| {
        write(&path, &noise(seed, 300_000)).unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        bytes
    });
    let mut rng = Rng::new(7);
    let mut temp_files_left = 0;
    for _ in 0..KILLS {
        let mut writer = child("whole::write_for_ever", &path).spawn().unwrap();
        wait_until_ready(&mut writer);
        std::thread::sleep(Duration::from_micros(rng.below(40_000)));
        writer.kill().unwrap();
        writer.wait().unwrap();
        if path.exists() {
            assert!(whole.contains(&fs::read(&path).unwrap()));
            Table::open(&path).unwrap().check().unwrap();
        }
        let files = folder.files();
        temp_files_left += files.iter().filter(|name| *name != "a.table").count();
        assert!(files.len() <= 2, "temp_files pile up: {files:?}");
    }
    assert!(temp_files_left > 0, "no writer was killed while it wrote");

    write(&path, &noise(1, 300_000)).unwrap();
    assert_eq!(folder.files(), ["a.table"]);
    assert!(fs::read(&path).unwrap() == whole[0]);
}

fn wait_until_ready(writer: &mut Child) {
    let output = BufReader::new(writer.stdout.take().unwrap());
    let ready = output.lines().any(|line| line.unwrap() == "ready");
    assert!(ready, "the writer did not start");
}

#[test]
#[ignore = "run as a child, where there is little room"]
fn write_where_there_is_little_room() {
    let given = noise(3, 2_000_000);
    match write(&target(), &given) {
        Err(WriteError::File(FileError::Full { written, missing, path })) => {
            assert_eq!(path, target());
            println!("\nfull {written} {missing}");
        }
        other => panic!("{other:?}"),
    }
    let folder = target().parent().unwrap().to_path_buf();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "something is left");
}

/// Runs a shell script in which `"$0" "$@"` is the child. Returns what the child says about the space.
fn starve(script: &str, target: &Path) -> Option<(u64, u64)> {
    let child = child("whole::write_where_there_is_little_room", target);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg(child.get_program()).args(child.get_args());
    shell.env(TARGET, target).env("FOLDER", target.parent().unwrap()).stderr(Stdio::null());
    let output = shell.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("full "))?;
    assert!(output.status.success(), "{text}");
    let (written, missing) = line.split_once(' ').unwrap();
    Some((written.parse().unwrap(), missing.parse().unwrap()))
}

/// The reported missing space is nearly right: the size of blocks that are not packed yet is an estimate.
fn assert_near(written: u64, missing: u64, room: u64) {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let bytes = write(&path, &noise(3, 2_000_000)).unwrap();
    assert!(written <= room && room - written < 10_000, "{written} of {room}");
    let due = bytes - written;
    assert!(missing.abs_diff(due) < due / 50, "{missing} for {due}");
}

#[test]
fn where_a_limit_is_reached_nothing_is_left_and_the_error_says_how_much_was_missing() {
    let folder = Scratch::new();
    // A limit on the size of files, in units of 512 bytes. The script ignores its signal, so that the write
    // fails.
    let script = r#"trap "" XFSZ; ulimit -f 1000; exec "$0" "$@""#;
    let (written, missing) =
        starve(script, &folder.join("a.table")).expect("the limit was reached");
    // Some shells use units of 1024 bytes.
    let room = if written <= 512_000 { 512_000 } else { 1_024_000 };
    assert_near(written, missing, room);
}

#[test]
fn on_a_full_disk_nothing_is_left_and_the_error_says_how_much_was_missing() {
    let folder = Scratch::new();
    let mounts = |rest: &str| {
        format!(
            r#"unshare -rm sh -c 'mount -t tmpfs -o size=512k none "$FOLDER" && {rest}' "$0" "$@""#
        )
    };
    let mut trial = Command::new("sh");
    trial.arg("-c").arg(mounts("true")).env("FOLDER", folder.join("")).stderr(Stdio::null());
    let mounted = trial.status().is_ok_and(|status| status.success());
    if !needs::met("the right to mount a small disk (`unshare -rm`)", mounted) {
        return;
    }
    let script = mounts(r#"exec "$0" "$@""#);
    let (written, missing) = starve(&script, &folder.join("a.table")).expect("the disk was full");
    assert_near(written, missing, 512 * 1024);
}

#[test]
fn a_cancelled_writer_leaves_nothing() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let given = noise(4, 12_000_000);
    let mut calls = Vec::new();
    let written = Writer::new(About::default())
        .compression(Compression::None)
        .progress(|progress| {
            calls.push((progress.done, progress.states));
            if calls.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .write(&path, &given);
    assert!(matches!(written, Err(WriteError::Cancelled)));
    assert!(folder.files().is_empty());
    let [(first, states), (second, _)] = calls[..] else { panic!("{calls:?}") };
    assert!(0 < first && first < second && second <= states);
    assert_eq!(states, given.states());
}

#[test]
fn a_source_that_fails_leaves_nothing() {
    struct Failing;
    impl Probe for Failing {
        type Error = String;
        fn states(&self) -> u64 {
            100_000
        }
        fn has_distances(&self) -> bool {
            true
        }
        fn probe(&self, state: u64) -> Result<Option<Value>, String> {
            if state < 70_000 { Ok(None) } else { Err(format!("no value for {state}")) }
        }
    }
    let folder = Scratch::new();
    let error = Writer::new(About::default()).write(folder.join("a.table"), &Failing).unwrap_err();
    // Threads read blocks at the same time, so any of those that cannot be read may be named.
    let error = error.to_string();
    let (_, state) = error.rsplit_once("no value for ").expect("the error of the source");
    assert!(state.parse::<u64>().unwrap() >= 70_000, "{error}");
    assert!(folder.files().is_empty());
}

#[test]
fn a_table_takes_the_place_of_another_only_when_it_is_whole() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    write(&path, &noise(1, 1000)).unwrap();
    let before = fs::read(&path).unwrap();
    let given = noise(2, 300_000);
    let mut same = true;
    Writer::new(About::default())
        .progress(|_| {
            same &= fs::read(&path).unwrap() == before;
            ControlFlow::Continue(())
        })
        .write(&path, &given)
        .unwrap();
    assert!(same);
    assert_ne!(fs::read(&path).unwrap(), before);
    assert_eq!(folder.files(), ["a.table"]);
}

#[test]
fn two_writers_of_a_file_do_not_meet() {
    let folder = Scratch::new();
    let path = folder.join("a");
    let mut first = TempFile::create(&path).unwrap();
    first.write(b"first").unwrap();
    let mut second = TempFile::create(&path).unwrap();
    second.write(b"second").unwrap();
    first.write(b" and more").unwrap();
    first.publish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"first and more");
    second.publish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    assert_eq!(folder.files(), ["a"]);
}

#[test]
fn what_is_published_is_what_was_written() {
    let folder = Scratch::new();
    let mut temp_file = TempFile::create(&folder.join("a")).unwrap();
    temp_file.write(b"ours").unwrap();
    let name = folder.files().remove(0);
    fs::remove_file(folder.join(&name)).unwrap();
    fs::write(folder.join(&name), "theirs").unwrap();
    let error = temp_file.publish().unwrap_err().to_string();
    assert!(error.contains(&name), "{error}");
    assert!(!folder.join("a").exists());
}

#[test]
#[ignore = "run as a child, beside others"]
fn write_ten_times() {
    let given = noise(1, 300_000);
    for _ in 0..10 {
        write(&target(), &given).unwrap();
    }
}

/// A writer used to remove the temporary files of other living writers.
#[test]
fn a_temp_file_is_not_swept_while_its_writer_lives() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let writers: Vec<Child> =
        (0..6).map(|_| child("whole::write_ten_times", &path).spawn().unwrap()).collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success(), "a live temp_file was swept");
    }
    assert_eq!(folder.files(), ["a.table"]);
    Table::open(&path).unwrap().check().unwrap();
}

#[test]
#[cfg(unix)]
fn links_stay_links_and_what_is_there_keeps_its_mode() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Scratch::new();
    fs::create_dir(folder.join("far")).unwrap();
    symlink("far/b", folder.join("a")).unwrap();
    symlink("a", folder.join("link")).unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let mut temp_file = TempFile::create(&folder.join(name))?;
        temp_file.write(bytes)?;
        temp_file.publish()
    };
    put("link", b"first").unwrap();
    assert_eq!(fs::read(folder.join("far/b")).unwrap(), b"first", "a link that led to nothing yet");
    fs::set_permissions(folder.join("far/b"), PermissionsExt::from_mode(0o600)).unwrap();
    put("link", b"second").unwrap();
    assert_eq!(fs::read(folder.join("far/b")).unwrap(), b"second");
    let mode = fs::metadata(folder.join("far/b")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    assert!(["a", "link"].iter().all(|name| folder.join(name).is_symlink()));
    assert_eq!(fs::read_dir(folder.join("far")).unwrap().count(), 1);
    symlink("round", folder.join("round")).unwrap();
    assert!(put("round", b"").unwrap_err().to_string().contains("leads to itself"));
    assert!(put("/dev/stdout", b"").is_err());
}

#[test]
fn folders_and_devices_keep_their_names() {
    let folder = Scratch::new();
    fs::create_dir(folder.join("a")).unwrap();
    for path in [folder.join("a"), "/dev/null".into(), "/".into(), "..".into()] {
        let error = TempFile::create(&path).unwrap_err();
        assert!(matches!(error, FileError::Io { .. }), "{error}");
    }
    let error = TempFile::create(&folder.join("none/a")).unwrap_err();
    assert!(error.to_string().contains("none/a: cannot create the file"), "{error}");
    assert_eq!(folder.files(), ["a"]);
}
