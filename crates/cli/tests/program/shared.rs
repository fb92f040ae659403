//! Several processes share one folder or one file, and files that a command must not replace.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use retrograde_testkit::{Rng, seed, signal};

use crate::{Ran, home, program, ran, results, run, write_file};

/// An empty folder with this name.
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
fn two_builds_in_one_folder_share_its_regions() {
    let folder = empty("shared-build");
    let first = start("build chess KQvKR --out shared-build");
    wait_for(|| folder.join("KQvKR.lease").exists());
    signal(first.id(), "STOP");
    let second = start("build chess KQvKR KRvKB --out shared-build");
    wait_for(|| folder.join("KRvKB.table.json").exists());
    signal(first.id(), "CONT");
    let (first, second) = (end(first), end(second));
    let made = |ran: &Ran| ran.out.lines().filter(|line| line.contains(" states ")).count();
    assert_eq!(made(&first) + made(&second), 5, "{} {}", first.out, second.out);
    assert!(results(second).contains("OK: 5 tables in shared-build, "));
    results(first);
    assert_eq!(results(run("verify --checksums shared-build")).lines().count(), 5);
    let left = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| !name.to_string_lossy().contains(".table")).collect();
    assert_eq!(left, ["manifest.json"]);
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
        assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{out}");
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

/// The program checked that a name is free, wrote a table for minutes, and then took the name. A file that appeared
/// meanwhile was lost. Now it stays, and the solution is not lost either.
#[test]
fn a_file_that_came_meanwhile_stays() {
    let folder = empty("shared-late");
    let solve =
        "solve take --heaps 100,100,100 --take any --compression best --out shared-late/a.table";
    let child = start(&format!("{solve} --checkpoint shared-late/kept"));
    let is_writing = |path: &Path| {
        path.extension().is_some_and(|extension| extension == "temp_file")
            && fs::metadata(path).is_ok_and(|found| found.len() > 0)
    };
    wait_for(|| folder.read_dir().unwrap().flatten().any(|entry| is_writing(&entry.path())));
    let mut late = File::create_new(folder.join("a.table")).expect("the table is not written yet");
    late.write_all(b"years of work").unwrap();
    let ran = end(child);
    assert_eq!(ran.status, 3, "{}", ran.err);
    let problem = "shared-late/a.table: another file took this name meanwhile and stays; the new file is \
                   shared-late/a.table.1";
    assert!(ran.err.contains(problem), "{}", ran.err);
    assert!(ran.out.contains("table      shared-late/a.table.1"), "{}", ran.out);
    assert_eq!(fs::read_to_string(folder.join("a.table")).unwrap(), "years of work");
    assert!(results(run("verify --checksums shared-late/a.table.1")).starts_with("OK: "));
    assert_eq!(contents(&folder).len(), 2, "a table that is safe needs no checkpoint");
}

/// How many pairs of processes race for a name. RETROGRADE_RACES (scripts/kills) makes more.
fn races() -> u64 {
    std::env::var("RETROGRADE_RACES").ok().and_then(|races| races.parse().ok()).unwrap_or(4)
}

/// Two commands with one `--out` both reported success, and the work of one was lost, in 38 of 40 trials.
#[test]
fn of_two_commands_with_one_out_neither_loses_its_work() {
    let boards = [1, 2].map(|seed| {
        let name = format!("race-{seed}.txt");
        write_file(&name, results(run(&format!("board --rows 9 --columns 9 --seed {seed}"))));
        name
    });
    let kinds =
        ["solve", "solve --checkpoint race/BOARD", "solve --compression best", "list", "picture"];
    let commands = kinds.map(|kind| {
        boards.each_ref().map(|board| {
            let (verb, options) = kind.split_once(' ').unwrap_or((kind, ""));
            let options = options.replace("BOARD", board);
            format!("{verb} pursuit {board} {options} --out race/a")
        })
    });
    let mut works = [(); 5].map(|()| None);
    let mut met = 0;
    for race in 0..races() {
        let which = race as usize % commands.len();
        let commands = &commands[which];
        let works = works[which].get_or_insert_with(|| {
            commands.each_ref().map(|command| {
                let folder = empty("race");
                results(run(command));
                fs::read(folder.join("a")).unwrap()
            })
        });
        let folder = empty("race");
        let children = commands.each_ref().map(|command| start(command));
        let mut expected = BTreeMap::new();
        for (Ran { status, err, .. }, work) in children.map(end).into_iter().zip(works) {
            let name = match err.split_once("the new file is race/") {
                _ if status == 0 => "a",
                Some((_, name)) => name.trim_end(),
                // The command refuses before it does any work.
                None => {
                    assert!(err.contains("--force replaces it"), "{err}");
                    continue;
                }
            };
            met += u64::from(name != "a");
            assert!(expected.insert(name.to_owned(), work.clone()).is_none(), "{name} twice");
        }
        assert!(expected.contains_key("a"), "{commands:?}: neither has the name");
        assert!(contents(&folder) == expected, "{commands:?}: other files");
    }
    println!("{met} of {} races were lost, and no work", races());
}

/// How many pairs of processes run together. RETROGRADE_PAIRS (scripts/kills) makes more.
fn pairs() -> u64 {
    std::env::var("RETROGRADE_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(3)
}

/// Two equal commands at once: each succeeds, or is refused and says why. Then one is killed in about half of the
/// cases. In any case the command ends with the same files.
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
        "solve pursuit pair-board.txt --force --checkpoint-interval 0s --checkpoint FOLDER/kept --out FOLDER/a.table",
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
            let told = err.contains("is writing to this folder") || err.contains("--force");
            assert!(*status == 0 || (*status == 3 && told), "{command}: {err}");
        }
        assert!(
            kills || ends.iter().any(|ran| ran.status == 0),
            "{command}: no process has worked"
        );
        results(run(command));
        let (found, expected) = (contents(&folder), &whole[which]);
        let names = || (found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        assert!(found == *expected, "{command}: other files, {:?}", names());
    }
}

/// The files of a folder, with their contents.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let file = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.expect("it can be read");
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file"))
    };
    entries.map(file).collect()
}
