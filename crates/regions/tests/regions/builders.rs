//! Several builders in one folder. Each is a process of its own, or a thread of this one.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use chess_for_tests::{Chess, Material};
use retrograde_files::FolderLock;
use retrograde_regions::{BuildError, Builder, Event, Manifest};
use retrograde_testkit::{Rng, seed};

use crate::power::{Random, Way};
use crate::{Scratch, build, files};

const FOLDER: &str = "RETROGRADE_BUILDER_FOLDER";
const TARGET: &str = "RETROGRADE_BUILDER_TARGET";
/// The region at whose beginning the process says so, and waits for a line.
const PAUSE: &str = "RETROGRADE_BUILDER_PAUSE";
/// The level of that region at which it does so, in little memory, if it is not the beginning.
const LEVEL: &str = "RETROGRADE_BUILDER_LEVEL";
/// So short that a lease is stale after a sixth of a second.
const INTERVAL: Duration = Duration::from_millis(25);

fn builder(folder: &Path) -> Builder<'static> {
    Builder::new(&Chess, folder).threads(1).lease_interval(INTERVAL)
}

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

#[test]
#[ignore = "is started by the other tests"]
fn the_builder() {
    let [folder, target] = [FOLDER, TARGET].map(|name| std::env::var(name).unwrap());
    let targets: Vec<Material> = target.split(' ').map(material).collect();
    let level: Option<u32> = std::env::var(LEVEL).ok().map(|level| level.parse().unwrap());
    let builder = builder(folder.as_ref()).checkpoint_interval(Duration::ZERO);
    let plan = builder.plan(&targets).unwrap();
    let least = plan.regions.iter().map(|planned| planned.memory_least).max().unwrap();
    let builder = builder.memory_max(if level.is_some() { least } else { u64::MAX });
    build_and_tell(builder, &targets, level);
}

#[test]
#[ignore = "is started by another test"]
fn the_builder_on_disk() {
    let folder = std::env::var(FOLDER).unwrap();
    build_and_tell(on_disk(&Random::new(Way::OnDisk), folder.as_ref()), &[3], Some(1));
}

/// A builder in the folder `tables`. The arrays of regions 2 and 3 do not fit in memory, and go to the folder `arrays`.
fn on_disk<'f>(family: &'f Random, folder: &Path) -> Builder<'f> {
    let builder = Builder::new(family, folder.join("tables")).threads(1).lease_interval(INTERVAL);
    builder.memory_max(64 << 20).disk(folder.join("arrays"))
}

/// Says on standard error what it does. Pauses where the environment says.
fn build_and_tell(builder: Builder<'_>, targets: &[impl ToString], level: Option<u32>) {
    let pause = std::env::var(PAUSE).unwrap_or_default();
    let mut paused = false;
    let builder = builder.progress(|event| {
        let here = match event {
            Event::Begun(planned) => level.is_none() && planned.region == pause,
            Event::Solving(region, progress) => {
                level.is_some_and(|level| progress.level >= Some(level)) && region == pause
            }
            Event::Finished(region, ..) => {
                eprintln!("made {region}");
                false
            }
            Event::Lost(region) => {
                eprintln!("lost {region}");
                false
            }
            _ => false,
        };
        if here && !std::mem::replace(&mut paused, true) {
            // Not on standard output, which the test harness keeps.
            eprintln!("begun");
            let _ = std::io::stdin().read_line(&mut String::new());
        }
        ControlFlow::Continue(())
    });
    builder.build(targets).unwrap();
}

/// A builder in another process. It is killed on drop.
pub(crate) struct Other(Child, Option<ChildStdin>, Option<JoinHandle<Vec<String>>>);

impl Other {
    fn start(folder: &Path, target: &str) -> Other {
        Other::paused(folder, target, "")
    }

    /// Pauses at the beginning of a region.
    fn paused(folder: &Path, target: &str, region: &str) -> Other {
        Other::with(folder, (target, region), None, "the_builder")
    }

    /// Pauses while a region is solved on disk.
    fn on_disk(folder: &Path, region: &str) -> Other {
        Other::with(folder, ("", region), None, "the_builder_on_disk")
    }

