//! Power cuts, full disks and failing devices, at each operation of a build.
//!
//! The file system is in memory, see `crates/disk/tests/disk/power.rs`. After each fault the same build runs again, and must
//! leave exactly the files of a build without faults. No finished table may be lost, and no checkpoint of a region.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use retrograde::bit_parallel::{BitParallel, WordKeys, WordsVisitor};
use retrograde::internal::Thresholds;
use retrograde::{Game, Predecessors, Probe, Status, Value, forward};
use retrograde_files::{File, exists, list, mount};
use retrograde_regions::{
    BuildError, Builder, Event, ExitCosts, Family, Manifest, SolvedRegion, Tables,
};
use retrograde_table::Rows;
use retrograde_testkit::{Drive, Fault, Plain, Rng, deep, levels, seed};

/// The regions that each region needs.
const NEEDS: [&[u32]; 4] = [&[], &[], &[0, 1], &[0, 2]];
const STATES: u64 = 640;
/// The memory of the builder, if it must not solve all regions in memory.
const MEMORY: u64 = 64 << 20;

/// How the builder solves the regions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    InMemory,
    /// With the distances of the last regions in logs.
    Logged,
    /// With the arrays of the last regions on disk.
    OnDisk,
}

/// Random games in regions. The sides alternate, so tables leave out one of them, and the build needs copies.
#[derive(Clone)]
pub(crate) struct Random {
    way: Way,
    pieces: Arc<Vec<Piece>>,
}

struct Piece {
    moves: Plain,
    /// For each state, the regions that its exits lead to, as places in its needs, and the states there.
    exits: Vec<Vec<(usize, u64)>>,
}

/// The game of a region.
pub(crate) struct Place<'a> {
    region: usize,
    has_words: bool,
    pieces: Arc<Vec<Piece>>,
    solved: Vec<SolvedRegion<'a>>,
}

impl Place<'_> {
    fn piece(&self) -> &Piece {
        &self.pieces[self.region]
    }
}

impl Game for Place<'_> {
    forward!(Game for game => game.piece().moves; but exits classify);

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        for &(need, to) in &self.piece().exits[state as usize] {
            let Ok(value) = self.solved[need].probe(to);
            visit(value.expect("a position").after_move(false));
        }
    }
}

impl Predecessors for Place<'_> {
    forward!(Predecessors for game => game.piece().moves);
}

impl BitParallel for Place<'_> {}

impl WordKeys for Place<'_> {}

impl Random {
    pub(crate) fn new(way: Way) -> Random {
        let mut rng = Rng::new(7);
        let mut pieces: Vec<Piece> = Vec::new();
        for needs in NEEDS {
            let statuses = (0..STATES).map(|_| match rng.below(12) {
                0 => Status::Terminal(Value::Loss(0)),
                1 => Status::Invalid,
                _ => Status::Open,
            });
            let mut moves = Plain::new(statuses.collect());
            let mut exits = vec![Vec::new(); STATES as usize];
            let open = moves.states_where(|status| status == Status::Open);
            for from in open {
                for _ in 0..1 + rng.below(2) {
                    // Mostly to a near state of the other side, so that there are many levels.
                    let to =
                        if rng.chance(90) { from + 64 + rng.below(5) } else { rng.below(STATES) };
                    let to = to % STATES;
                    let passes = from / 64 % 2 != to / 64 % 2;
                    if passes && moves.statuses[to as usize] != Status::Invalid {
                        moves.connect(from, to);
                    }
                }
                let need = rng.below(2) as usize;
                let to = rng.below(STATES);
                if rng.chance(5)
                    && let Some(&region) = needs.get(need)
                    && pieces[region as usize].moves.statuses[to as usize] != Status::Invalid
                {
                    exits[from as usize].push((need, to));
                }
            }
            pieces.push(Piece { moves, exits });
        }
        Random { way, pieces: Arc::new(pieces) }
    }

    /// What a naive solver says of each region.
    fn right(&self) -> Vec<Vec<Option<Value>>> {
        let mut right: Vec<Vec<Option<Value>>> = Vec::new();
        for (piece, needs) in self.pieces.iter().zip(NEEDS) {
            let mut game = piece.moves.clone();
            for (exits, leads) in game.exits.iter_mut().zip(&piece.exits) {
                for &(need, to) in leads {
                    let value = right[needs[need] as usize][to as usize].expect("a position");
                    exits.push(value.after_move(false));
                }
            }
            right.push(levels::solve(&game));
        }
        right
    }

