//! Files that appear as a whole or not at all.
//!
//! A writer writes to a temporary file in the same folder. It renames the file once every byte is on the
//! disk. So a reader sees either the old file or the new one. A full disk, a kill or a power cut never leaves
//! half a file. The temporary file is locked while its writer lives. A killed writer leaves an unlocked file,
//! and the next writer of the same file removes it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::WriteError;
use crate::lock::is_at;
use crate::rename::{rename_beside, rename_new};
use crate::unfinished::Unfinished;

/// A file that does not have its final name yet. If you drop it before `publish`, the file is removed.
///
/// ```
/// use retrograde_table::TempFile;
///
/// # let folder = std::env::temp_dir().join(format!("retrograde-temporary-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("notes");
/// let mut file = TempFile::create(&path)?;
/// file.write(b"all of it")?;
/// assert!(!path.exists());
/// file.publish()?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TempFile {
    /// The temporary file; `None` after `publish`. It is removed before it is closed and unlocked.
    temp_file: Option<Unfinished>,
    /// Locked while it is open, if the file system has locks.
    file: File,
    /// The folder. It is open from the beginning, so that publishing cannot fail for lack of a file handle.
    folder: Option<File>,
    path: PathBuf,
    written: u64,
}

impl TempFile {
    /// Begins the file `path` in a folder that exists. If `path` is a link, the link stays, and the file
    /// appears at its target. The new file keeps the mode of an old one.
    pub fn create(path: &Path) -> Result<TempFile, WriteError> {
        let failed = |source| WriteError::Io { path: path.into(), doing: "create", source };
        let path = &resolve(path).map_err(failed)?;
        let there = fs::symlink_metadata(path).ok();
        if there.as_ref().is_some_and(|found| !found.is_file()) {
            // Replacing a folder or a device is surely a mistake.
            return Err(failed(io::Error::other("the path exists and is not a file")));
        }
        let name = path.file_name().ok_or_else(|| {
            failed(io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name"))
        })?;
        sweep(folder(path), &name.to_string_lossy());
        let made = Unfinished::make(|| create_new(path, &name.to_string_lossy()));
        let (temp_file, file) = made.map_err(failed)?;
        // A rename is only durable once the folder is synced. Only Unix needs this.
        let opened = cfg!(unix).then(|| File::open(folder(path))).transpose();
        let folder = opened.map_err(|source| WriteError::Io {
            path: path.into(),
            doing: "open the folder of",
            source,
        })?;
        let temp_file =
            TempFile { file, folder, path: path.into(), temp_file: Some(temp_file), written: 0 };
        if let Some(there) = there {
            temp_file.file.set_permissions(there.permissions()).map_err(failed)?;
        }
        Ok(temp_file)
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.write_of(bytes, bytes.len() as u64)
    }

    /// Appends bytes. `ahead` is how many bytes are still to come, including these. If the disk is full, the
    /// error says how many of them did not fit.
    pub(crate) fn write_of(&mut self, bytes: &[u8], ahead: u64) -> Result<(), WriteError> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.written += bytes.len() as u64;
                Ok(())
            }
            Err(source) if is_full(&source) => {
                // Some of them may have been written: look at the length of the file.
                let fitted = self.file.metadata().map_or(self.written, |found| found.len());
                let missing = (self.written + ahead).saturating_sub(fitted);
                Err(WriteError::Full { path: self.path.clone(), written: fitted, missing })
            }
            Err(source) => Err(self.failed("write", source)),
        }
    }

    /// Overwrites the first bytes of the file.
    pub(crate) fn rewrite_start(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        assert!(bytes.len() as u64 <= self.written);
        self.file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.write_all(bytes))
            .and_then(|()| self.file.seek(SeekFrom::End(0)))
            .map_err(|source| self.failed("write", source))?;
        Ok(())
    }

    /// How many bytes have been written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Makes sure that every byte is on the disk, then renames the file. This replaces any file of that name.
    pub fn publish(self) -> Result<(), WriteError> {
        self.publish_by(|temp_file, path| fs::rename(temp_file, path).map(|()| path.into()))
    }

    /// The same, but never replaces a file. If there is a file of this name, the new file gets the first free
    /// name of `path.1`, `path.2` and so on, and [`WriteError::Taken`] names it.
    ///
    /// ```
    /// use retrograde_table::{TempFile, WriteError};
    ///
    /// # let folder = std::env::temp_dir().join(format!("retrograde-taken-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let path = folder.join("notes");
    /// let mut file = TempFile::create(&path)?;
    /// file.write(b"ours")?;
    /// std::fs::write(&path, "theirs")?;
    /// let Err(WriteError::Taken { kept, .. }) = file.publish_new() else { panic!("it is taken") };
    /// assert_eq!(std::fs::read(&path)?, b"theirs");
    /// assert_eq!(std::fs::read(&kept)?, b"ours");
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn publish_new(self) -> Result<(), WriteError> {
        self.publish_by(|temp_file, path| match rename_new(temp_file, path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                rename_beside(temp_file, path)
            }
            done => done.map(|()| path.into()),
        })
    }

    /// Publishes the file with `rename`, which returns the name that the file got.
    fn publish_by(
        mut self,
        rename: impl FnOnce(&Path, &Path) -> io::Result<PathBuf>,
    ) -> Result<(), WriteError> {
        self.file.sync_all().map_err(|source| {
            if is_full(&source) {
                WriteError::Full { path: self.path.clone(), written: self.written, missing: 0 }
            } else {
                self.failed("write", source)
            }
        })?;
        let Some(temp_file) = self.temp_file.take() else { return Ok(()) };
        let renamed = temp_file.finish(|temp_file| {
            if !is_at(&self.file, temp_file) {
                let gone = format!("another process has removed {}", temp_file.display());
                return Err(io::Error::other(gone));
            }
            rename(temp_file, &self.path)
        });
        let kept = renamed.map_err(|source| self.failed("rename", source))?;
        let synced = self.folder.as_ref().map_or(Ok(()), File::sync_all);
        synced.map_err(|source| self.failed("sync the folder of", source))?;
        if kept != self.path {
            return Err(WriteError::Taken { path: self.path.clone(), kept });
        }
        Ok(())
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> WriteError {
        WriteError::Io { path: self.path.clone(), doing, source }
    }
}

