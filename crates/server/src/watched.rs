//! The folder as it is now. The server sees new tables, changed ones and removed ones without a restart.
//!
//! A table appears in a folder by a rename, and each rename changes the time of the folder. So one look at that time tells
//! whether to read the folder again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use crate::folder::{Folder, FolderError};

/// How often the server looks at the time of the folder, if there are requests.
const INTERVAL: Duration = Duration::from_secs(1);
/// The clock of a file system may stand still for some milliseconds. So a folder that has just changed may change again
/// without a new time.
const JUST_NOW: Duration = Duration::from_millis(100);

/// A folder of tables that may change.
pub(crate) struct Watched {
    path: PathBuf,
    cache_bytes: u64,
    folder: RwLock<Arc<Folder>>,
    looked: Mutex<Look>,
}

/// The last look at the folder.
struct Look {
    at: Instant,
    /// When the folder was changed before it was read. `None` if it must be read again.
    changed: Option<SystemTime>,
}

impl Watched {
    /// Reads a folder. All its tables together keep at most `cache_bytes` bytes of blocks in memory.
    pub(crate) fn open(path: &Path, cache_bytes: u64) -> Result<Watched, FolderError> {
        let look = Look { at: Instant::now(), changed: changed(path) };
        let folder = RwLock::new(Arc::new(Folder::open(path, cache_bytes)?));
        Ok(Watched { path: path.to_owned(), cache_bytes, folder, looked: Mutex::new(look) })
    }

    /// The folder as it was read last.
    pub(crate) fn last(&self) -> Arc<Folder> {
        Arc::clone(&self.folder.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The folder as it is now, or was within the last second. Requests that still use the folder of before keep it.
    pub(crate) fn now(&self) -> Arc<Folder> {
        // If another request looks, this one does not wait.
        if let Ok(mut look) = self.looked.try_lock()
            && look.at.elapsed() >= INTERVAL
        {
            look.at = Instant::now();
            let changed = changed(&self.path);
            if changed.is_none() || changed != look.changed {
                look.changed = changed;
                self.read();
            }
        }
        self.last()
    }

    fn read(&self) {
        let before = self.last();
        match Folder::open(&self.path, self.cache_bytes) {
            Ok(folder) => {
                for problem in folder.left_out() {
                    if !before.left_out().contains(problem) {
                        tracing::warn!("{problem}");
                    }
                }
                *self.folder.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(folder);
            }
            Err(error) => tracing::warn!("{error}; the server goes on with the tables of before"),
        }
    }
}

/// When a folder was changed, unless that was just now.
fn changed(path: &Path) -> Option<SystemTime> {
    let changed = fs::metadata(path).and_then(|found| found.modified()).ok()?;
    let age = SystemTime::now().duration_since(changed).unwrap_or_default();
    (age > JUST_NOW).then_some(changed)
}