    /// Whether a region is not solved in memory.
    fn is_large(&self, region: usize) -> bool {
        region >= 2 && self.way != Way::InMemory
    }
}

impl Family for Random {
    type Region = u32;
    type Game<'a> = Place<'a>;

    /// The regions with exits seem to take far more memory than the builder has.
    const EXITS: ExitCosts =
        ExitCosts { bytes: |states| if states > 0 { 1 << 30 } else { 0 }, ..ExitCosts::SCALAR };

    fn name(&self) -> &str {
        "random"
    }

    fn region_named(&self, name: &str) -> Result<u32, String> {
        name.parse().map_err(|_| format!("{name} is no number"))
    }

    fn needs(&self, region: &u32) -> Vec<u32> {
        NEEDS[*region as usize].to_vec()
    }

    fn game<'a>(&self, region: &u32, solved: Vec<SolvedRegion<'a>>) -> Place<'a> {
        let (has_words, pieces) = (self.way != Way::OnDisk, Arc::clone(&self.pieces));
        Place { region: *region as usize, has_words, pieces, solved }
    }

    fn visit_words<V: WordsVisitor>(game: &Place<'_>, visitor: V) -> Result<V::Output, V> {
        if game.has_words { Ok(visitor.visit(game)) } else { Err(visitor) }
    }

    fn grids(&self, _: &Place<'_>) -> Vec<Rows> {
        vec![Rows { states: STATES, columns: 64, sides: 2 }]
    }
}

/// A build that runs again and again.
struct Work {
    folder: PathBuf,
    family: Random,
    /// The files of the build without faults.
    whole: BTreeMap<String, Vec<u8>>,
    seen: Mutex<Seen>,
}

/// What a build has said.
#[derive(Default)]
struct Seen {
    finished: BTreeSet<u32>,
    /// The last levels that it has begun, and the first ones.
    last: BTreeMap<u32, u32>,
    first: BTreeMap<u32, u32>,
}

impl Work {
    fn new(root: &Path, way: Way) -> Work {
        let (whole, seen) = (BTreeMap::new(), Mutex::default());
        Work { folder: root.join("a/tables"), family: Random::new(way), whole, seen }
    }

