//! Where tests have files that only their process reads.

use std::path::{Path, PathBuf};

/// A folder for the files of a test: in memory, where Linux has one there. Each sync of a disk that others write to takes
/// tens of milliseconds, and a solve on disk makes hundreds. What a sync promises, a [`Drive`](crate::Drive) tests.
///
/// The name has the number of this process. The test removes the folder.
pub fn in_memory(name: &str) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let above = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = above.join(format!("retrograde-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
