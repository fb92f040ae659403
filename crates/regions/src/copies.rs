//! Complete copies of tables, while a build needs them.
//!
//! A table leaves out values that a reader can recover. To recover all of them takes longer than to solve the
//! region. So as long as other regions of the build need a table, the build also keeps a copy with all values. It
//! removes the copy after the last of these regions. If it stops, the copies stay, and the next build uses them.
//! Without a copy, the build recovers the values.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use retrograde::Probe;
use retrograde_table::{About, Compression, Folder, InvalidStates, Options, Table, Writer};
use serde_json::json;

use crate::manifest::Entry;
use crate::plan::Plan;

/// The copies of a build.
pub(crate) struct Copies {
    folder: PathBuf,
    /// For each region of the plan, how many unfinished regions need it.
    needed_by: Vec<AtomicUsize>,
}

/// The header of a copy has the checksum of its table under this name.
const COPY_OF: &str = "copy_of";

impl Copies {
    /// The name of the folder.
    const FOLDER: &str = "copies";

    /// The copies for the unfinished regions of a plan, in a folder within another. Removes all other files that
    /// earlier builds have left there.
    pub(crate) fn new<R: ToString>(plan: &Plan<R>, within: PathBuf) -> Copies {
        let needed_by: Vec<_> = plan.regions.iter().map(|_| AtomicUsize::new(0)).collect();
        for planned in plan.regions.iter().filter(|planned| planned.table_bytes.is_none()) {
            for &need in &planned.needs {
                needed_by[need].fetch_add(1, Relaxed);
            }
        }
        let copies = Copies { folder: within.join(Copies::FOLDER), needed_by };
        let needed = (0..plan.regions.len()).filter(|&place| copies.is_needed(place));
        let needed: HashSet<_> =
            needed.map(|place| copies.file(&plan.regions[place].region.to_string())).collect();
        for entry in fs::read_dir(&copies.folder).into_iter().flatten().flatten() {
            if !needed.contains(&entry.path()) {
                let _ = fs::remove_file(entry.path());
            }
        }
        copies.remove_folder();
        copies
    }

    /// Whether an unfinished region needs this one.
    pub(crate) fn is_needed(&self, place: usize) -> bool {
        self.needed_by[place].load(Relaxed) > 0
    }

    /// The copy of a table with this entry in the manifest, if there is one.
    pub(crate) fn open(&self, name: &str, entry: &Entry, options: Options) -> Option<Arc<Table>> {
        let copy = options.open(self.file(name)).ok()?;
        let copy_of = copy.header().about.parameters[COPY_OF].as_str();
        (copy_of == Some(&entry.checksum)).then(|| Arc::new(copy))
    }

    /// Writes the copy of a table. `stopped` says whether to stop early.
    ///
    /// The build can do without a copy. So if it cannot be written, for example because the disk is full, there is
    /// none.
    pub(crate) fn write<P: Probe>(
        &self,
        name: &str,
        entry: &Entry,
        values: &P,
        stopped: impl Fn() -> bool + Sync,
    ) {
        let about = About {
            game: "copy".into(),
            parameters: json!({ COPY_OF: entry.checksum }),
            ..About::default()
        };
        let writer = Writer::new(about)
            .compression(Compression::Fast)
            .invalid_states(InvalidStates::Forgotten)
            .progress(|_, _| match stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
        if fs::create_dir_all(&self.folder).is_ok() {
            let _ = writer.write(&self.file(name), values);
        }
    }

    /// Says that a region which needed some others is finished. Removes the copies that no other region needs.
    pub(crate) fn finished<R: ToString>(&self, plan: &Plan<R>, place: usize) {
        for &need in &plan.regions[place].needs {
            self.needed_by[need].fetch_sub(1, Relaxed);
            if !self.is_needed(need) {
                self.remove(&plan.regions[need].region.to_string());
            }
        }
    }

    /// Removes the copy of a table, if there is one.
    pub(crate) fn remove(&self, name: &str) {
        if fs::remove_file(self.file(name)).is_ok() {
            self.remove_folder();
        }
    }

    /// Removes the folder, unless it has files.
    fn remove_folder(&self) {
        let _: io::Result<()> = fs::remove_dir(&self.folder);
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{}", Folder::EXTENSION))
    }
}
