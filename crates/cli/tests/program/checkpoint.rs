//! Solves and writes that are killed, and then continue to the same table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use retrograde_testkit::{Rng, judged, seed};

use crate::{home, program, results, run, write_file};

/// An empty folder with this name.
fn empty(name: &str) -> PathBuf {
    let folder = home().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

pub(crate) fn start(arguments: &str) -> Child {
    let mut command = program(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

pub(crate) fn kill(mut child: Child) {
    child.kill().expect("it was started here");
    child.wait().expect("it was started here");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// How often each command is killed twice: RETROGRADE_KILLS=25 makes fifty kills (scripts/kills).
pub(crate) fn rounds() -> u64 {
    std::env::var("RETROGRADE_KILLS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

/// Kills a command at random moments, twice each time, and then lets it end. The table must be the same, byte for byte,
/// and no other file may be left. Only the killed solves get `options`.
pub(crate) fn killed(name: &str, command: &str, options: &str) {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let folder = empty(name);
    let whole = folder.join("whole.table");
    let begun = Instant::now();
    results(run(&format!("{command} --out {name}/whole.table")));
    let mut took = begun.elapsed();
    let expected = fs::read(&whole).unwrap();
    fs::remove_file(whole).unwrap();
    // A kill may come when the table already has its name. A solve that continues must recognize its own table.
    let force = if options.contains(" ") { "" } else { "--force" };
    let command = format!("{command} {options} --out {name}/again.table --quiet {force}");
    let mut stopped = 0;
    for _ in 0..rounds() {
        for _ in 0..2 {
            let child = start(&command);
            sleep(Duration::from_micros(rng.below(took.as_micros() as u64)));
            kill(child);
            match fs::read(folder.join("again.table")) {
                Ok(table) => assert!(table == expected, "a table that is not whole"),
                Err(_) => stopped += 1,
            }
        }
        let begun = Instant::now();
        results(run(&command));
        // Writing checkpoints makes the solve slower.
        took = took.max(begun.elapsed());
        assert!(fs::read(folder.join("again.table")).unwrap() == expected, "another table");
        assert_eq!(names(&folder), ["again.table"]);
        fs::remove_file(folder.join("again.table")).unwrap();
    }
    assert!(stopped > 0 || rounds() < 5, "no kill came in time");
    judged(2 * rounds(), "kills");
}

fn write_board() {
    let board = results(run("board --rows 20 --columns 20 --walls 15 --exits 3 --seed 1"));
    write_file("killed-board.txt", board);
}

#[test]
fn a_solve_that_is_killed_goes_on_to_the_same_table() {
    write_board();
    for (name, options) in [
        ("bit-parallel", "--engine bit-parallel"),
        ("scalar", "--engine scalar"),
        ("values", "--no-distance"),
    ] {
        let solve = format!("solve pursuit killed-board.txt --compression fast {options}");
        let kept = format!("--checkpoint killed-{name}/kept --checkpoint-interval 0s");
        killed(&format!("killed-{name}"), &solve, &kept);
    }
}

#[test]
fn a_write_that_is_killed_is_done_again_to_the_same_table() {
    write_board();
    killed("killed-write", "solve pursuit killed-board.txt --compression best", "");
}

/// Begins a solve with many levels, and kills it as soon as it has saved its state.
fn begin(folder: &str, command: &str) -> PathBuf {
    empty(folder);
    let file = home().join(folder).join("kept/solve.checkpoint");
    let child = start(&format!("{command} --checkpoint {folder}/kept --checkpoint-interval 0s"));
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is kept");
        sleep(Duration::from_millis(1));
    }
    kill(child);
    file
}

#[test]
fn a_checkpoint_of_another_solve_is_refused_with_the_difference() {
    write_file("refused-board.txt", "a b\nb c\n");
    let solve = "solve take --heaps 60000 --take 1";
    let file = begin("refused", solve);
    let kept = fs::read(&file).unwrap();
    for (other, difference) in [
        ("solve take --heaps 60001 --take 1", "another parameters"),
        ("solve take --heaps 60000 --take 1 --misere", "another parameters"),
        ("solve corner --piece king --rows 9 --columns 9", "another game"),
        ("solve graph refused-board.txt", "another game"),
        (
            "solve take --heaps 60000 --take 1 --no-distance",
            "another distances, true and not false",
        ),
    ] {
        let ran = run(&format!("{other} --checkpoint refused/kept"));
        assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{other}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        for part in [difference, "refused/kept/solve.checkpoint", "remove refused/kept"] {
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
        }
        assert_eq!(fs::read(&file).unwrap(), kept, "what is refused stays as it is");
    }
    let verdict = results(run(&format!("{solve} --checkpoint refused/kept")));
    assert!(verdict.starts_with("LOSS in 60,000 plies"), "{verdict}");
    assert!(!file.parent().unwrap().exists(), "nothing is left of it");
}

/// A solve was killed after its table got its name, while its checkpoint was still there. The same command then refused
/// to replace the table, and never came to an end.
#[test]
fn a_solve_killed_after_its_table_was_written_ends_by_the_same_command() {
    let solve = "solve take --heaps 60000 --take 1";
    for kept in [
        "--checkpoint published/kept --checkpoint-interval 0s",
        "--disk published/kept --memory 64MiB",
    ] {
        let folder = empty("published");
        let file = if kept.contains("--disk") { "manifest" } else { "solve.checkpoint" };
        let file = folder.join("kept").join(file);
        let command = format!("{solve} {kept} --out published/a.table");
        let child = start(&command);
        let begun = Instant::now();
        while !file.exists() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{kept}: nothing is kept");
            sleep(Duration::from_millis(1));
        }
        kill(child);
        // The result is that of a solve without a kill: the table is the same, byte for byte.
        let verdict = results(run(&format!("{solve} --out published/a.table --force")));
        let table = fs::read(folder.join("a.table")).unwrap();
        let refused = |heaps: &str| {
            let ran = run(&command.replace("60000", heaps));
            assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{kept}");
            assert!(ran.err.contains("a.table: there is a file of this name"), "{}", ran.err);
            assert!(file.exists(), "{kept}: what another has kept is gone");
        };
        refused("60001");
        fs::write(folder.join("a.table"), &table[..table.len() - 1]).unwrap();
        refused("60000");
        fs::write(folder.join("a.table"), &table).unwrap();
        // Once more, when no checkpoint is left to remove.
        for _ in 0..2 {
            let ran = run(&command);
            assert_eq!(ran.status, 0, "{kept}: {}", ran.err);
            assert!(ran.err.contains("published/a.table is finished"), "{}", ran.err);
            assert_eq!(ran.out.lines().next(), verdict.lines().next(), "{kept}");
            assert_eq!(names(&folder), ["a.table"], "{kept}");
            assert!(fs::read(folder.join("a.table")).unwrap() == table, "{kept}");
        }
    }
}

/// A program cannot read the unfinished work of another version. It says so, leaves it alone and names a way on.
#[test]
fn a_checkpoint_of_another_version_is_refused_and_stays() {
    let solve = "solve take --heaps 60000 --take 1";
    let file = begin("older", solve);
    let mut older = fs::read(&file).unwrap();
    // The version of the format stands after the first sixteen bytes.
    older[16] = 2;
    fs::write(&file, &older).unwrap();
    let ran = run(&format!("{solve} --checkpoint older/kept"));
    assert_eq!((ran.status, ran.out.as_str()), (3, ""));
    for part in ["version 2 of its format, not 3", "the program that began it", "remove older/kept"]
    {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    assert_eq!(fs::read(&file).unwrap(), older, "what is refused stays as it is");
}

#[test]
fn the_board_and_the_engine_are_part_of_it() {
    let board = results(run("board --rows 40 --columns 40 --walls 15 --exits 1 --seed 1"));
    write_file("engine-board.txt", &board);
    begin("engine", "solve pursuit engine-board.txt");
    let refused = |command: &str, difference: &str| {
        let ran = run(&format!("{command} --checkpoint engine/kept"));
        assert_eq!((ran.status, ran.out.as_str()), (3, ""));
        assert!(ran.err.contains(difference), "{}", ran.err);
    };
    refused("solve pursuit engine-board.txt --engine scalar", "another engine, \"bit-parallel\"");
    write_file("engine-other.txt", board.replacen("*.", ".*", 1));
    refused("solve pursuit engine-other.txt", "another board");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let solve = "solve take --heaps 60000 --take 1";
    let file = begin("damaged", solve);
    let kept = fs::read(&file).unwrap();
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let mut changed = kept.clone();
        changed[rng.below(kept.len() as u64) as usize] ^= 1 << rng.below(8);
        fs::write(&file, changed).unwrap();
        let ran = run(&format!("{solve} --checkpoint damaged/kept"));
        assert_eq!((ran.status, ran.out.as_str()), (3, ""));
        assert!(ran.err.contains("the checkpoint is damaged"), "{}", ran.err);
    }
    for len in [0, 5, 30, kept.len() / 2, kept.len() - 1] {
        fs::write(&file, &kept[..len]).unwrap();
        assert_eq!(run(&format!("{solve} --checkpoint damaged/kept")).status, 3);
    }
}

#[test]
fn a_checkpoint_that_cannot_be_kept_is_told_of_before_the_solve() {
    write_file("no-folder", "a file");
    let ran = run("solve take --heaps 3 --take 1 --checkpoint no-folder");
    assert_eq!((ran.status, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("no-folder"), "{}", ran.err);
    let ran = run("solve take --heaps 3 --take 1 --checkpoint-interval 3s");
    assert_eq!(ran.status, 2, "--checkpoint-interval alone says nothing");
}
