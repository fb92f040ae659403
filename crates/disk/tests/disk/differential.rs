//! Thousands of random games, with the smallest parts and the least memory, against the naive solver.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use retrograde::internal::Thresholds;
use retrograde::{Game, Probe, Progress, SolveError, Solver, Value};
use retrograde_disk::{Disk, DiskError, DiskSolution, Trial};
use retrograde_testkit::broken::without_distance;
use retrograde_testkit::{Plain, Rng, cases, in_memory, judged, levels, naive, random, seed};

/// A folder that is removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        Folder(in_memory(&format!("disk-{name}")))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A game, a way to solve it on disk, and its values.
struct Drawn {
    game: Plain,
    disk: Disk,
    right: Vec<Option<Value>>,
}

fn drawn(folder: &Path, seed: u64) -> Drawn {
    let game = random::game(seed, 0..300);
    let mut rng = Rng::new(!seed);
    let distances = rng.chance(70);
    let trial = Trial {
        part_states: rng.pick(&[64, 64, 128, 256, 4096]),
        slots: rng.pick(&[1, 2, 3, 5, 100]),
        updates_max: rng.pick(&[1, 7, 1 << 16]),
        pause: rng.pick(&[Duration::ZERO, Duration::from_secs(3600)]),
        thresholds: if rng.chance(50) { Thresholds::least() } else { Thresholds::default() },
    };
    let disk = Disk::new(folder)
        .threads(rng.pick(&[1, 2, 3]))
        // Updates have an eighth of it.
        .memory_max(rng.pick(&[0, 1000, 1 << 30]))
        .distances(distances)
        .trial(trial);
    let told = |value: Option<Value>| if distances { value } else { value.map(without_distance) };
    let right = naive::solve(&game).into_iter().map(told).collect();
    Drawn { game, disk, right }
}

fn agrees(solution: &DiskSolution, game: &Plain, right: &[Option<Value>], seed: u64) {
    let mut values = vec![None; right.len()];
    solution.fill(0, &mut values).expect("the parts can be read");
    for (state, value) in right.iter().enumerate() {
        assert_eq!(values[state], *value, "seed {seed}, state {state}");
    }
    let distances = solution.has_distances();
    let direct =
        Solver::new().threads(1).distances(distances).solve(game).expect("nothing stops it");
    assert_eq!(solution.histogram(), direct.histogram(), "seed {seed}");
    let counts = solution.count(0..game.states()).expect("the parts can be read");
    assert_eq!(counts, direct.counts(), "seed {seed}");
}

#[test]
fn values_are_those_of_the_naive_solver() {
    let folder = Folder::new("naive");
    let fresh = seed();
    let half = cases(1_500) / 2;
    for seed in (0..half).chain(fresh..fresh + half) {
        let Drawn { game, disk, right } = drawn(&folder.0, seed);
        let solution = disk.solve(&game, Solver::new());
        let solution = solution.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        agrees(&solution, &game, &right, seed);
        solution.remove();
        assert!(!folder.0.exists(), "seed {seed}: something is left behind");
    }
    judged(half, "games on disk");
}

#[test]
fn a_larger_game_is_solved_with_three_parts_in_memory() {
    let folder = Folder::new("large");
    for seed in 0..2 {
        let game = random::game(seed, 30_000..40_000);
        let trial = Trial {
            part_states: 4096,
            slots: 3,
            updates_max: 1000,
            pause: Duration::ZERO,
            thresholds: Thresholds::default(),
        };
        let disk = Disk::new(&folder.0).threads(2).memory_max(1 << 16).trial(trial);
        let solution = disk.solve(&game, Solver::new()).expect("nothing stops it");
        agrees(&solution, &game, &levels::solve(&game), seed);
        solution.remove();
    }
}

