//! Several processes with one folder or one file between them, and files that are not to be written over.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use retrograde_testkit::{Rng, seed};

use crate::{Ran, home, program, ran, results, run};

/// A folder of this name, empty.
fn empty(name: &str) -> PathBuf {
    let folder = home().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

fn start(arguments: &str) -> Child {
    let mut command = program(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn end(child: Child) -> Ran {
    ran(child.wait_with_output().expect("it was started here"))
}

fn wait_for(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never comes");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn of_two_builds_into_one_folder_the_second_is_told_who_holds_it() {
    let folder = empty("shared-build");
    let first = start("build chess KQvKR --out shared-build");
    let says = format!("process {} on ", first.id());
    let lock = folder.join(".lock");
    wait_for(|| fs::read_to_string(&lock).is_ok_and(|text| text.ends_with('\n')));
    let second = run("build chess KRvKB --out shared-build");
    assert_eq!((second.status, second.out.as_str()), (1, ""));
    for part in [&*says, " since 20", " UTC is at work", "shared-build: "] {
        assert!(second.err.contains(part), "{part}: {}", second.err);
    }
    results(end(first));
    assert!(!lock.exists());
    results(run("build chess KRvKB --out shared-build"));
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    for table in ["KQvK", "KRvK", "KQvKR", "KBvK", "KRvKB"] {
        assert!(manifest.contains(&format!("\"{table}\"")), "{table} is lost: {manifest}");
    }
    assert_eq!(results(run("check shared-build")).lines().count(), 5);
}

#[test]
fn out_takes_no_place_without_force_and_never_that_of_what_is_read() {
    let folder = empty("shared-out");
    let board = results(run("board --rows 5 --columns 5 --seed 1"));
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("board.txt", &board);
    write("notes", "years of work");
    symlink("notes", folder.join("link")).unwrap();
    symlink("board.txt", folder.join("board-link")).unwrap();
    for (out, force, problem) in [
        ("notes", "", "--force"),
        ("link", "", "--force"),
        ("board.txt", "--force", "needs this file itself"),
        ("board-link", "--force", "needs this file itself"),
        ("kept/solve.checkpoint", "--force --checkpoint shared-out/kept", "needs this file itself"),
        ("/dev/stdout", "--force", "/dev/stdout"),
        ("/dev/stderr", "--force", "/dev/stderr"),
        ("/dev/null", "--force", "/dev/null"),
    ] {
        fs::create_dir_all(folder.join("kept")).unwrap();
        let out = if out.starts_with('/') { out.into() } else { format!("shared-out/{out}") };
        let ran = run(&format!("solve pursuit shared-out/board.txt --out {out} {force}"));
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{out}");
        assert!(ran.err.contains(problem) && ran.err.contains(&out), "{}", ran.err);
    }
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), "years of work");
    assert_eq!(fs::read_to_string(folder.join("board.txt")).unwrap(), board);

    fs::set_permissions(folder.join("notes"), PermissionsExt::from_mode(0o640)).unwrap();
    results(run("solve pursuit shared-out/board.txt --out shared-out/link --force"));
    assert!(folder.join("link").is_symlink());
    let mode = fs::metadata(folder.join("notes")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert!(results(run("verify shared-out/notes")).starts_with("OK: "));
}

/// What is there only when the solve is done is not written over either, and the solve is not lost.
#[test]
fn a_file_that_came_meanwhile_stays() {
    let folder = empty("shared-late");
    let solve = "solve take --heaps 100,100,100 --take any --out shared-late/a.table";
    let child = start(&format!("{solve} --checkpoint shared-late/kept"));
    // It is made when all that can be refused has been.
    wait_for(|| folder.join("kept").exists());
    fs::write(folder.join("a.table"), "years of work").unwrap();
    let ran = end(child);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("this is shared-late/a.table.1"), "{}", ran.err);
    assert!(ran.out.contains("table      shared-late/a.table.1"), "{}", ran.out);
    assert_eq!(fs::read_to_string(folder.join("a.table")).unwrap(), "years of work");
    assert!(results(run("check shared-late/a.table.1")).starts_with("OK: "));
}

/// How many pairs of processes meet: more by RETROGRADE_PAIRS (scripts/kills).
fn pairs() -> u64 {
    std::env::var("RETROGRADE_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(3)
}

/// Two of the same at once: each works, or is refused and says why. Then one is killed as often as not, and whatever comes of the
/// other, the command comes to the same files in the end.
#[test]
fn pairs_of_processes_come_to_the_same_bytes() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let board = results(run("board --rows 12 --columns 12 --seed 1"));
    fs::write(home().join("pair-board.txt"), board).unwrap();
    let commands = [
        "build chess KQvK KRvK --out",
        "solve pursuit pair-board.txt --force --out FOLDER/a.table",
        "solve pursuit pair-board.txt --force --every 0s --checkpoint FOLDER/kept --out FOLDER/a.table",
    ];
    let commands = commands.map(|command| match command.contains("FOLDER") {
        true => command.replace("FOLDER", "pair"),
        false => format!("{command} pair"),
    });
    let whole = commands.each_ref().map(|command| {
        let folder = empty("pair");
        results(run(command));
        contents(&folder)
    });
    for pair in 0..pairs() {
        let which = (pair % 3) as usize;
        let (folder, command) = (empty("pair"), &commands[which]);
        let (first, mut second) = (start(command), start(command));
        let kills = rng.chance(50);
        if kills {
            sleep(Duration::from_micros(rng.below(30_000)));
            let _ = second.kill();
        }
        let second = second.wait_with_output().expect("it was started here");
        let mut ends = vec![end(first)];
        if second.status.code().is_some() {
            ends.push(ran(second));
        }
        for Ran { status, err, .. } in &ends {
            let told = err.contains("is at work") || err.contains("--force");
            assert!(*status == 0 || (*status == 1 && told), "{command}: {err}");
        }
        assert!(kills || ends.iter().any(|ran| ran.status == 0), "{command}: nobody has worked");
        results(run(command));
        assert!(contents(&folder) == whole[which], "{command}: other files");
    }
}

/// The files of a folder, and what is in them.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let file = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.expect("it can be read");
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file"))
    };
    entries.map(file).collect()
}
