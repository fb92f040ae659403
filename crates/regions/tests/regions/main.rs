//! Families that are built, stopped, damaged and probed: chess and tapatan.

mod build;
mod builders;
mod copies;
mod damage;
mod elsewhere;
mod forged;
mod identity;
mod kill;
mod power;
mod repack;
mod resume;
#[path = "../../examples/tapatan/main.rs"]
#[allow(dead_code)]
mod tapatan;
#[path = "../../examples/tic_tac_chec.rs"]
#[allow(dead_code)]
mod tic_tac_chec;
mod whole;

use std::collections::BTreeMap;
use std::fs;
use std::ops::{ControlFlow, Deref};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use retrograde_regions::{BuildError, Builder, Event, SolvableRegions};

/// A folder that is removed at the end of a test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Scratch(retrograde_testkit::in_memory(&format!("regions-{number}")))
    }
}

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every file of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

/// Builds a region and the regions that it needs. Returns the finished regions in order.
fn build(
    family: &dyn SolvableRegions,
    folder: &Path,
    target: &str,
) -> Result<Vec<String>, BuildError> {
    let mut finished = Vec::new();
    Builder::new(family, folder)
        .threads(2)
        .progress(|event| {
            if let Event::Finished(region, ..) = event {
                finished.push(region.to_owned());
            }
            ControlFlow::Continue(())
        })
        .build(&[target])?;
    Ok(finished)
}