    /// Pauses at a level of a region, in so little memory that the distances are in a log.
    pub(crate) fn at_level(folder: &Path, target: &str, region: &str, level: u32) -> Other {
        Other::with(folder, (target, region), Some(level), "the_builder")
    }

    fn with(
        folder: &Path,
        (target, region): (&str, &str),
        level: Option<u32>,
        test: &str,
    ) -> Other {
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new(program)
            .args(["--ignored", "--exact", &format!("builders::{test}"), "--nocapture"])
            .envs([(FOLDER, folder.as_os_str()), (TARGET, target.as_ref())])
            .env(PAUSE, region)
            .envs(level.map(|level| (LEVEL, level.to_string())))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, errors) = (child.stdin.take(), BufReader::new(child.stderr.take().unwrap()));
        let mut lines = errors.lines();
        if !region.is_empty() {
            assert!(lines.by_ref().any(|line| line.is_ok_and(|line| line == "begun")), "{region}");
        }
        let rest = std::thread::spawn(move || lines.map_while(Result::ok).collect());
        Other(child, input, Some(rest))
    }

    /// What it said after its pause. It must have ended.
    fn said(&mut self) -> Vec<String> {
        self.2.take().unwrap().join().unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        retrograde_testkit::signal(self.0.id(), name);
    }

    pub(crate) fn go_on(&mut self) {
        let _ = writeln!(self.1.take().unwrap());
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.0.wait().unwrap()
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A folder with these regions, built by one builder.
fn whole(targets: &[&str]) -> Scratch {
    let folder = Scratch::new();
    let targets: Vec<Material> = targets.iter().map(|target| material(target)).collect();
    Builder::new(&Chess, &*folder).build(&targets).unwrap();
    folder
}

#[test]
fn builders_that_are_killed_and_stopped_at_random_make_the_tables_of_one() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let whole = whole(&["KPvK", "KBvKN"]);
    let folder = Scratch::new();
    let start = || Other::start(&folder, "KPvK KBvKN");
    let mut others: Vec<Other> = (0..4).map(|_| start()).collect();
    for _ in 0..20 {
        sleep(Duration::from_millis(rng.below(60)));
        let other = &mut others[rng.below(4) as usize];
        match (other.0.try_wait().unwrap().is_some(), rng.below(4)) {
            (true, _) => *other = start(),
            (_, 0) => *other = start(),
            (_, 1) => other.signal("CONT"),
            _ => other.signal("STOP"),
        }
    }
    for other in &mut others {
        if other.0.try_wait().unwrap().is_none() {
            other.signal("CONT");
        }
        assert!(other.wait().success());
    }
    build(&Chess, &folder, "KPvK").unwrap();
    assert_eq!(files(&folder), files(&whole));
}

/// The lease of a stopped process is stale, and another takes its region. Then both finish the same region.
#[test]
fn two_builders_of_one_region_make_one_table() {
    let whole = whole(&["KPvK"]);
    for stop in [false, true] {
        let folder = Scratch::new();
        let mut slow = Other::paused(&folder, "KPvK", "KQvK");
        if stop {
            slow.signal("STOP");
        }
        let (mut waited, mut made) = (Vec::new(), Vec::new());
        let ours = builder(&folder).progress(|event| {
            match event {
                Event::Waiting(region, holder) => {
                    waited.push((region.to_string(), holder.to_owned()));
                    if !stop && waited.len() == 1 {
                        slow.go_on();
                    }
                }
                Event::Finished(region, ..) => made.push(region.to_string()),
                _ => {}
            }
            ControlFlow::Continue(())
        });
        ours.build(&[material("KPvK")]).unwrap();
        assert_eq!(made.contains(&"KQvK".to_owned()), stop, "{made:?}");
        let (region, holder) = &waited[0];
        assert_eq!(region, "KQvK");
        assert!(holder.starts_with(&format!("process {} on ", slow.0.id())), "{holder}");
        if stop {
            slow.signal("CONT");
            slow.go_on();
        }
        assert!(slow.wait().success());
        build(&Chess, &folder, "KPvK").unwrap();
        assert_eq!(files(&folder), files(&whole));
    }
}

