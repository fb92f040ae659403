//! Power cuts, full disks and failing devices, at each operation of a solve that writes a table.
//!
//! The file system is in memory. A power cut loses what was not synced, in any order. After each fault the same work runs
//! again, and must come to the right table. What was finished, and what was kept, must not be lost.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use retrograde::bit_parallel::{BitParallel, ByWords};
use retrograde::internal::Thresholds;
use retrograde::{Game, Histogram, Predecessors, Probe, Solver, Status, Value, forward};
use retrograde_disk::{Disk, LogFile, SnapshotFile, Trial};
use retrograde_files::{
    Durable, FileError, FolderLock, TempFile, create_folders, exists, list, mount, remove_file,
    remove_folder, sync_folder,
};
use retrograde_table::{About, Compression, Table, Writer};
use retrograde_testkit::{Drive, Fault, Plain, Rng, deep, levels, random, seed};
use serde_json::json;

/// A game that checks words for wins by their moves.
struct Checked(Plain);

impl Game for Checked {
    forward!(Game for game => game.0; but keeps_turn);
}

impl Predecessors for Checked {
    forward!(Predecessors for game => game.0);
}

impl BitParallel for Checked {
    const CHECKS_WINS: bool = true;
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Scalar,
    Words,
    /// With a log of distances in a file.
    Log,
    /// With a log and the bits in a file.
    Window,
    /// With the parts in files.
    Disk,
}

/// A solve that keeps its state in a folder, and writes a table.
struct Work {
    folder: PathBuf,
    way: Way,
    game: Checked,
    right: Vec<Option<Value>>,
    /// The level of the last durable snapshot, and of the one that the last run began from.
    kept: AtomicU32,
    resumed: AtomicU32,
    /// The level after which a run stops.
    stop: AtomicU32,
}

type Failed = Box<dyn std::error::Error + Send + Sync>;

impl Work {
    fn new(folder: &Path, way: Way, seed: u64) -> Work {
        let game = match way {
            Way::Window => near(seed, 80_000, 60),
            Way::Disk => Checked(random::game(seed, 250..251)),
            _ => Checked(random::game(seed, 3_000..3_001)),
        };
        let right = levels::solve(&game);
        let (kept, resumed, stop) =
            (AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(u32::MAX));
        Work { folder: folder.join("a/b"), way, game, right, kept, resumed, stop }
    }

    fn table(&self) -> PathBuf {
        self.folder.join("a.table")
    }

