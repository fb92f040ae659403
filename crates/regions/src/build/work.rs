//! The files of a region whose distances are in a log. The log lies in a folder with a snapshot beside it. If a build stops, the
//! next one continues the region from there.
//!
//! Two builders may solve one region, so each locks a folder of its own. A builder that continues takes the first folder
//! that no other has locked.

use std::io::Read;
use std::path::{Path, PathBuf};

use retrograde::Snapshot;
use retrograde_disk::{LogFile, SnapshotFile};
use retrograde_files::{
    FileError, FolderLock, create_folders, list, remove_file, remove_folder, sweep_temp_files,
};
use serde_json::Value as Json;

use crate::build::build_error::BuildError;

const LOG: &str = "log";
const SNAPSHOT: &str = "snapshot";
/// The names of folders have this after the name of the region, and perhaps a number.
const ENDING: &str = ".work";

/// The files of a region, for one builder.
pub(crate) struct Work {
    folder: PathBuf,
    snapshot: SnapshotFile,
    lock: FolderLock,
}

impl Work {
    /// Takes the files of a region in a folder, or makes them.
    pub(crate) fn open(within: &Path, region: &str, about: Json) -> Result<Work, BuildError> {
        let mut number = 0;
        loop {
            let name = match number {
                0 => format!("{region}{ENDING}"),
                number => format!("{region}{ENDING}.{number}"),
            };
            let folder = within.join(name);
            create_folders(&folder)?;
            match FolderLock::acquire(&folder) {
                Ok(lock) => {
                    let snapshot = SnapshotFile::new(folder.join(SNAPSHOT), about);
                    return Ok(Work { folder, snapshot, lock });
                }
                Err(FileError::Held { .. }) => number += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The log. Blocks of an earlier build are still there.
    pub(crate) fn log(&self) -> Result<LogFile, BuildError> {
        let path = self.folder.join(LOG);
        LogFile::open(&path).map_err(|error| FileError::new(&path, "open", error).into())
    }

    /// The snapshot of an earlier build, if there is one. That of another solve counts as none.
    pub(crate) fn snapshot(&self) -> Option<Box<dyn Read + Send>> {
        let found = self.snapshot.read().ok().flatten();
        found.map(|(snapshot, _)| -> Box<dyn Read + Send> { Box::new(snapshot) })
    }

    /// Replaces the snapshot. If that fails, the solve goes on: hours of work are worth more.
    pub(crate) fn keep(&self, snapshot: &Snapshot<'_>) {
        let _ = self.snapshot.write(snapshot);
    }

    /// Removes the snapshot. The next solve begins at the first level.
    pub(crate) fn forget(&self) -> Result<(), BuildError> {
        Ok(self.snapshot.remove()?)
    }

    /// Removes all files, because the table is finished.
    pub(crate) fn remove(self) {
        let Work { folder, snapshot, lock } = self;
        sweep_temp_files(&folder);
        // The snapshot first: it names blocks of the log.
        if snapshot.remove().is_ok() && remove_file(&folder.join(LOG)).is_ok() {
            drop(lock);
            remove_folder(&folder);
        }
    }

    /// Removes the files that stopped builds have left of finished regions.
    pub(crate) fn sweep(within: &Path, is_finished: impl Fn(&str) -> bool) {
        for name in list(within).unwrap_or_default() {
            let folder = within.join(&name);
            if region_of(&name.to_string_lossy()).is_some_and(&is_finished)
                && let Ok(lock) = FolderLock::acquire(&folder)
            {
                let snapshot = SnapshotFile::new(folder.join(SNAPSHOT), Json::Null);
                Work { folder, snapshot, lock }.remove();
            }
        }
    }
}

/// The region of a folder, if it is one of ours.
fn region_of(name: &str) -> Option<&str> {
    let numbered = name.rsplit_once('.').filter(|(_, number)| number.parse::<u32>().is_ok());
    numbered.map_or(name, |(rest, _)| rest).strip_suffix(ENDING)
}