/// Follows the links of a path to the end. The target need not exist.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    const LINKS_MAX: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..LINKS_MAX {
        // A path such as `/dev/stdout`: its target has a name, but is in use.
        if folder(&path).canonicalize().is_ok_and(|folder| folder.starts_with("/proc")) {
            return Err(io::Error::other(
                "this leads to an open stream of a process and is not a file",
            ));
        }
        match fs::read_link(&path) {
            Ok(to) => path = folder(&path).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("this link leads to itself"))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Whether the write failed for lack of space.
fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// Removes temporary files that killed writers of the same file have left. These have no lock. Ignores files
/// that it cannot remove, because they do no harm.
fn sweep(folder: &Path, name: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_temp_file(&entry.file_name().to_string_lossy(), name) && is_file() {
            let left = File::open(entry.path()).ok().filter(|file| file.try_lock().is_ok());
            // Removes it while holding its lock. A writer that opened it in the meantime finds it gone.
            let _ = left.map(|_locked| fs::remove_file(entry.path()));
        }
    }
}

fn is_temp_file(found: &str, name: &str) -> bool {
    found
        .strip_prefix('.')
        .and_then(|rest| rest.strip_prefix(name))
        .and_then(|rest| rest.strip_prefix('.'))
        .and_then(|rest| rest.strip_suffix(".temp_file"))
        .is_some_and(|chance| chance.len() == 16 && u64::from_str_radix(chance, 16).is_ok())
}

/// Creates and locks a file that no other writer has, on this machine or another.
fn create_new(path: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    loop {
        // Process numbers are not unique: two containers may have the same ones.
        let chance = RandomState::new().build_hasher().finish();
        let temp_file = path.with_file_name(format!(".{name}.{chance:016x}.temp_file"));
        let file = match OpenOptions::new().write(true).create_new(true).open(&temp_file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            created => created?,
        };
        match file.try_lock() {
            // Another process has just swept it.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !is_at(&file, &temp_file) => {}
            // Without locks, no process sweeps either.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok((temp_file, file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temp_files_of_the_same_file_are_swept() {
        assert!(is_temp_file(".a.table.0123456789abcdef.temp_file", "a.table"));
        for other in [
            "a.table",
            ".a.table",
            ".a.table.0123456789abcdef",
            ".a.table.123.temp_file",
            ".a.table.0123456789abcdeg.temp_file",
            ".ab.table.0123456789abcdef.temp_file",
            "a.table.0123456789abcdef.temp_file",
        ] {
            assert!(!is_temp_file(other, "a.table"), "{other}");
        }
    }
}