/// A builder that had lost its lease went on with its region to the end.
#[test]
fn a_builder_that_stood_still_leaves_its_region_to_the_one_that_took_it() {
    let folder = Scratch::new();
    let mut slow = Other::paused(&folder, "KPvK", "KQvK");
    slow.signal("STOP");
    let mut begun = false;
    // Ours has the region in hand, and waits until the other one has noticed it.
    let ours = builder(&folder).progress(|event| {
        if let Event::Begun(_) = event {
            begun = true;
            slow.signal("CONT");
            sleep(20 * INTERVAL);
            slow.go_on();
            sleep(20 * INTERVAL);
        }
        ControlFlow::Continue(())
    });
    ours.build(&[material("KQvK")]).unwrap();
    assert!(begun && slow.wait().success());
    let said = slow.said();
    assert!(said.contains(&"lost KQvK".into()) && said.contains(&"made KPvK".into()), "{said:?}");
    assert!(!said.contains(&"made KQvK".into()), "{said:?}");
    assert_eq!(files(&folder), files(&whole(&["KPvK"])));
}

/// The arrays of a region on disk belong to the builder that has locked them. Another one that had found its lease stale
/// ended with an error.
#[test]
fn a_region_on_disk_stays_with_a_stopped_builder_until_it_dies() {
    const WAITS: u32 = 7;
    let folder = Scratch::new();
    let mut stopped = Other::on_disk(&folder, "2");
    stopped.signal("STOP");
    let process = stopped.0.id();
    let (mut waited, mut made) = (0, Vec::new());
    let family = Random::new(Way::OnDisk);
    let ours = on_disk(&family, &folder).progress(|event| {
        match event {
            Event::Waiting(region, holder) => {
                assert_eq!(region, "2");
                // At first, the stopped builder still has its lease, and the memory.
                waited += u32::from(holder.starts_with(&format!("process {process} on ")));
                // The pauses between them double. By then the lease has been stale for a second.
                if waited == WAITS {
                    stopped.0.kill().unwrap();
                    stopped.0.wait().unwrap();
                }
            }
            Event::Finished(region, ..) => made.push(region.to_owned()),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    ours.build(&[3]).unwrap();
    assert_eq!((waited >= WAITS, made), (true, vec!["2".to_owned(), "3".to_owned()]));
    let free = Scratch::new();
    Builder::new(&Random::new(Way::InMemory), &*free).build(&[3]).unwrap();
    assert_eq!(files(&folder.join("tables")), files(&free));
    assert!(!folder.join("arrays").exists());
}

/// Killed builders left leases, locks and temporary files in a finished folder, and no build removed them: a pair of
/// builders of which one was killed came to other files than one builder.
#[test]
fn a_build_removes_what_killed_builders_have_left() {
    let (folder, whole) = (Scratch::new(), whole(&["KQvK"]));
    build(&Chess, &folder, "KQvK").unwrap();
    for name in [
        FolderLock::FILE,
        "KQvK.lease",
        "builder-0123456789abcdef.lease",
        ".manifest.json.0123456789abcdef.temp_file",
        ".KQvK.table.0123456789abcdef.temp_file",
        "copies/.KQvK.table.0123456789abcdef.temp_file",
    ] {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), "").unwrap();
        build(&Chess, &folder, "KQvK").unwrap();
        let left = files(&folder);
        assert!(left == files(&whole), "{name}: {:?}", left.keys());
    }
}

/// The process that holds it may live on another machine, so only time tells.
#[test]
fn the_stale_lease_of_another_machine_is_taken() {
    let (folder, whole) = (Scratch::new(), whole(&["KQvK"]));
    fs::create_dir_all(&*folder).unwrap();
    let text = r#"{"process":7,"host":"lynx","machine":"m","work":"w","memory":0,"beat":9}"#;
    fs::write(folder.join("KQvK.lease"), text).unwrap();
    let mut waited = 0;
    let ours = builder(&folder).progress(|event| {
        if let Event::Waiting(_, holder) = event {
            assert_eq!(holder, "process 7 on lynx");
            waited += 1;
        }
        ControlFlow::Continue(())
    });
    ours.build(&[material("KQvK")]).unwrap();
    assert!(waited > 1, "{waited}");
    assert_eq!(files(&folder), files(&whole));
}

/// A killed builder holds no lock, so no builder waits for it.
#[test]
fn the_lease_of_a_killed_process_is_taken_at_once() {
    let folder = Scratch::new();
    drop(Other::paused(&folder, "KQvK", "KQvK"));
    assert!(folder.join("KQvK.lease").exists());
    let long = Duration::from_secs(3600);
    Builder::new(&Chess, &*folder).lease_interval(long).build(&[material("KQvK")]).unwrap();
    assert!(!folder.join("KQvK.lease").exists());
}

/// A faulty machine must not go unnoticed.
#[test]
fn another_table_of_the_same_region_is_an_error() {
    let folder = Scratch::new();
    let ours = builder(&folder).progress(|event| {
        if let Event::Writing(..) = event {
            let mut manifest = Manifest::read(&folder).unwrap().unwrap();
            let mut entry = whole(&["KQvK"]).entry("KQvK");
            entry.checksum = "0123456789abcdef".into();
            manifest.regions.insert("KQvK".into(), entry);
            manifest.write(&folder).unwrap();
        }
        ControlFlow::Continue(())
    });
    let error = ours.build(&[material("KQvK")]).unwrap_err().to_string();
    assert!(error.contains("another builder made another table of KQvK"), "{error}");
    build(&Chess, &folder, "KQvK").unwrap();
    assert_eq!(files(&folder), files(&whole(&["KQvK"])));
}

impl Scratch {
    fn entry(&self, name: &str) -> retrograde_regions::Entry {
        Manifest::read(self).unwrap().unwrap().regions[name].clone()
    }
}

/// Builders on one machine share its memory.
#[test]
fn a_builder_leaves_the_memory_that_another_uses() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    build(&Chess, &folder, "KRvK").unwrap();
    let plan = builder(&folder).plan(&[material("KQvKR")]).unwrap();
    let memory = plan.regions.last().unwrap().memory;
    let mut other = Other::paused(&folder, "KQvKR", "KQvKR");
    // KBvK would fit beside KQvKR if no other builder used memory.
    let (mut waited, mut begun) = (0, 0);
    let ours = builder(&folder).memory_max(memory + 1).progress(|event| {
        match event {
            Event::Waiting(_, holder) => {
                waited += 1;
                assert_eq!((begun, holder), (0, "builders that use the memory"));
                if waited == 3 {
                    other.go_on();
                }
            }
            Event::Begun(_) => begun += 1,
            _ => {}
        }
        ControlFlow::Continue(())
    });
    ours.build(&[material("KBvK")]).unwrap();
    assert!(waited >= 3 && begun == 1);
    assert!(other.wait().success());
}