    /// Does the work, or goes on with it.
    fn run(&self) -> Result<(), Failed> {
        self.resumed.store(0, Relaxed);
        let kept = self.folder.join("kept");
        create_folders(&kept)?;
        let log = kept.join("log");
        let file =
            SnapshotFile::new(kept.join("snapshot"), json!({ "way": format!("{:?}", self.way) }));
        let disk = self.disk(&kept);
        let lock = FolderLock::acquire(&kept)?;
        // Removes what a killed writer has left.
        drop(TempFile::create(file.path())?);
        if exists(&self.table()) {
            // A table that exists is whole. It may not be durable yet.
            sync_folder(&self.folder)
                .map_err(|error| FileError::new(&self.folder, "sync", error))?;
            disk.clear()?;
        } else if self.way == Way::Disk {
            let solution = disk.solve(&self.game, Solver::new())?;
            self.write(&solution, solution.histogram())?;
            solution.remove();
        } else {
            let mut solver = Solver::new().threads(1).thresholds(Thresholds::least());
            if let Some((snapshot, level)) = file.read()? {
                self.resumed.store(level, Relaxed);
                solver = solver.resume(snapshot);
            }
            let solver = solver.at_level_end(|snapshot| {
                // A checkpoint that cannot be written does not stop the solve.
                if let Ok(Durable::Yes) = file.write(snapshot) {
                    self.kept.store(snapshot.level(), Relaxed);
                }
                match snapshot.level() < self.stop.load(Relaxed) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            match self.way {
                Way::Scalar => {
                    let solution = solver.solve(&self.game)?;
                    self.write(&solution, solution.histogram())?;
                }
                Way::Words => {
                    let solution = solver.solve(ByWords(&self.game))?;
                    self.write(&solution, solution.histogram())?;
                }
                _ => {
                    let plan = ByWords(&self.game).plan_window(&solver);
                    let solver = match (self.way, plan) {
                        (Way::Window, plan) => {
                            solver.memory_max(plan.expect("the moves are short").memory_least)
                        }
                        _ => solver,
                    };
                    let store = Box::new(LogFile::open(&log)?);
                    let solution = ByWords(&self.game).solve_in(solver, store)?;
                    self.write(&solution, solution.histogram())?;
                }
            }
        }
        file.remove()?;
        remove_file(&log)?;
        drop(lock);
        remove_folder(&kept);
        Ok(())
    }

    fn disk(&self, kept: &Path) -> Disk {
        let trial = Trial {
            part_states: 64,
            slots: 2,
            updates_max: 7,
            pause: Duration::ZERO,
            thresholds: Thresholds::least(),
        };
        Disk::new(kept.join("parts")).threads(1).memory_max(1000).trial(trial)
    }

    fn write<P: Probe<Error: Send + std::fmt::Display>>(
        &self,
        values: &P,
        histogram: &Histogram,
    ) -> Result<(), Failed> {
        let about = About { game: "random".into(), ..About::default() };
        let writer = Writer::new(about).compression(Compression::Fast).histogram(histogram);
        let written = writer.replace(false).write(self.table(), values)?;
        if !written.durable {
            sync_folder(&self.folder)
                .map_err(|error| FileError::new(&self.folder, "sync", error))?;
        }
        Ok(())
    }

    /// Checks that the table is right.
    fn check(&self, context: &str) {
        let table = Table::open(self.table()).unwrap_or_else(|error| panic!("{context}: {error}"));
        table.check().unwrap_or_else(|error| panic!("{context}: {error}"));
        let mut values = vec![None; self.right.len()];
        table.fill(0, &mut values).unwrap_or_else(|error| panic!("{context}: {error}"));
        assert!(values == self.right, "{context}: a wrong table");
    }
}

/// A game whose moves lead at most `far` states away.
fn near(seed: u64, states: u64, far: u64) -> Checked {
    let mut rng = Rng::new(seed);
    let statuses = (0..states).map(|_| match rng.below(20) {
        0 => Status::Terminal(Value::Loss(0)),
        1 => Status::Invalid,
        _ => Status::Open,
    });
    let mut game = Plain::new(statuses.collect());
    for from in (0..states).filter(|from| from % 3 > 0) {
        for _ in 0..2 {
            let to = (from + rng.below(2 * far + 1)).saturating_sub(far).min(states - 1);
            let open = game.statuses[from as usize] == Status::Open;
            if open && game.statuses[to as usize] != Status::Invalid {
                game.connect(from, to);
            }
        }
    }
    Checked(game)
}

/// Where the work is when a fault comes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum From {
    TheStart,
    /// A run was stopped before, at about half of the levels.
    ASnapshot,
}

/// Runs the work with a fault at an operation, then without, at many operations. A deep check has a thousand points, and a
/// point for each operation and each of several faults.
fn torture(name: &str, way: Way, from: From, faults: &[Fault], points: u64) {
    let name = format!("retrograde-power-{}-{name}", std::process::id());
    // Nothing of this is on the real disk.
    let root = std::env::temp_dir().join(name);
    // Each deep check tries other points.
    let seed = if deep() { seed() } else { 5 };
    let mut rng = Rng::new(seed);
    let work = Work::new(&root, way, 11);
    let begin = |half: u32| {
        if from == From::ASnapshot {
            work.stop.store(half, Relaxed);
            assert!(work.run().is_err(), "it stops");
            work.stop.store(u32::MAX, Relaxed);
        }
    };
    let (calls, half) = {
        let drive = Drive::new(&root);
        let _mounted = mount(&root, Arc::new(drive.clone()));
        work.run().expect("nothing fails");
        work.check("without a fault");
        let (all, half) = (drive.calls(), work.kept.load(Relaxed) / 2);
        remove_file(&work.table()).expect("it can be removed");
        begin(half);
        drive.kill();
        work.run().expect("nothing fails");
        (if from == From::TheStart { all } else { drive.calls() }, half)
    };
    assert!(calls > 50, "{calls} operations are too few");
    let each = if faults.len() > 1 { calls * faults.len() as u64 } else { 0 };
    let points = if deep() { each.max(1_000) } else { points };
    let begun = std::time::Instant::now();
    let (mut failed, mut resumed) = (0, 0);
    for point in 0..points {
        // All operations if there are few, and otherwise some.
        let in_turn = calls * faults.len() as u64 <= points;
        let (fault, call) = match in_turn {
            true => (faults[point as usize % faults.len()], point / faults.len() as u64 % calls),
            false => (rng.pick(faults), rng.below(calls)),
        };
        let lasting = fault != Fault::PowerCut && rng.chance(50);
        let context = format!(
            "{way:?}, {fault:?} at {call} of {calls}, lasting {lasting}, RETROGRADE_SEED={seed}"
        );
        let drive = Drive::new(&root);
        let _mounted = mount(&root, Arc::new(drive.clone()));
        work.kept.store(0, Relaxed);
        begin(half);
        drive.set_fault(call, fault, lasting);
        let ran = work.run();
        failed += u64::from(ran.is_err());
        if let Err(error) = &ran {
            let error = error.to_string();
            let way_on = match fault {
                Fault::PowerCut => "",
                Fault::Full => "make room",
                Fault::Device => "the device fails",
            };
            assert!(error.contains(way_on), "{context}: no way on: {error}");
        }
        let kept = work.kept.load(Relaxed);
        // A device that has failed may lose anything, and a full disk loses nothing more in a power cut.
        if fault == Fault::PowerCut || rng.chance(50) {
            drive.restart(&mut rng);
        } else {
            drive.kill();
        }
        let finished = exists(&work.table());
        assert!(finished || ran.is_err(), "{context}: the finished table is lost");
        if finished {
            work.check(&context);
        }
        // Sometimes the power goes out again.
        if rng.chance(30) {
            drive.set_fault(rng.below(calls), Fault::PowerCut, true);
            let again = work.run();
            let begun = work.resumed.load(Relaxed);
            assert!(finished || begun == 0 || begun >= kept, "{context}: level {kept} is lost");
            drop(again);
            drive.restart(&mut rng);
        }
        let last = work.kept.load(Relaxed).max(kept);
        let finished = exists(&work.table());
        if let Err(error) = work.run() {
            panic!("{context}: no way on: {error}");
        }
        let begun = work.resumed.load(Relaxed);
        resumed += u64::from(begun > 0);
        assert!(
            finished || way == Way::Disk || begun >= last,
            "{context}: {last} is lost, not {begun}"
        );
        work.check(&context);
        let left = list(&work.folder.join("kept")).expect("it can be listed");
        assert!(left.is_empty(), "{context}: {left:?} is left");
    }
    println!(
        "{way:?} from {from:?}, {faults:?}: {points} points of {calls}, {failed} failed, {resumed} resumed, {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    retrograde_testkit::judged(points, "faults of a device");
    assert!(failed > points / 4, "only {failed} of {points} faults came through");
    assert!(resumed > 0 || way == Way::Disk, "nothing was resumed");
}

#[test]
fn a_power_cut_loses_nothing_of_a_solve_in_memory() {
    torture("scalar", Way::Scalar, From::TheStart, &[Fault::PowerCut], 200);
    torture("words", Way::Words, From::TheStart, &[Fault::PowerCut], 200);
    torture("scalar-resumed", Way::Scalar, From::ASnapshot, &[Fault::PowerCut], 100);
}

#[test]
fn a_power_cut_loses_nothing_of_a_log() {
    torture("log", Way::Log, From::TheStart, &[Fault::PowerCut], 200);
    torture("log-resumed", Way::Log, From::ASnapshot, &[Fault::PowerCut], 100);
}

#[test]
fn a_power_cut_loses_nothing_of_a_window() {
    torture("window", Way::Window, From::TheStart, &[Fault::PowerCut], 60);
    torture("window-resumed", Way::Window, From::ASnapshot, &[Fault::PowerCut], 30);
}

#[test]
fn a_power_cut_loses_nothing_of_a_solve_on_disk() {
    torture("disk", Way::Disk, From::TheStart, &[Fault::PowerCut], 100);
}

#[test]
fn a_full_disk_or_a_failing_device_leaves_a_way_on() {
    let faults = [Fault::Full, Fault::Device];
    for (name, way, from, points) in [
        ("scalar-faults", Way::Scalar, From::TheStart, 100),
        ("log-faults", Way::Log, From::TheStart, 100),
        ("log-resumed-faults", Way::Log, From::ASnapshot, 50),
        ("window-faults", Way::Window, From::TheStart, 30),
        ("disk-faults", Way::Disk, From::TheStart, 60),
    ] {
        torture(name, way, from, &faults, points);
    }
}