    /// Builds, or goes on. After a power cut the process is dead, so it says nothing more.
    fn build(&self, drive: &Drive, dies: bool) -> Result<(), BuildError> {
        let builder = Builder::new(&self.family, &self.folder)
            .threads(1)
            .memory_max(if self.family.way == Way::InMemory { u64::MAX } else { MEMORY })
            .thresholds(Thresholds::least())
            .disk(self.folder.with_file_name("arrays"))
            .checkpoint_interval(Duration::ZERO)
            .lease_interval(Duration::from_secs(3600));
        let number = |region: &str| region.parse().expect("a number");
        let built = builder.progress(|event| {
            if dies && drive.has_failed() {
                return ControlFlow::Break(());
            }
            let mut seen = self.seen.lock().unwrap();
            match event {
                Event::Finished(region, ..) => {
                    seen.finished.insert(number(region));
                }
                Event::Solving(region, progress) => {
                    if let Some(level) = progress.level {
                        seen.first.entry(number(region)).or_insert(level);
                        seen.last.insert(number(region), level);
                    }
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        built.build(&[3]).map(drop)
    }

    /// The same with several builders at once. One error of theirs, if there is any.
    fn build_by(&self, builders: usize, drive: &Drive, dies: bool) -> Result<(), BuildError> {
        std::thread::scope(|scope| {
            let all: Vec<_> =
                (0..builders).map(|_| scope.spawn(|| self.build(drive, dies))).collect();
            let all: Vec<_> =
                all.into_iter().map(|built| built.join().expect("no panic")).collect();
            all.into_iter().collect()
        })
    }

    /// Checks that all that is finished is right, and that what was finished is there.
    fn check(&self, context: &str) {
        let manifest = Manifest::read(&self.folder);
        let manifest = manifest.unwrap_or_else(|error| panic!("{context}: {error}"));
        let found = manifest.map(|manifest| manifest.regions).unwrap_or_default();
        let files = files(&self.folder);
        for region in found.keys() {
            let name = format!("{region}.table");
            assert!(files.get(&name) == self.whole.get(&name), "{context}: {name} is wrong");
        }
        for region in &self.seen.lock().unwrap().finished {
            assert!(found.contains_key(&region.to_string()), "{context}: {region} is lost");
        }
    }
}

/// Every file of a folder. An empty one for each folder in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = |name: std::ffi::OsString| {
        let mut bytes = Vec::new();
        if let Ok(file) = File::open(&folder.join(&name)) {
            file.cursor(0).read_to_end(&mut bytes).unwrap();
        }
        (name.into_string().unwrap(), bytes)
    };
    list(folder).unwrap().into_iter().map(file).collect()
}

/// Builds with a fault at an operation, then without, at many operations. A deep check has a thousand points, and a point
/// for each operation and each of several faults.
fn torture(name: &str, way: Way, faults: &[Fault], builders: usize, points: u64) {
    let name = format!("retrograde-power-build-{}-{name}", std::process::id());
    let root = std::env::temp_dir().join(name);
    // Each deep check tries other points.
    let seed = if deep() { seed() } else { 5 };
    let mut rng = Rng::new(seed);
    let mut work = Work::new(&root, way);
    let calls = {
        let drive = Drive::new(&root);
        let _mounted = mount(&root, Arc::new(drive.clone()));
        work.build(&drive, false).expect("nothing fails");
        let calls = drive.calls();
        let tables = Tables::open(work.family.clone(), &work.folder).unwrap();
        for (region, right) in (0..).zip(work.family.right()) {
            let mut values = vec![None; right.len()];
            tables.table(&region).unwrap().fill(0, &mut values).unwrap();
            let states = (0..).zip(&work.family.pieces[region as usize].moves.statuses);
            let valid = states.filter(|(_, status)| **status != Status::Invalid);
            for (state, _) in valid {
                assert_eq!(values[state], right[state], "{way:?}: state {state} of {region}");
            }
        }
        work.whole = files(&work.folder);
        assert_eq!(work.whole.len(), 9, "{:?}", work.whole.keys());
        assert!(!exists(&work.folder.with_file_name("arrays")));
        calls
    };
    assert!(calls > 200, "{calls} operations are too few");
    let each = if faults.len() > 1 { calls * faults.len() as u64 } else { 0 };
    let points = if deep() { each.max(1_000) } else { points };
    let begun = std::time::Instant::now();
    let (mut failed, mut resumed) = (0, 0);
    for point in 0..points {
        let in_turn = calls * faults.len() as u64 <= points;
        let (fault, call) = match in_turn {
            true => (faults[point as usize % faults.len()], point / faults.len() as u64 % calls),
            false => (rng.pick(faults), rng.below(calls)),
        };
        let dies = fault == Fault::PowerCut;
        let lasting = !dies && rng.chance(50);
        let context = format!(
            "{way:?}, {fault:?} at {call} of {calls}, lasting {lasting}, RETROGRADE_SEED={seed}"
        );
        let drive = Drive::new(&root);
        let _mounted = mount(&root, Arc::new(drive.clone()));
        *work.seen.lock().unwrap() = Seen::default();
        drive.set_fault(call, fault, lasting);
        let built = work.build_by(builders, &drive, dies);
        failed += u64::from(built.is_err());
        if let Err(error) = &built {
            let error = error.to_string();
            let way_on = match fault {
                Fault::PowerCut => "",
                Fault::Full => "make room",
                Fault::Device => "the device fails",
            };
            assert!(error.contains(way_on), "{context}: no way on: {error}");
        }
        // A device that has failed may lose anything, and a full disk loses nothing more in a power cut.
        if dies || rng.chance(50) {
            drive.restart(&mut rng);
        } else {
            drive.kill();
        }
        work.check(&context);
        // Sometimes the power goes out again.
        if rng.chance(30) {
            drive.set_fault(rng.below(calls), Fault::PowerCut, true);
            let _ = work.build_by(builders, &drive, true);
            drive.restart(&mut rng);
            work.check(&context);
        }
        let last = std::mem::take(&mut work.seen.lock().unwrap().last);
        work.seen.lock().unwrap().first.clear();
        let done = Manifest::read(&work.folder).unwrap().map(|manifest| manifest.regions);
        if let Err(error) = work.build(&drive, false) {
            panic!("{context}: no way on: {error}");
        }
        for (region, first) in &work.seen.lock().unwrap().first {
            let kept = last.get(region).map_or(0, |last| last - 1);
            let is_kept = way == Way::Logged && work.family.is_large(*region as usize);
            if dies
                && is_kept
                && builders == 1
                && !done.iter().flatten().any(|(done, _)| *done == region.to_string())
            {
                assert!(*first >= kept, "{context}: level {kept} of {region} is lost, not {first}");
                resumed += u64::from(*first > 1);
            }
        }
        let left = files(&work.folder);
        let names = left.keys().collect::<Vec<_>>();
        let other = left.iter().filter(|(name, bytes)| work.whole.get(*name) != Some(*bytes));
        let other = other.map(|(name, _)| name).collect::<Vec<_>>();
        assert!(left == work.whole, "{context}: other files: {names:?}, {other:?} differ");
        let arrays = work.folder.with_file_name("arrays");
        // An empty folder does no harm.
        let left = if exists(&arrays) { files(&arrays) } else { BTreeMap::new() };
        assert!(left.is_empty(), "{context}: {:?} are left", left.keys());
        // What the build has said to be finished is not lost any more.
        drive.restart(&mut rng);
        work.check(&context);
    }
    println!(
        "{way:?} by {builders}, {faults:?}: {points} points of {calls}, {failed} failed, {resumed} resumed, {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    retrograde_testkit::judged(points, "faults of a device");
    assert!(failed > points / 4, "only {failed} of {points} faults came through");
    let resumes = way == Way::Logged && builders == 1 && faults == [Fault::PowerCut];
    assert!(resumed > 0 || !resumes, "nothing was resumed");
}

const CUT: &[Fault] = &[Fault::PowerCut];
const FAULTS: &[Fault] = &[Fault::Full, Fault::Device];

#[test]
fn a_power_cut_loses_nothing_of_a_build() {
    torture("memory", Way::InMemory, CUT, 1, 30);
    torture("log", Way::Logged, CUT, 1, 40);
    torture("disk", Way::OnDisk, CUT, 1, 15);
}

#[test]
fn a_power_cut_loses_nothing_of_two_builders() {
    torture("two", Way::Logged, CUT, 2, 15);
}

#[test]
fn a_full_disk_or_a_failing_device_leaves_a_way_on_for_a_build() {
    torture("memory-faults", Way::InMemory, FAULTS, 1, 30);
    torture("disk-faults", Way::OnDisk, FAULTS, 1, 15);
}

#[test]
fn a_full_disk_or_a_failing_device_leaves_a_way_on_for_a_build_with_logs() {
    torture("log-faults", Way::Logged, FAULTS, 1, 40);
}

#[test]
fn a_full_disk_or_a_failing_device_leaves_a_way_on_for_two_builders() {
    torture("two-faults", Way::Logged, FAULTS, 2, 15);
}

/// The disk was full when the folder of the last record was synced. The build made room and solved the region again. It found
/// its own record, and took it for durable. So it called a region finished that a power cut could take back.
#[test]
fn a_record_that_a_full_disk_has_left_without_a_sync_is_synced() {
    let name = format!("retrograde-power-build-{}-record", std::process::id());
    let root = std::env::temp_dir().join(name);
    let mut work = Work::new(&root, Way::InMemory);
    let build = |work: &Work, fault: Option<u64>| {
        let drive = Drive::new(&root);
        let _mounted = mount(&root, Arc::new(drive.clone()));
        *work.seen.lock().unwrap() = Seen::default();
        fault.into_iter().for_each(|call| drive.set_fault(call, Fault::Full, false));
        let built = work.build(&drive, false);
        let (calls, built) = (drive.calls(), built.is_ok());
        drive.restart_at_worst();
        let whole = files(&work.folder);
        if fault.is_some() {
            work.check(&format!("full at {fault:?}"));
        }
        (calls, built, whole)
    };
    let (calls, _, whole) = build(&work, None);
    work.whole = whole;
    // The end of the build: the last table, and its record.
    let built = (calls - 100..calls).filter(|&call| build(&work, Some(call)).1).count();
    assert!(built > 0, "no build ended well");
}