#[test]
fn copies_stay_while_a_builder_of_other_regions_is_there() {
    let folder = Scratch::new();
    let other = Other::paused(&folder, "KQvKR", "KQvKR");
    build(&Chess, &folder, "KPvK").unwrap();
    assert!(folder.join("copies/KQvK.table").exists());
    drop(other);
    build(&Chess, &folder, "KPvK").unwrap();
    assert!(!folder.join("copies").exists());
}

/// Two builds with different options began an empty folder at the same time.
#[test]
fn a_build_with_other_options_is_refused_even_later() {
    let folder = Scratch::new();
    let ours = builder(&folder).progress(|event| {
        if let Event::Begun(_) = event {
            Manifest::new("chess", false, "zstd-8", false).write(&folder).unwrap();
        }
        ControlFlow::Continue(())
    });
    let error = ours.build(&[material("KQvK")]).unwrap_err();
    assert!(matches!(error, BuildError::Options { option: "distances", .. }), "{error}");
}

#[test]
fn a_lock_left_by_a_killed_build_blocks_no_other() {
    let folder = Scratch::new();
    fs::create_dir_all(&*folder).unwrap();
    fs::write(folder.join(FolderLock::FILE), "process 1 on nowhere since yesterday\n").unwrap();
    build(&Chess, &folder, "KQvK").unwrap();
    assert!(!folder.join(FolderLock::FILE).exists());
}
