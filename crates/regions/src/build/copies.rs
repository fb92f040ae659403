//! Complete copies of tables, while a build needs them.
//!
//! A table leaves out values that a reader can recover. To recover all of them takes longer than to solve the
//! region. So as long as other regions of the build need a table, the build also keeps a copy with all values. It
//! removes the copy after the last of these regions. If it stops, the copies stay, and the next build uses them.
//! Without a copy, the build recovers the values.
//!
//! Builders of the same regions agree which copies are needed. While a builder of other regions works in the folder, all
//! copies stay.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use retrograde::Probe;
use retrograde_files::{
    Leases, create_folders, exists, list, remove_file, remove_folder, sweep_temp_files,
};
use retrograde_table::{About, Compression, Folder, InvalidStates, Options, Table, Writer};
use serde_json::json;

use crate::build::plan::Plan;
use crate::manifest::Entry;

/// The copies of a build.
pub(crate) struct Copies {
    folder: PathBuf,
    /// For each region of the plan, how many unfinished regions need it.
    needed_by: Vec<AtomicUsize>,
    evicted: AtomicUsize,
}

/// The header of a copy has the checksum of its table under this name.
const COPY_OF: &str = "copy_of";
/// It has this in place of a game.
const COPY: &str = "copy";

impl Copies {
    /// The name of the folder.
    const FOLDER: &str = "copies";

    /// The copies for the unfinished regions of a plan, in a folder within another.
    pub(crate) fn new(plan: &Plan, within: PathBuf) -> Copies {
        let needed_by: Vec<_> = plan.regions.iter().map(|_| AtomicUsize::new(0)).collect();
        let copies =
            Copies { folder: within.join(Copies::FOLDER), needed_by, evicted: AtomicUsize::new(0) };
        for (place, planned) in plan.regions.iter().enumerate() {
            if planned.table_bytes.is_none() {
                copies.reopened(plan, place);
            }
        }
        copies
    }

    /// Says that a region is unfinished.
    pub(crate) fn reopened(&self, plan: &Plan, place: usize) {
        for &need in &plan.regions[place].needs {
            self.needed_by[need].fetch_add(1, Relaxed);
        }
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
            game: COPY.into(),
            parameters: json!({ COPY_OF: entry.checksum }),
            ..About::default()
        };
        let writer = Writer::new(about)
            .compression(Compression::Fast)
            .invalid_states(InvalidStates::Forgotten)
            .progress(|_| match stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
        if exists(&self.folder) || create_folders(&self.folder).is_ok() {
            let _ = writer.write(self.file(name), values);
        }
    }

    /// Says that a region which needed some others is finished. Removes the copies that no other region needs.
    pub(crate) fn finished(&self, plan: &Plan, place: usize, leases: &Leases) {
        let needs = plan.regions[place].needs.iter();
        let last = |need: &&usize| self.needed_by[**need].fetch_sub(1, Relaxed) == 1;
        let unneeded: Vec<&usize> = needs.filter(last).collect();
        if !unneeded.is_empty() && !leases.others_differ().unwrap_or(true) {
            unneeded.iter().for_each(|&&need| self.remove(&plan.regions[need].region));
        }
    }

    /// At the end of a build: removes the copies that no builder needs, also those that stayed for others.
    pub(crate) fn sweep(&self, leases: &Leases) {
        let needed = self.needed_by.iter().any(|needed| needed.load(Relaxed) > 0);
        if !needed && leases.are_alone().unwrap_or(false) {
            self.evict();
        }
    }

    /// Removes all copies. The build can do without.
    pub(crate) fn evict(&self) {
        sweep_temp_files(&self.folder);
        let files = list(&self.folder).unwrap_or_default().into_iter();
        let copies = files.map(|name| self.folder.join(name)).filter(|path| is_copy(path));
        let removed = copies.filter(|path| remove_file(path).is_ok()).count();
        self.evicted.fetch_add(removed, Relaxed);
        remove_folder(&self.folder);
    }

    /// How many copies [`evict`](Copies::evict) has removed.
    pub(crate) fn evicted(&self) -> usize {
        self.evicted.load(Relaxed)
    }

    /// Removes the copy of a table, if there is one.
    pub(crate) fn remove(&self, name: &str) {
        let file = self.file(name);
        if exists(&file) && remove_file(&file).is_ok() {
            remove_folder(&self.folder);
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{}", Folder::EXTENSION))
    }
}

/// Whether a file is a copy of a table. Other files are not ours to remove.
fn is_copy(path: &Path) -> bool {
    Table::open(path).is_ok_and(|table| table.header().about.game == COPY)
}
