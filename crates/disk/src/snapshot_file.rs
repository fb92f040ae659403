//! A snapshot of a solve in a file. The file says whose it is, so no other solve resumes from it.

use std::io::Read;
use std::path::{Path, PathBuf};

use retrograde::Snapshot;
use retrograde_files::{
    Durable, FileError, Identity, read_checkpoint, remove_file, write_checkpoint,
};
use serde_json::{Value as Json, json};

const MAGIC: &[u8; 16] = b"retrograde solve";
const VERSION: u32 = 3;
/// The member of the identity with the level of the snapshot.
const LEVEL: &str = "level";

/// The file of a solve.
#[derive(Clone, Debug)]
pub struct SnapshotFile {
    path: PathBuf,
    about: Json,
}

impl SnapshotFile {
    /// The file at a path. `about` is an object: what may differ in another solve. The names of its members appear in errors.
    pub fn new(path: impl Into<PathBuf>, about: Json) -> SnapshotFile {
        SnapshotFile { path: path.into(), about }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the snapshot in the file, and tells it what has become of it.
    pub fn write(&self, snapshot: &Snapshot<'_>) -> Result<Durable, FileError> {
        let mut about = self.about.clone();
        about[LEVEL] = json!(snapshot.level());
        let written = write_checkpoint(&self.path, identity(&about), |to| snapshot.write(to));
        match &written {
            Ok(Durable::Yes) => snapshot.published(),
            Ok(Durable::Unsure(_)) => {}
            Err(_) => snapshot.discarded(),
        }
        written
    }

    /// The snapshot and its level, if there is one.
    pub fn read(&self) -> Result<Option<(impl Read + Send + use<>, u32)>, FileError> {
        let found = read_checkpoint(&self.path, identity(&self.about))?;
        Ok(found.map(|(about, snapshot)| (snapshot, about[LEVEL].as_u64().unwrap_or(0) as u32)))
    }

    /// Removes the file, if there is one.
    pub fn remove(&self) -> Result<(), FileError> {
        remove_file(&self.path)
    }
}

fn identity(about: &Json) -> Identity<'_> {
    Identity { magic: MAGIC, version: VERSION, about }
}
