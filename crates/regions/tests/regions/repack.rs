//! A repacked folder equals the folder that a build writes.

use std::fs;
use std::path::{Path, PathBuf};

use chess_for_tests::{Chess, Material};
use retrograde::Histogram;
use retrograde_regions::{Builder, Manifest, Tables};
use retrograde_table::{Compression, Exits, InvalidStates, Table, Writer};

use crate::forged::note;
use crate::{Scratch, files};

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// Asserts that two folders have the same contents.
fn assert_same(a: &Path, b: &Path) {
    assert!(files(a) == files(b), "{:?} and {:?}", files(a).keys(), files(b).keys());
}

#[test]
fn a_folder_written_anew_is_what_a_build_makes() {
    let [there, here] = [Scratch::new(), Scratch::new()];
    let target = [material("KPvK")];
    let both = Builder::new(&Chess, &*there).both_sides(true).compression(Compression::Fast);
    both.build(&target).unwrap();
    Builder::new(&Chess, &*here).build(&target).unwrap();
    Builder::new(&Chess, &*there).repack(&target).unwrap();
    assert_same(&there, &here);
    // Repacking again changes nothing, and repacking back gives the first folder.
    Builder::new(&Chess, &*there).repack(&target).unwrap();
    assert_same(&there, &here);
    let wide = Scratch::new();
    Builder::new(&Chess, &*wide).both_sides(true).build(&target).unwrap();
    Builder::new(&Chess, &*here).both_sides(true).repack(&target).unwrap();
    assert_same(&here, &wide);
}

/// The last version of the program with the old format wrote this folder.
#[test]
fn a_folder_of_version_1_is_read_and_written_anew() {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1");
    let [old, new] = [Scratch::new(), Scratch::new()];
    fs::create_dir_all(&*old).unwrap();
    for name in ["KQvK.table", Manifest::FILE] {
        fs::copy(golden.join(name), old.join(name)).unwrap();
    }
    let queen = material("KQvK");
    let tables = Tables::open(Chess, &*old).unwrap();
    assert_eq!(tables.table(&queen).unwrap().version(), 1);
    tables.check(&queen).unwrap();
    tables.verify(&queen).unwrap();
    let error = Builder::new(&Chess, &*old).build(&[queen]).unwrap_err().to_string();
    assert!(error.contains("compression zstd-9"), "{error}");
    assert!(error.contains("--repack"), "{error}");
    Builder::new(&Chess, &*old).repack(&[queen]).unwrap();
    Builder::new(&Chess, &*new).build(&[queen]).unwrap();
    assert_same(&old, &new);
    assert_eq!(Table::open(old.join("KQvK.table")).unwrap().version(), 2);
}

/// The first tables of version 2 kept one side, with all its values.
#[test]
fn a_folder_with_all_values_of_one_side_is_written_anew() {
    let [old, new] = [Scratch::new(), Scratch::new()];
    let target = [material("KPvK")];
    for folder in [&old, &new] {
        Builder::new(&Chess, &**folder).build(&target).unwrap();
    }
    let names: Vec<String> = Manifest::read(&old).unwrap().unwrap().regions.into_keys().collect();
    for name in &names {
        // Opened anew each time, so this reads folders of both kinds of tables.
        let tables = Tables::open(Chess, &*old).unwrap();
        let table = tables.table(&material(name)).unwrap();
        let header = table.header();
        let levels: Histogram = table.levels().unwrap().into_iter().collect();
        Writer::new(header.about.clone())
            .grids(header.rows())
            .half(header.half().unwrap())
            .invalid_states(InvalidStates::Forgotten)
            .histogram(&levels)
            .write(table.path(), &*table)
            .unwrap();
        note(&old, name);
        let tables = Tables::open(Chess, &*old).unwrap();
        assert_eq!(tables.table(&material(name)).unwrap().header().exits, Exits::Kept);
        tables.verify(&material(name)).unwrap();
    }
    Builder::new(&Chess, &*old).repack(&target).unwrap();
    assert_same(&old, &new);
}

/// The program ended after it wrote a table and before it recorded the table.
#[test]
fn what_was_stopped_goes_on_and_what_is_damaged_is_not_taken() {
    let [there, here] = [Scratch::new(), Scratch::new()];
    let queen = [material("KQvK")];
    Builder::new(&Chess, &*there).both_sides(true).build(&queen).unwrap();
    Builder::new(&Chess, &*here).build(&queen).unwrap();
    let file = there.join("KQvK.table");
    let both = fs::read(&file).unwrap();
    fs::copy(here.join("KQvK.table"), &file).unwrap();
    Builder::new(&Chess, &*there).repack(&queen).unwrap();
    assert_same(&there, &here);
    // A table that is not in the manifest is not used as a source.
    fs::write(&file, both).unwrap();
    let error = Builder::new(&Chess, &*there).repack(&queen).unwrap_err().to_string();
    assert!(error.contains("KQvK"), "{error}");
}
