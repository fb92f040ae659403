//! Tables that are missing or damaged: named, with the command that makes them, and made again.

use std::fs;
use std::ops::ControlFlow;

use chess_for_tests::{Chess, Material};
use retrograde::{Game, Probe, Status, Value};
use retrograde_regions::{BuildError, Builder, Event, Family, Manifest, Tables};
use retrograde_table::{Table, TableError, Voids, Writer};

use crate::{Scratch, build, files};

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

/// Turns one bit of a file.
fn damage(path: &std::path::Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    let at = at % bytes.len();
    bytes[at] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_missing_table_is_named_with_the_command_that_makes_it() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    let tables = Tables::open(Chess, &*folder).unwrap();
    let error = tables.table(&material("KRvK")).unwrap_err().to_string();
    let place = folder.display();
    assert_eq!(
        error,
        format!(
            "there is no finished table of KRvK in {place}; to make it: retrograde build chess KRvK \
             --out {place}"
        )
    );
    assert!(tables.get_table(&material("KRvK")).unwrap().is_none());
    assert!(tables.get_table(&material("KQvK")).unwrap().is_some());
}

#[test]
fn a_folder_that_is_not_there_has_no_tables() {
    let tables = Tables::open(Chess, &*Scratch::new()).unwrap();
    assert!(tables.get_table(&material("KQvK")).unwrap().is_none());
}

#[test]
fn a_table_that_was_removed_is_made_again() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KPvK").unwrap();
    let whole = files(&folder);
    fs::remove_file(folder.join("KRvK.table")).unwrap();
    let tables = Tables::open(Chess, &*folder).unwrap();
    assert!(tables.get_table(&material("KRvK")).unwrap().is_none());
    let error = tables.probe(&material("KRvK"), 0).unwrap_err().to_string();
    assert!(error.contains("KRvK.table") && error.contains("build chess KRvK"), "{error}");
    assert_eq!(build(&Chess, &folder, "KPvK").unwrap(), ["KRvK"]);
    assert_eq!(files(&folder), whole);
}

#[test]
fn a_damaged_table_is_found_and_made_again() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KPvK").unwrap();
    let whole = files(&folder);
    for at in [3, 100, 4_000, whole["KQvK.table"].len() - 1] {
        damage(&folder.join("KQvK.table"), at);
        let tables = Tables::open(Chess, &*folder).unwrap();
        let error = tables.check(&material("KQvK")).unwrap_err().to_string();
        assert!(error.contains("KQvK.table") && error.contains("build chess KQvK"), "{error}");
        let mut repaired = Vec::new();
        Builder::new(&Chess, &*folder)
            .progress(|event| {
                if let Event::Repairing(region, error) = event {
                    repaired.push((region.to_string(), error.to_string()));
                }
                ControlFlow::Continue(())
            })
            .build(&[material("KPvK")])
            .unwrap();
        let [(region, error)] = &repaired[..] else { panic!("{repaired:?}") };
        assert_eq!(region, "KQvK");
        assert!(error.contains("checksum differs"), "{error}");
        assert_eq!(files(&folder), whole);
    }
}

#[test]
fn a_table_of_another_length_is_not_asked() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    build(&Chess, &folder, "KRvK").unwrap();
    fs::copy(folder.join("KRvK.table"), folder.join("KQvK.table")).unwrap();
    let tables = Tables::open(Chess, &*folder).unwrap();
    let error = tables.table(&material("KQvK")).unwrap_err().to_string();
    assert!(error.contains("this is not the table of KQvK"), "{error}");
}

/// The damage comes after the check at the start, while the region that needs it is solved: in memory
/// or from disk, no table is written from it.
#[test]
fn damage_during_a_build_stops_it_and_is_named() {
    for tight in [false, true] {
        let folder = Scratch::new();
        build(&Chess, &folder, "KQvK").unwrap();
        let path = folder.join("KQvK.table");
        let length = fs::metadata(&path).unwrap().len() as usize;
        let builder = Builder::new(&Chess, &*folder).threads(1).progress(|event| {
            if let Event::Begun(planned) = event
                && planned.region == material("KPvK")
            {
                // In the middle of the blocks: what is opened looks whole.
                damage(&path, length / 2);
            }
            ControlFlow::Continue(())
        });
        let least = builder.plan(&[material("KPvK")]).unwrap().memory_least_most();
        let builder = if tight { builder.memory_max(least) } else { builder };
        let error = builder.build(&[material("KPvK")]).unwrap_err();
        assert!(matches!(error, BuildError::Region(_)), "{error}");
        let error = error.to_string();
        assert!(error.contains("KQvK.table") && error.contains("build chess KQvK"), "{error}");
        assert!(!folder.join("KPvK.table").exists());
    }
}

#[test]
fn a_manifest_that_makes_no_sense_is_named() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    let path = folder.join(Manifest::FILE);
    let text = fs::read_to_string(&path).unwrap();
    for (text, problem) in [
        (text[..text.len() / 2].to_string(), "EOF while parsing"),
        (text.replace("\"version\": 1", "\"version\": 7"), "version 7 of the manifest"),
        (text.replace("\"chess\"", "[]"), "line 3"),
    ] {
        fs::write(&path, text).unwrap();
        let error = build(&Chess, &folder, "KQvK").unwrap_err().to_string();
        assert!(error.contains("manifest.json") && error.contains(problem), "{error}");
        assert!(Tables::open(Chess, &*folder).is_err());
    }
}

/// A stalemate that is stored as a win, in a table whose every checksum holds and whose manifest knows it.
#[test]
fn a_wrong_value_of_a_stalemate_is_found() {
    struct Lie<'a>(&'a Table, u64);
    impl Probe for Lie<'_> {
        type Error = TableError;
        fn states(&self) -> u64 {
            self.0.states()
        }
        fn has_distances(&self) -> bool {
            true
        }
        fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
            if state == self.1 { Ok(Some(Value::Win(1))) } else { self.0.probe(state) }
        }
    }
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    let region = material("KQvK");
    let tables = Tables::open(Chess, &*folder).unwrap();
    tables.verify(&region).unwrap();
    let stalemate = |game: &<Chess as Family>::Game<'_>| {
        let stuck = |state: &u64| game.status(*state, |_| {}) == Status::Final(Value::Draw);
        (0..game.states()).find(stuck).expect("there is a stalemate")
    };
    let state = tables.with_game(&region, |game| stalemate(game)).unwrap();
    let table = tables.table(&region).unwrap();
    let path = folder.join("KQvK.table");
    let writer = Writer::new(table.header().about.clone()).voids(Voids::Forgotten);
    writer.write(&path, &Lie(&table, state)).unwrap();
    let mut manifest = Manifest::read(&folder).unwrap().unwrap();
    let entry = manifest.regions.get_mut("KQvK").unwrap();
    let bytes = fs::read(&path).unwrap();
    entry.bytes = bytes.len() as u64;
    entry.checksum = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes));
    manifest.write(&folder).unwrap();
    let tables = Tables::open(Chess, &*folder).unwrap();
    tables.check(&region).unwrap();
    let error = tables.verify(&region).unwrap_err().to_string();
    assert!(error.contains(&format!("state {state} is Win(1) but Draw follows")), "{error}");
}
