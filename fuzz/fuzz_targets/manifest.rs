//! The manifest of a folder from any text. The reader refuses it with an error, or the folder answers without
//! any table in it.
#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use retrograde_chess::{Material, Position, Tablebase};
use retrograde_regions::Manifest;

fuzz_target!(|text: &[u8]| {
    let folder = std::env::temp_dir().join(format!("retrograde-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join(Manifest::FILE), text).expect("there is room");
    let target: Material = "KQvK".parse().expect("a material");
    let position: Position = "8/8/8/8/8/2k5/8/KQ6 w - -".parse().expect("a position");
    if let Ok(tables) = Tablebase::open(&folder) {
        let _ = tables.regions();
        assert!(tables.value(&position).is_err(), "there is no table to know it from");
        assert!(tables.verify(&target).is_err() && tables.check(&target).is_err());
    }
    let _ = Tablebase::is_at(&folder);
    if let Ok(plan) = retrograde_chess::builder(&folder).plan(&[target]) {
        assert!(plan.regions.iter().all(|planned| planned.table_bytes.is_none()));
    }
    if let Ok(Some(manifest)) = Manifest::read(&folder) {
        manifest.write(&folder).expect("there is room");
        let again = Manifest::read(&folder).expect("it was just written").expect("it is there");
        assert_eq!((again.family, again.regions), (manifest.family, manifest.regions));
    }
    fs::remove_dir_all(&folder).expect("it is ours");
});
