//! Several builds in one folder: they exclude each other, and none loses a finished table of another.

use std::fs;
use std::ops::ControlFlow;

use chess_for_tests::Chess;
use retrograde_files::{FileError, FolderLock};
use retrograde_regions::{BuildError, Builder, Event, Manifest};
use retrograde_table::WriteError;

use crate::{Scratch, build, files};

#[test]
fn a_second_build_into_a_folder_is_refused_and_the_first_loses_nothing() {
    let (folder, whole) = (Scratch::new(), Scratch::new());
    build(&Chess, &whole, "KPvK").unwrap();
    let mut refused = 0;
    Builder::new(&Chess, &*folder)
        .progress(|event| {
            if let Event::Begun(_) = event {
                let error = build(&Chess, &folder, "KQvK").unwrap_err();
                assert!(
                    matches!(error, BuildError::Write(WriteError::File(FileError::Held { .. }))),
                    "{error}"
                );
                refused += 1;
            }
            ControlFlow::Continue(())
        })
        .build(&["KPvK".parse().unwrap()])
        .unwrap();
    assert!(refused > 2);
    assert_eq!(files(&folder), files(&whole), "nothing is lost, and no lock is left");
}

/// On file systems without locks two builds may run at once. Each must keep what the other has recorded.
#[test]
fn tables_that_another_build_has_noted_meanwhile_stay_in_the_manifest() {
    let folder = Scratch::new();
    let mut theirs = None;
    Builder::new(&Chess, &*folder)
        .threads(1)
        .progress(|event| {
            if let (Event::Finished(_, entry, _), None) = (event, &theirs) {
                let mut manifest = Manifest::read(&folder).unwrap().unwrap();
                manifest.regions.insert("KBNvK".into(), entry.clone());
                manifest.write(&folder).unwrap();
                theirs = Some(entry.clone());
            }
            ControlFlow::Continue(())
        })
        .build(&["KPvK".parse().unwrap()])
        .unwrap();
    let manifest = Manifest::read(&folder).unwrap().unwrap();
    assert_eq!(manifest.regions.get("KBNvK"), theirs.as_ref());
    assert!(theirs.is_some() && manifest.regions.contains_key("KPvK"));
}

#[test]
fn a_lock_left_by_a_killed_build_blocks_no_other() {
    let folder = Scratch::new();
    fs::create_dir_all(&*folder).unwrap();
    fs::write(folder.join(FolderLock::FILE), "process 1 on nowhere since yesterday\n").unwrap();
    build(&Chess, &folder, "KQvK").unwrap();
    assert!(!folder.join(FolderLock::FILE).exists());
}
