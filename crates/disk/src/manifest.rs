//! A checkpoint: the state between two levels, besides the parts. It is written at once when all files that it names are on
//! the disk. So a kill at any moment leaves one complete manifest, and all files that it names.

use std::path::{Path, PathBuf};

use retrograde_files::{Durable, list, read_json, remove_file, write_json};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::error::DiskError;
use crate::inboxes::Extent;
use crate::on_disk::{Files, OnDisk, is_ours};

const FORMAT: u32 = 4;
const WHAT: &str = "the manifest";

/// The state of a solve between two levels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    /// The identity of the solve, from the caller.
    pub(crate) identity: String,
    pub(crate) states: u64,
    pub(crate) part_states: u64,
    /// The parameters of the cells' layout.
    pub(crate) layout: u64,
    pub(crate) distances: bool,
    /// The seed of all checksums.
    pub(crate) seed: u64,
    /// The level that all parts have ended. They have swept the next one. `None` before the first checkpoint.
    pub(crate) level: Option<u32>,
    /// How many passes there have been: levels at which some part had something to do.
    pub(crate) passes: u32,
    /// Whether the solve is complete.
    pub(crate) over: bool,
    pub(crate) parts: Vec<OnDisk>,
    /// Updates for the next level, by part.
    pub(crate) updates: Vec<(u32, Extent)>,
    /// Level, wins and losses, for all levels with settled states.
    pub(crate) tallies: Vec<(u32, u64, u64)>,
    /// How many bytes have been read and written.
    pub(crate) read: u64,
    pub(crate) written: u64,
}

impl Manifest {
    /// The state before the first pass.
    pub(crate) fn new(
        identity: &str,
        (states, part_states): (u64, u64),
        layout: u64,
        distances: bool,
        seed: u64,
    ) -> Manifest {
        let parts = states.div_ceil(part_states) as usize;
        Manifest {
            format: FORMAT,
            identity: identity.to_owned(),
            states,
            part_states,
            layout,
            distances,
            seed,
            level: None,
            passes: 0,
            over: false,
            parts: vec![OnDisk::default(); parts],
            updates: Vec::new(),
            tallies: Vec::new(),
            read: 0,
            written: 0,
        }
    }

    /// The path of the file.
    pub(crate) fn path(folder: &Path) -> PathBuf {
        folder.join("manifest")
    }

    /// The manifest of a folder, if there is one.
    pub(crate) fn read(folder: &Path) -> Result<Option<Manifest>, DiskError> {
        let path = Manifest::path(folder);
        let found = read_json::<Json>(&path).map_err(|error| DiskError::file(error, WHAT))?;
        let Some(found) = found else { return Ok(None) };
        // Another version has other members.
        if found["format"] != FORMAT {
            let (folder, problem) = (folder.to_owned(), "version of the program".to_owned());
            return Err(DiskError::Other { folder, problem });
        }
        let manifest = serde_json::from_value(found);
        manifest.map(Some).map_err(|error| DiskError::damaged(&path, WHAT, error.to_string()))
    }

    /// Replaces the manifest of the folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<Durable, DiskError> {
        write_json(&Manifest::path(folder), self).map_err(|error| DiskError::file(error, WHAT))
    }

    /// The level that names its file of updates, and the latest of the levels that name its parts.
    pub(crate) fn swept(&self) -> u32 {
        self.level.map_or(0, |level| level + 1)
    }

    /// Removes the files of parts and updates that it does not name.
    pub(crate) fn sweep(&self, files: &Files) {
        let parts = self.parts.iter().enumerate();
        let mut named: Vec<PathBuf> =
            parts.map(|(part, on_disk)| files.part(part, on_disk.swept)).collect();
        named.push(files.updates(self.swept()));
        named.sort_unstable();
        for name in list(&files.folder).unwrap_or_default() {
            let path = files.folder.join(name);
            if is_ours(&path) && named.binary_search(&path).is_err() {
                // A file that cannot be removed does no harm.
                let _ = remove_file(&path);
            }
        }
    }
}
