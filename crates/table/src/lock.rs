//! Folders that one process at a time may write into.
//!
//! The system holds the lock, on a file in the folder. So the lock ends with its process, even if the process
//! is killed. The file names the process. The process removes it when the work is done.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::WriteError;
use crate::unfinished::Unfinished;

/// A folder that this process may write into. On drop, the lock ends.
///
/// ```
/// use retrograde_table::{FolderLock, WriteError};
///
/// # let folder = std::env::temp_dir().join(format!("retrograde-lock-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let ours = FolderLock::acquire(&folder)?;
/// assert!(matches!(FolderLock::acquire(&folder), Err(WriteError::Held { .. })));
/// drop(ours);
/// assert!(FolderLock::acquire(&folder).is_ok());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FolderLock {
    /// Locked while it is open, and removed before it is closed. `None` if the file system has no locks.
    _held: Option<(Option<Unfinished>, File)>,
}

impl FolderLock {
    /// The name of the file within its folder.
    pub const FILE: &str = ".lock";

    /// Locks a folder that exists. The error says which process holds it. The lock does nothing if the file
    /// system has no locks, or if the folder is read-only.
    pub fn acquire(folder: &Path) -> Result<FolderLock, WriteError> {
        let path = folder.join(FolderLock::FILE);
        let failed = |source| WriteError::Io { path: path.clone(), doing: "lock", source };
        loop {
            if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
                return Err(failed(io::Error::other("the path exists and is not a file")));
            }
            let Some(mut file) = open(&path).map_err(failed)? else {
                return Ok(FolderLock { _held: None });
            };
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => {
                    // The text is only for messages of other processes.
                    let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", holder()));
                    // Remove it while it is locked. A process that opened it before finds it gone, and makes
                    // another.
                    let removed = cfg!(unix).then(|| Unfinished::file(path));
                    return Ok(FolderLock { _held: Some((removed, file)) });
                }
                // The previous holder has just removed it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let holder = read_holder(file);
                    return Err(WriteError::Held { folder: folder.into(), holder });
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(FolderLock { _held: None });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }
}

/// Opens the file to lock. `None` if the folder is read-only: then no process can write there.
fn open(path: &Path) -> io::Result<Option<File>> {
    use io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem};
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    match opened {
        Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
            // A file of another user can be locked too.
            match File::open(path) {
                Err(missing) if missing.kind() == NotFound => Ok(None),
                other => other.map(Some),
            }
        }
        other => other.map(Some),
    }
}

/// Whether a path leads to this very file. On other systems this is unknown, so the process does not remove
/// lock files.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(file), Ok(found)) = (file.metadata(), fs::symlink_metadata(path)) else { return false };
    (file.dev(), file.ino()) == (found.dev(), found.ino())
}

#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// A description of this process: `process 7 on lynx since 2026-11-21 18:04:05 UTC`.
fn holder() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    format!("process {} on {} since {}", std::process::id(), host(), utc(now))
}

fn host() -> String {
    let named = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok());
    let named = named.or_else(|| std::env::var("COMPUTERNAME").ok());
    named.map_or("a machine without a name".into(), |name| name.trim().to_owned())
}

/// The text of a lock file, as far as it is printable.
fn read_holder(file: File) -> String {
    const BYTES_MAX: u64 = 200;
    let mut bytes = Vec::new();
    let _ = file.take(BYTES_MAX).read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().next().unwrap_or_default().replace(char::is_control, "");
    if line.is_empty() { "another process".into() } else { line }
}

/// Formats seconds since 1970 as a date and time.
fn utc(seconds: u64) -> String {
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{:02} {hour:02}:{minute:02}:{second:02} UTC", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, time) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(seconds), time);
        }
    }
}
