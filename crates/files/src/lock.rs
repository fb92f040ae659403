//! Folders that one process at a time may write into.
//!
//! The system holds the lock, on a file in the folder. So the lock ends with its process, even if the process
//! is killed. The file names the process. The process removes it when the work is done.

use std::fs::{self, TryLockError};
use std::io::{self, Read};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::FileError;
use crate::file::File;
use crate::folder::{found, remove_file};
use crate::system::Found;
use crate::unfinished::Unfinished;

/// A folder that this process may write into. On drop, the lock ends.
///
/// ```
/// use retrograde_files::{FileError, FolderLock};
///
/// # let folder = std::env::temp_dir().join(format!("retrograde-lock-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let ours = FolderLock::acquire(&folder)?;
/// assert!(matches!(FolderLock::acquire(&folder), Err(FileError::Held { .. })));
/// drop(ours);
/// assert!(FolderLock::acquire(&folder).is_ok());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FolderLock {
    /// Locked while it is open, and removed before it is closed.
    _held: (Option<Unfinished>, File),
}

impl FolderLock {
    /// The name of the file within its folder.
    pub const FILE: &str = ".lock";

    /// Locks a folder that exists. The error says which process holds it, or why there is no lock: a folder without a lock
    /// is not one's own.
    pub fn acquire(folder: &Path) -> Result<FolderLock, FileError> {
        let path = folder.join(FolderLock::FILE);
        let failed = |source| FileError::new(&path, "lock", source);
        loop {
            if found(&path).is_some_and(|found| found != Found::File) {
                return Err(failed(io::Error::other("the path exists and is not a file")));
            }
            let opened = File::open_or_create(&path).or_else(|error| match error.kind() {
                // The file of another user can be locked, too.
                io::ErrorKind::PermissionDenied => File::open(&path).map_err(|_| error),
                _ => Err(error),
            });
            let file = opened.map_err(failed)?;
            match file.file.try_lock() {
                Ok(()) if file.file.is_at(&path).map_err(failed)? => {
                    // The text is only for messages of other processes.
                    let text = format!("{}\n", holder());
                    let _ =
                        file.file.set_len(0).and_then(|()| file.write_all_at(text.as_bytes(), 0));
                    // Elsewhere a process does not know whose file it removes.
                    let removed = cfg!(unix).then(|| Unfinished::file(path));
                    return Ok(FolderLock { _held: (removed, file) });
                }
                // The previous holder has just removed it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let holder = read_holder(&file);
                    return Err(FileError::Held { folder: folder.into(), holder });
                }
                Err(TryLockError::Error(error)) => {
                    // Without locks, no other process removes it.
                    if file.is_empty().unwrap_or(false) {
                        let _ = remove_file(&path);
                    }
                    return Err(failed(error));
                }
            }
        }
    }
}

/// A description of this process: `process 7 on lynx since 2026-11-21 18:04:05 UTC`.
fn holder() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    format!("process {} on {} since {}", std::process::id(), host(), utc(now))
}

pub(crate) fn host() -> String {
    let named = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok());
    let named = named.or_else(|| std::env::var("COMPUTERNAME").ok());
    named.map_or("a machine without a name".into(), |name| name.trim().to_owned())
}

/// The text of a lock file, as far as it is printable.
fn read_holder(file: &File) -> String {
    const BYTES_MAX: u64 = 200;
    let mut bytes = Vec::new();
    let _ = file.cursor(0).take(BYTES_MAX).read_to_end(&mut bytes);
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