#[test]
fn a_solve_that_was_stopped_goes_on() {
    let folder = Folder::new("stopped");
    let mut stopped = 0;
    for seed in 0..cases(600) {
        let Drawn { game, disk, right } = drawn(&folder.0, seed);
        let mut rng = Rng::new(seed);
        // Each time the solve gets a little further.
        let solution = loop {
            let mut left = rng.below(30);
            let progress = |_: &_| {
                left = left.saturating_sub(1);
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            match disk.solve(&game, Solver::new().progress(progress)) {
                Ok(solution) => break solution,
                Err(SolveError::Cancelled) => stopped += 1,
                Err(error) => panic!("seed {seed}: {error}"),
            }
            if rng.chance(20) {
                break disk.solve(&game, Solver::new()).expect("nothing stops it");
            }
        };
        agrees(&solution, &game, &right, seed);
        solution.remove();
    }
    assert!(stopped > 20, "only {stopped} solves were stopped");
}

/// A lookup of exits failed in the first pass, so the game answered draws. The pass was kept, and the next solve went on from it to
/// wrong values.
#[test]
fn a_solve_goes_on_from_no_answer_that_is_wrong() {
    let folder = Folder::new("wrong");
    let mut told = 0;
    for seed in 0..cases(300) {
        let Drawn { game, disk, right } = drawn(&folder.0, seed);
        let mut wrong = game.clone();
        wrong.exits.iter_mut().flatten().for_each(|exit| *exit = Value::Draw);
        let asked = AtomicBool::new(false);
        let never = || {
            asked.store(true, Relaxed);
            false
        };
        match disk.solve_while(&wrong, Solver::new(), &never) {
            Err(SolveError::Cancelled) => {}
            Err(error) => panic!("seed {seed}: {error}"),
            Ok(_) => assert!(!asked.load(Relaxed), "seed {seed}: solved with wrong answers"),
        }
        told += u64::from(wrong.exits != game.exits);
        let solution = disk.solve(&game, Solver::new()).expect("nothing stops it");
        agrees(&solution, &game, &right, seed);
        solution.remove();
    }
    assert!(told > 5, "only {told} games had wrong exits");
}

/// A solve on disk was silent until the first pass was over.
#[test]
fn a_solve_tells_how_many_states_are_seeded() {
    let folder = Folder::new("seeded");
    let Drawn { game, disk, .. } = drawn(&folder.0, 1);
    let mut seeded = Vec::new();
    let progress = |progress: &Progress| match progress.level {
        None => {
            seeded.push(progress.done);
            ControlFlow::Continue(())
        }
        Some(_) => ControlFlow::Break(()),
    };
    let stopped = disk.solve(&game, Solver::new().progress(progress));
    assert!(matches!(stopped, Err(SolveError::Cancelled)));
    assert!(seeded.is_sorted() && seeded.last() == Some(&game.states()), "{seeded:?}");
}

/// Stops a solve between two passes, and returns the files that it needs to continue.
fn stop(disk: &Disk, game: &Plain, folder: &Path) -> Option<Vec<PathBuf>> {
    let mut left = 3;
    let progress = |progress: &Progress| {
        left -= i32::from(progress.level.is_some());
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    match disk.solve(game, Solver::new().progress(progress)) {
        Ok(solution) => {
            solution.remove();
            return None;
        }
        Err(SolveError::Cancelled) => {}
        Err(error) => panic!("{error}"),
    }
    let files =
        fs::read_dir(folder).expect("the folder is there").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some() || path.ends_with("manifest")).collect();
    files.sort();
    Some(files)
}

#[test]
fn every_damaged_byte_is_named() {
    let folder = Folder::new("damaged");
    let (mut damaged, mut parts, mut updates) = (0, 0, 0);
    let tried = cases(200);
    for seed in 0..tried {
        let game = random::game(seed, 600..800);
        let (thresholds, pause) = (Thresholds::default(), Duration::ZERO);
        let trial = Trial { part_states: 64, slots: 3, updates_max: 1000, pause, thresholds };
        let disk = Disk::new(&folder.0).threads(2).memory_max(1 << 20).trial(trial);
        let Some(files) = stop(&disk, &game, &folder.0) else { continue };
        let mut rng = Rng::new(seed);
        let path = &files[rng.below(files.len() as u64) as usize];
        let mut bytes = fs::read(path).expect("the file can be read");
        if bytes.is_empty() {
            let _ = fs::remove_dir_all(&folder.0);
            continue;
        }
        let whole = bytes.clone();
        match rng.below(4) {
            0 => bytes.truncate(rng.below(bytes.len() as u64) as usize),
            _ => {
                let at = rng.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << rng.below(8);
            }
        }
        fs::write(path, &bytes).expect("the file can be written");
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let named = |error: &DiskError| {
            let text = error.to_string();
            let number = name.split('-').next().and_then(|number| number.parse::<usize>().ok());
            matches!(error, DiskError::Damaged { .. })
                && text.contains(&name)
                && number.is_none_or(|number| text.contains(&format!("part {number} is damaged")))
        };
        match disk.solve(&game, Solver::new()) {
            // A file that the solve no longer needs does no harm, unless a caller asks for its values.
            Ok(solution) => {
                let mut values = vec![None; game.states() as usize];
                match solution.fill(0, &mut values) {
                    Err(error) => assert!(named(&error), "seed {seed}, {name}: {error}"),
                    Ok(()) => agrees(&solution, &game, &naive::solve(&game), seed),
                }
                solution.remove();
            }
            Err(SolveError::Outside(error)) => {
                let error = error.downcast::<DiskError>().expect("an error of the disk");
                assert!(named(&error), "seed {seed}, {name}: {error}");
                damaged += 1;
                parts += u64::from(name.ends_with(".part"));
                updates += u64::from(name.ends_with(".updates"));
                // With the file repaired, the solve continues.
                fs::write(path, &whole).expect("the file can be written");
                let solution = disk.solve(&game, Solver::new()).expect("nothing stops it");
                agrees(&solution, &game, &naive::solve(&game), seed);
                solution.remove();
            }
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(
        damaged > tried / 4 && parts > tried / 8,
        "of {tried}: {damaged} damaged, {parts} parts, {updates} files of updates"
    );
}

#[test]
fn a_folder_goes_on_with_its_own_solve_alone() {
    let folder = Folder::new("other");
    let games: Vec<Plain> = (1..40).map(|seed| random::game(seed, 600..601)).collect();
    let (thresholds, pause) = (Thresholds::default(), Duration::ZERO);
    let trial = Trial { part_states: 64, slots: 3, updates_max: 1000, pause, thresholds };
    let disk = Disk::new(&folder.0).trial(trial).identity("one");
    let game = games
        .iter()
        .find(|game| stop(&disk, game, &folder.0).is_some())
        .expect("one can be stopped");
    for other in [disk.clone().identity("two"), disk.clone().distances(false)] {
        let error = other.solve(game, Solver::new()).err().expect("it is another solve");
        assert!(error.to_string().contains("solve with another"), "{error}");
    }
    disk.solve(game, Solver::new()).expect("this is the one").remove();
}

#[test]
fn too_little_memory_is_refused_with_what_it_takes() {
    let folder = Folder::new("memory");
    let game = random::game(1, 100_000..100_001);
    let error = Disk::new(&folder.0)
        .threads(2)
        .memory_max(1 << 20)
        .plan(&game)
        .expect_err("it is too little");
    let DiskError::Memory { needed, .. } = error else { panic!("{error}") };
    // A reader that alternates between two places must not read the same parts again and again.
    let threads = 2;
    for memory in (0..20).map(|more| needed + more * needed / 20) {
        let disk = Disk::new(&folder.0).threads(threads).memory_max(memory);
        let plan = disk.plan(&game).expect("so much is enough");
        assert!(plan.slots >= plan.parts.min(threads + 2), "{memory}: {plan:?}");
    }
}

/// How many bytes a solve of 40 parts reads, with some of them in memory. A state has a move to the one that stands some
/// states before it, inside its part or anywhere.
fn bytes_read(folder: &Folder, (step, inside): (u64, bool), slots: usize) -> u64 {
    let mut game = Plain::open(40 * 64);
    let moves = (step..40 * 64).filter(|state| !inside || state % 64 >= step);
    moves.for_each(|state| game.connect(state, state - step));
    let (thresholds, pause) = (Thresholds::default(), Duration::from_secs(3600));
    let trial = Trial { part_states: 64, slots, updates_max: 1000, pause, thresholds };
    let disk = Disk::new(&folder.0).threads(1).memory_max(1 << 20).trial(trial);
    let solution = disk.solve(&game, Solver::new()).expect("nothing stops it");
    agrees(&solution, &game, &levels::solve(&game), 0);
    let (read, _) = solution.bytes_moved();
    solution.remove();
    read
}

/// Each pass used to read and write all parts that had something to do, even if all of them fitted in memory.
#[test]
fn a_pass_reads_only_what_is_not_in_memory() {
    let folder = Folder::new("resident");
    let chains = (1, true);
    assert_eq!(bytes_read(&folder, chains, 40), 0, "all parts fit");
    // 2 or 30 of 40 parts stay, so a pass reads 38 or 10.
    let [few, most] = [2, 30].map(|slots| bytes_read(&folder, chains, slots));
    assert!(0 < most && 3 * most < few, "{most} of {few}");
    // One part after another has something to do, for several levels.
    let in_turn = bytes_read(&folder, (16, false), 2);
    assert!(0 < in_turn && 20 * in_turn < few, "{in_turn} of {few}");
}

/// A refused solve left an empty folder.
#[test]
fn a_refused_solve_leaves_no_folder() {
    let folder = Folder::new("refused");
    let game = random::game(1, 100_000..100_001);
    let inner = folder.0.join("made").join("for it");
    let refused = Disk::new(&inner).memory_max(1 << 20).solve(&game, Solver::new());
    assert!(refused.is_err() && !folder.0.exists());
    fs::create_dir_all(&inner).expect("a folder can be made");
    let refused = Disk::new(&inner).memory_max(1 << 20).solve(&game, Solver::new());
    assert!(refused.is_err() && inner.exists(), "this one was there before");
}

/// The options of the solver for threads, distances and the memory limit had no effect on disk.
#[test]
fn what_the_solver_is_told_counts_on_disk() {
    let folder = Folder::new("told");
    let game = random::game(1, 100_000..100_001);
    let disk = Disk::new(&folder.0).memory_max(1 << 30);
    let solution = disk.solve(&game, Solver::new().distances(false)).expect("nothing stops it");
    assert!(!solution.has_distances());
    solution.remove();
    let refused = disk.solve(&game, Solver::new().memory_max(1 << 20)).err();
    let refused = refused.map(|error| error.to_string()).unwrap_or_default();
    let planned = Disk::new(&folder.0).memory_max(1 << 20).plan(&game);
    assert_eq!(refused, planned.expect_err("it is too little").to_string());
    // Each thread has its own updates, so with many threads they need more memory than there is.
    let many = disk.memory_max(32 << 20);
    assert!(many.clone().threads(2).plan(&game).is_ok());
    assert!(many.clone().threads(100_000).plan(&game).is_err());
    assert!(many.solve(&game, Solver::new().threads(100_000)).is_err());
}
