//! A region whose distances are in a log continues where an earlier build has stopped.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use chess_for_tests::{Chess, Material};
use retrograde_regions::{BuildError, Builder, Event};

use crate::builders::Other;
use crate::{Scratch, files};

const REGION: &str = "KQvKR";

fn target() -> [Material; 1] {
    [REGION.parse().unwrap()]
}

/// A builder in so little memory that all distances go to logs.
fn builder(folder: &Path) -> Builder<'static> {
    let builder = Builder::new(&Chess, folder).threads(1);
    let plan = builder.plan(&target()).unwrap();
    let least = plan.regions.iter().map(|planned| planned.memory_least).max().unwrap();
    builder.memory_max(least)
}

/// Builds the region until a level. Returns the first level, and whether the build has ended.
fn build_to(folder: &Path, level: u32) -> (u32, bool) {
    let mut first = None;
    let built = builder(folder)
        .progress(|event| match event {
            Event::Solving(region, progress) if region == REGION => {
                first = first.or(progress.level);
                match progress.level < Some(level) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            }
            _ => ControlFlow::Continue(()),
        })
        .build(&target());
    assert!(matches!(built, Ok(_) | Err(BuildError::Cancelled)), "{built:?}");
    (first.unwrap(), built.is_ok())
}

fn whole() -> Scratch {
    let folder = Scratch::new();
    Builder::new(&Chess, &*folder).build(&target()).unwrap();
    folder
}

/// The log had no name, so a build that was stopped after days began the region again.
#[test]
fn a_stopped_region_goes_on_from_its_last_level() {
    let (folder, whole) = (Scratch::new(), whole());
    assert_eq!(build_to(&folder, 9), (1, false));
    for (from, to) in [(9, 20), (20, 30)] {
        let (first, ended) = build_to(&folder, to);
        assert!((from..=from + 1).contains(&first) && !ended, "{first}");
        assert!(folder.join("KQvKR.work/log").exists());
    }
    let (first, ended) = build_to(&folder, u32::MAX);
    assert!(first >= 30 && ended, "{first}");
    assert_eq!(files(&folder), files(&whole));
}

#[test]
fn a_killed_region_goes_on_from_its_last_snapshot() {
    let (folder, whole) = (Scratch::new(), whole());
    drop(Other::at_level(&folder, REGION, REGION, 20));
    let (first, ended) = build_to(&folder, u32::MAX);
    assert!(first >= 18 && ended, "{first}");
    assert_eq!(files(&folder), files(&whole));
}

/// Damage costs the time of the solve, and no wrong value.
#[test]
fn damaged_files_of_a_stopped_region_are_not_used() {
    let whole = whole();
    for (name, at) in [("snapshot", 3), ("snapshot", 1_000), ("log", 20_000), ("log", 200_000)] {
        let folder = Scratch::new();
        build_to(&folder, 30);
        let path = folder.join("KQvKR.work").join(name);
        let mut bytes = fs::read(&path).unwrap();
        bytes[at] ^= 4;
        fs::write(&path, bytes).unwrap();
        assert!(build_to(&folder, u32::MAX).1);
        assert_eq!(files(&folder), files(&whole), "{name} {at}");
    }
}

/// A snapshot belongs to the tables that its exits lead to.
#[test]
fn a_stopped_region_with_other_tables_begins_again() {
    let folder = Scratch::new();
    build_to(&folder, 9);
    crate::identity::replace(&folder, "KQvK");
    assert_eq!(build_to(&folder, u32::MAX), (1, true));
}

/// Another process may still have the folder, although its lease is stale.
#[test]
fn two_builders_of_one_region_have_files_of_their_own() {
    let (folder, whole) = (Scratch::new(), whole());
    let mut slow = Other::at_level(&folder, REGION, REGION, 20);
    slow.signal("STOP");
    let interval = Duration::from_millis(25);
    builder(&folder).lease_interval(interval).build(&target()).unwrap();
    slow.signal("CONT");
    slow.go_on();
    assert!(slow.wait().success());
    builder(&folder).build(&target()).unwrap();
    assert_eq!(files(&folder), files(&whole));
}
