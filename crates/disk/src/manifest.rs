//! The state after a pass, besides the parts. It is written at once when all files of the pass are on the
//! disk. So a kill at any moment leaves one complete manifest, and all files that it names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use retrograde_files::{FileError, TempFile};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::DiskError;
use crate::inboxes::{Extent, spill_file};
use crate::on_disk::{Files, OnDisk, is_ours};

const FORMAT: u32 = 2;
const WHAT: &str = "the manifest";

/// The state of a solve between two passes.
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
    /// How many passes there have been.
    pub(crate) pass: u32,
    /// The level that all parts have swept.
    pub(crate) completed: u32,
    /// Whether the solve is complete.
    pub(crate) over: bool,
    pub(crate) parts: Vec<OnDisk>,
    /// Updates for the completed level, by part.
    pub(crate) updates: Vec<(u32, Extent)>,
    /// For each part its neighbours.
    pub(crate) links: Vec<Vec<u32>>,
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
            pass: 0,
            completed: 0,
            over: parts == 0,
            parts: vec![OnDisk::default(); parts],
            updates: Vec::new(),
            links: vec![Vec::new(); parts],
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
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(DiskError::io(&path, WHAT, "read", source)),
        };
        let damaged = |problem: &str| DiskError::damaged(&path, WHAT, problem);
        let split = text.len().checked_sub(SUM_LEN).ok_or_else(|| damaged("it is too short"))?;
        let (json, sum) = text.split_at(split);
        if sum != sum_of(json).as_bytes() {
            return Err(damaged("its checksum is wrong"));
        }
        match serde_json::from_slice::<Manifest>(json) {
            Ok(manifest) if manifest.format == FORMAT => Ok(Some(manifest)),
            _ => Err(damaged("it is of another version of the program")),
        }
    }

    /// Replaces the manifest of the folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), DiskError> {
        let path = Manifest::path(folder);
        let failed = |error: FileError| match error {
            FileError::Full { .. } => DiskError::Full { path: path.clone(), what: WHAT.to_owned() },
            FileError::Io { source, doing, .. } => DiskError::io(&path, WHAT, doing, source),
            other => DiskError::io(&path, WHAT, "write", io::Error::other(other)),
        };
        let json = serde_json::to_string(self)
            .map_err(|error| DiskError::io(&path, WHAT, "write", error.into()))?;
        let mut temp_file = TempFile::create(&path).map_err(failed)?;
        temp_file
            .write(json.as_bytes())
            .and_then(|()| temp_file.write(sum_of(json.as_bytes()).as_bytes()))
            .map_err(failed)?;
        temp_file.publish().map_err(failed)?;
        Ok(())
    }

    /// Removes the files of parts and updates that it does not name.
    pub(crate) fn sweep(&self, files: &Files) {
        let mut named: Vec<PathBuf> = Vec::new();
        if self.pass > 0 {
            named.extend(
                self.parts.iter().enumerate().map(|(part, on_disk)| files.path(part, on_disk.pass)),
            );
            named.push(spill_file(&files.folder, self.pass));
        }
        named.sort_unstable();
        for entry in fs::read_dir(&files.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if is_ours(&path) && named.binary_search(&path).is_err() {
                // A file that cannot be removed does no harm.
                let _ = fs::remove_file(path);
            }
        }
    }
}

const SUM_LEN: usize = 18;

fn sum_of(json: &[u8]) -> String {
    format!("\n{:016x}\n", xxh3_64(json))
}
