//! The copies of tables that a build keeps while other regions need them.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::tapatan::{Tapatan, Tier};
use chess_for_tests::{Chess, Index, Material};
use retrograde::Value;
use retrograde_regions::{BuildError, Builder, Event, Tables};
use retrograde_table::{About, Table, Writer};
use retrograde_testkit::broken::Computed;

use crate::{Scratch, build, files};

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

/// Builds what KPvK needs, and stops when KPvK begins.
fn build_needs(folder: &Path) {
    let stopped = builder(folder).build(&[material("KPvK")]);
    assert!(matches!(stopped, Err(BuildError::Cancelled)), "{stopped:?}");
}

fn builder(folder: &Path) -> Builder<'static> {
    Builder::new(&Chess, folder).threads(2).progress(|event| match event {
        Event::Begun(planned) if planned.region == "KPvK" => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
}

fn names(folder: &Path) -> Vec<String> {
    files(folder).into_keys().collect()
}

/// Builds what KPvK needs, lets `change` change the copy of KQvK, and builds KPvK. Says whether the tables are right.
fn right_after(change: impl FnOnce(&Path)) -> bool {
    let (folder, whole) = (Scratch::new(), Scratch::new());
    build(&Chess, &whole, "KPvK").unwrap();
    build_needs(&folder);
    change(&folder.join("copies/KQvK.table"));
    build(&Chess, &folder, "KPvK").unwrap();
    files(&folder) == files(&whole)
}

/// Replaces a copy by one in which all states draw. `change` may change its header.
fn lie(copy: &Path, change: impl FnOnce(&mut About)) {
    let table = Table::open(copy).unwrap();
    let mut about = table.header().about.clone();
    change(&mut about);
    let all_draw = Computed { states: table.states(), first: 0, value: |_| Value::Draw };
    Writer::new(about).write(copy, &all_draw).unwrap();
}

#[test]
fn copies_stay_until_no_region_needs_them() {
    let (folder, whole) = (Scratch::new(), Scratch::new());
    build(&Chess, &whole, "KPvK").unwrap();
    build_needs(&folder);
    let copies = folder.join("copies");
    assert_eq!(names(&copies), ["KBvK.table", "KNvK.table", "KQvK.table", "KRvK.table"]);
    for name in names(&copies) {
        let copy = Table::open(copies.join(&name)).unwrap();
        assert!(copy.is_complete() && !Table::open(folder.join(&name)).unwrap().is_complete());
    }
    assert_eq!(build(&Chess, &folder, "KPvK").unwrap(), ["KPvK"]);
    assert!(!copies.exists());
    assert_eq!(files(&folder), files(&whole));
}

/// Builds once removed all files of the folder that were not their copies.
#[test]
fn a_build_removes_old_copies_and_no_other_files() {
    let folder = Scratch::new();
    build_needs(&folder);
    let copies = folder.join("copies");
    fs::copy(copies.join("KQvK.table"), copies.join("KBvKB.table")).unwrap();
    fs::write(copies.join("notes"), "years of work").unwrap();
    fs::write(copies.join("notes.table"), "years of work").unwrap();
    fs::copy(folder.join("KQvK.table"), copies.join("mine.table")).unwrap();
    build(&Chess, &folder, "KPvK").unwrap();
    assert_eq!(names(&copies), ["mine.table", "notes", "notes.table"]);
}

#[test]
fn a_build_reads_the_copy_in_place_of_the_table() {
    assert!(right_after(|_| {}));
    assert!(!right_after(|copy| lie(copy, |_| {})));
}

#[test]
fn copies_of_other_tables_are_not_used() {
    assert!(right_after(|copy| lie(copy, |about| {
        about.parameters["copy_of"] = "0123456789abcdef".into();
    })));
}

#[test]
fn a_damaged_copy_is_named_and_then_not_used() {
    let (folder, whole) = (Scratch::new(), Scratch::new());
    build(&Chess, &whole, "KPvK").unwrap();
    build_needs(&folder);
    let copy = folder.join("copies").join("KQvK.table");
    let mut bytes = fs::read(&copy).unwrap();
    // In a block, after the header.
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    fs::write(&copy, bytes).unwrap();
    let error = build(&Chess, &folder, "KPvK").unwrap_err().to_string();
    assert!(error.contains("copies") && error.contains("KQvK.table"), "{error}");
    build(&Chess, &folder, "KPvK").unwrap();
    assert_eq!(files(&folder), files(&whole));
}

#[test]
fn a_build_does_without_copies_that_it_cannot_write() {
    let (folder, whole) = (Scratch::new(), Scratch::new());
    build(&Chess, &whole, "KPvK").unwrap();
    fs::create_dir_all(&*folder).unwrap();
    fs::write(folder.join("copies"), "not a folder").unwrap();
    build(&Chess, &folder, "KPvK").unwrap();
    fs::remove_file(folder.join("copies")).unwrap();
    assert_eq!(files(&folder), files(&whole));
}

#[test]
fn tables_with_all_values_have_no_copies() {
    let folder = Scratch::new();
    let _ = builder(&folder).both_sides(true).build(&[material("KPvK")]);
    assert!(folder.join("KQvK.table").exists() && !folder.join("copies").exists());

    let folder = Scratch::new();
    let stopped = Builder::new(&Tapatan, &*folder).progress(|event| match event {
        Event::Finished(..) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert!(matches!(stopped.build(&[Tier::START]), Err(BuildError::Cancelled)));
    assert!(files(&folder).len() > 1 && !folder.join("copies").exists());
}

#[test]
fn a_copy_has_the_values_of_its_table() {
    let folder = Scratch::new();
    build_needs(&folder);
    let tables = Tables::open(Chess, &*folder).unwrap();
    for region in ["KQvK", "KRvK"].map(material) {
        let copy = Table::open(folder.join(format!("copies/{region}.table"))).unwrap();
        let (table, index) = (tables.table(&region).unwrap(), Index::new(region));
        assert_eq!(copy.states(), table.states());
        let mut valid = (0..copy.states()).filter(|state| index.position(*state).is_some());
        let wrong = valid.find(|state| copy.probe(*state).unwrap() != table.probe(*state).unwrap());
        assert_eq!(wrong, None, "{region}");
    }
}
