//! A region's table belongs to the tables that its moves lead to, and old folders stay usable.

use std::fs;
use std::path::PathBuf;

use chess_for_tests::{Chess, Material};
use retrograde_regions::{Manifest, Tables};
use retrograde_table::{Compression, Table, Writer};

use crate::{Scratch, build, files};

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

/// Replaces the table of a region by another one with the same values, and records it.
pub(crate) fn replace(folder: &Scratch, name: &str) {
    let tables = Tables::open(Chess, &**folder).unwrap();
    let table = tables.table(&material(name)).unwrap();
    let path = folder.join(format!("{name}.table"));
    let writer = Writer::new(table.header().about.clone()).compression(Compression::None);
    writer.write(&path, &*table).unwrap();
    let mut manifest = Manifest::read(folder).unwrap().unwrap();
    let entry = manifest.regions.get_mut(name).unwrap();
    let bytes = fs::read(&path).unwrap();
    entry.bytes = bytes.len() as u64;
    entry.checksum = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes));
    manifest.write(folder).unwrap();
}

/// Tables of two folders were mixed. Every checksum was right, and a value recovered from the wrong table was wrong.
#[test]
fn a_table_made_from_another_table_is_not_asked_and_is_made_again() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KPvK").unwrap();
    replace(&folder, "KQvK");
    let tables = Tables::open(Chess, &*folder).unwrap();
    tables.table(&material("KQvK")).unwrap();
    let error = tables.table(&material("KPvK")).unwrap_err().to_string();
    assert!(error.contains("made from another table of KQvK"), "{error}");
    assert!(error.contains("retrograde build chess KPvK"), "{error}");
    assert_eq!(build(&Chess, &folder, "KPvK").unwrap(), ["KPvK"]);
    Tables::open(Chess, &*folder).unwrap().verify(&material("KPvK")).unwrap();
}

/// A table that is made again becomes another one, because it was written by another program. In the same build, so do all
/// tables that depend on it.
#[test]
fn a_repaired_table_that_differs_takes_its_dependents_along() {
    let (folder, whole) = (Scratch::new(), Scratch::new());
    build(&Chess, &whole, "KPvK").unwrap();
    build(&Chess, &folder, "KPvK").unwrap();
    replace(&folder, "KQvK");
    build(&Chess, &folder, "KPvK").unwrap();
    fs::remove_file(folder.join("KQvK.table")).unwrap();
    assert_eq!(build(&Chess, &folder, "KPvK").unwrap(), ["KQvK", "KPvK"]);
    assert_eq!(files(&folder), files(&whole));
}

/// The program with one manifest for all regions wrote this folder.
#[test]
fn a_folder_with_one_manifest_goes_on() {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/folder-1");
    let [old, new] = [Scratch::new(), Scratch::new()];
    fs::create_dir_all(&*old).unwrap();
    for (name, bytes) in files(&golden) {
        fs::write(old.join(name), bytes).unwrap();
    }
    let tables = Tables::open(Chess, &*old).unwrap();
    for name in ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"] {
        tables.check(&material(name)).unwrap();
        tables.verify(&material(name)).unwrap();
    }
    assert_eq!(build(&Chess, &old, "KPvK").unwrap(), [""; 0]);
    assert_eq!(build(&Chess, &old, "KBvKN").unwrap(), ["KBvKN"]);
    build(&Chess, &new, "KPvK").unwrap();
    build(&Chess, &new, "KBvKN").unwrap();
    // A table that is missing is made again, and then has a manifest of its own.
    fs::remove_file(old.join("KQvK.table")).unwrap();
    assert_eq!(build(&Chess, &old, "KPvK").unwrap(), ["KQvK"]);
    let [old_files, new_files] = [files(&old), files(&new)];
    for name in ["KBvKN.table", "KBvKN.table.json", "KQvK.table", "KQvK.table.json", "KPvK.table"] {
        assert!(old_files[name] == new_files[name], "{name}");
    }
    assert!(!old_files.contains_key("KPvK.table.json"));
    assert!(Table::open(old.join("KBvKN.table")).is_ok());
}
