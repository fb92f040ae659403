//! Files that appear as a whole or not at all.
//!
//! A writer writes to a temporary file in the same folder. It renames the file once every byte is on the
//! disk. So a reader sees either the old file or the new one. A full disk, a kill or a power cut never leaves
//! half a file. The temporary file is locked while its writer lives. A killed writer leaves an unlocked file,
//! and the next writer of the same file removes it.

use std::fmt;
use std::fs::TryLockError;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::{FileError, is_full};
use crate::file::File;
use crate::folder::{folder_of, found, is_no_sync};
use crate::system::{Found, Mode, OpenFile, at};
use crate::unfinished::Unfinished;

/// A file that does not have its final name yet. If you drop it before `publish`, the file is removed.
///
/// ```
/// use retrograde_files::TempFile;
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
pub struct TempFile {
    /// The temporary file; `None` after `publish`. It is removed before it is closed and unlocked.
    temp_file: Option<Unfinished>,
    /// Locked while it is open, if the file system has locks.
    file: File,
    /// The folder. It is open from the beginning, so that publishing cannot fail for lack of a file handle. `None` if it
    /// cannot be opened.
    folder: Option<Box<dyn OpenFile>>,
    path: PathBuf,
    written: u64,
}

/// Whether a published file survives a power cut.
#[derive(Debug)]
pub enum Durable {
    /// It does, as far as the file system can tell.
    Yes,
    /// The file is in its place. But the system could not write the list of names of the folder, so the file may be gone
    /// after a power cut, and the one before it back.
    Unsure(FileError),
}

impl TempFile {
    /// Begins the file `path` in a folder that exists. If `path` is a link, the link stays, and the file
    /// appears at its target. The new file keeps the mode of an old one.
    pub fn create(path: &Path) -> Result<TempFile, FileError> {
        let failed = |source| FileError::new(path, "create", source);
        let target = &at(path, |system| system.resolve(path)).map_err(failed)?;
        let there = found(target);
        if there.is_some_and(|found| found != Found::File) {
            // Replacing a folder or a device is surely a mistake.
            return Err(failed(io::Error::other("the path exists and is not a file")));
        }
        let name = target.file_name().ok_or_else(|| {
            failed(io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name"))
        })?;
        let folder = folder_of(target);
        sweep(folder, |of| of == name.to_string_lossy());
        let made = Unfinished::make(|| create_new(target, &name.to_string_lossy()));
        let (temp_file, file) = made.map_err(failed)?;
        if there.is_some() {
            file.file.copy_permissions(target).map_err(failed)?;
        }
        let folder = match at(folder, |system| system.open(folder, Mode::Folder)) {
            Ok(opened) => Some(opened),
            Err(error) if is_no_sync(&error) || cfg!(not(unix)) => None,
            Err(error) => return Err(FileError::new(target, "open the folder of", error)),
        };
        Ok(TempFile { file, folder, path: target.into(), temp_file: Some(temp_file), written: 0 })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.write_of(bytes, bytes.len() as u64)
    }

    /// Appends bytes. `ahead` is how many bytes are still to come, including these. If the disk is full, the
    /// error says how many of them did not fit.
    pub fn write_of(&mut self, bytes: &[u8], ahead: u64) -> Result<(), FileError> {
        match self.file.write_all_at(bytes, self.written) {
            Ok(()) => {
                self.written += bytes.len() as u64;
                Ok(())
            }
            Err(source) if is_full(&source) => {
                // Some of them may have been written: look at the length of the file.
                let fitted = self.file.len().unwrap_or(self.written);
                let missing = (self.written + ahead).saturating_sub(fitted);
                Err(FileError::Full { path: self.path.clone(), written: fitted, missing })
            }
            Err(source) => Err(self.failed("write", source)),
        }
    }

    /// Overwrites the first bytes of the file.
    pub fn rewrite_start(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        assert!(bytes.len() as u64 <= self.written);
        self.file.write_all_at(bytes, 0).map_err(|source| self.failed("write", source))
    }

    /// How many bytes have been written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Makes sure that every byte is on the disk, then renames the file. This replaces any file of that name.
    pub fn publish(self) -> Result<Durable, FileError> {
        self.publish_by(|temp_file, path| {
            at(path, |system| system.rename(temp_file, path)).map(|()| path.into())
        })
    }

    /// The same, but never replaces a file. If there is a file of this name, the new file gets the first free
    /// name of `path.1`, `path.2` and so on, and [`FileError::Taken`] names it.
    ///
    /// ```
    /// use retrograde_files::{TempFile, FileError};
    ///
    /// # let folder = std::env::temp_dir().join(format!("retrograde-taken-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let path = folder.join("notes");
    /// let mut file = TempFile::create(&path)?;
    /// file.write(b"ours")?;
    /// std::fs::write(&path, "theirs")?;
    /// let Err(FileError::Taken { kept, .. }) = file.publish_new() else { panic!("it is taken") };
    /// assert_eq!(std::fs::read(&path)?, b"theirs");
    /// assert_eq!(std::fs::read(&kept)?, b"ours");
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn publish_new(self) -> Result<Durable, FileError> {
        self.publish_by(|temp_file, path| {
            let beside = (1u64..).map(|number| {
                let mut beside = path.as_os_str().to_owned();
                beside.push(format!(".{number}"));
                PathBuf::from(beside)
            });
            for name in std::iter::once(path.to_owned()).chain(beside) {
                match at(path, |system| system.rename_new(temp_file, &name)) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    done => return done.map(|()| name),
                }
            }
            Err(io::ErrorKind::AlreadyExists.into())
        })
    }

    /// Publishes the file with `rename`, which returns the name that the file got.
    fn publish_by(
        mut self,
        rename: impl FnOnce(&Path, &Path) -> io::Result<PathBuf>,
    ) -> Result<Durable, FileError> {
        self.file.file.sync().map_err(|source| match is_full(&source) {
            true => FileError::Full { path: self.path.clone(), written: self.written, missing: 0 },
            false => self.failed("write", source),
        })?;
        let Some(temp_file) = self.temp_file.take() else { return Ok(Durable::Yes) };
        let renamed = temp_file.finish(|temp_file| {
            if !self.file.file.is_at(temp_file)? {
                let gone = format!("another process has removed {}", temp_file.display());
                return Err(io::Error::other(gone));
            }
            rename(temp_file, &self.path)
        });
        let kept = renamed.map_err(|source| self.failed("rename", source))?;
        if kept != self.path {
            return Err(FileError::Taken { path: self.path.clone(), kept });
        }
        let synced = self.folder.as_ref().map_or(Ok(()), |folder| folder.sync());
        Ok(match synced {
            Err(error) if !is_no_sync(&error) => {
                Durable::Unsure(self.failed("sync the folder of", error))
            }
            _ => Durable::Yes,
        })
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> FileError {
        FileError::new(&self.path, doing, source)
    }
}

impl fmt::Debug for TempFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TempFile").field(&self.path).finish()
    }
}

/// Remembers no error: an [`io::Error`] of a write holds its [`FileError`], see [`FileError::new`].
impl Write for TempFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        TempFile::write(self, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Removes all temporary files that killed writers have left in a folder.
pub fn sweep_temp_files(folder: &Path) {
    sweep(folder, |_| true);
}

/// Removes temporary files that killed writers have left in a folder, if `of_file` holds for the name of the file that they
/// were to become. These have no lock. Ignores files that it cannot remove, because they do no harm.
fn sweep(folder: &Path, of_file: impl Fn(&str) -> bool) {
    for found in at(folder, |system| system.list(folder)).unwrap_or_default() {
        if becomes(&found.to_string_lossy()).is_some_and(&of_file) {
            let path = folder.join(found);
            let left = File::open(&path).ok().filter(|file| file.file.try_lock().is_ok());
            // Removes it while holding its lock. A writer that opened it in the meantime finds it gone.
            let _ = left.map(|_locked| at(&path, |system| system.remove_file(&path)));
        }
    }
}

/// The name of the file that a temporary file is to become; `None` if it is no temporary file.
fn becomes(found: &str) -> Option<&str> {
    let (name, chance) = found.strip_prefix('.')?.strip_suffix(".temp_file")?.rsplit_once('.')?;
    (chance.len() == 16 && u64::from_str_radix(chance, 16).is_ok()).then_some(name)
}

/// Creates and locks a file that no other writer has, on this machine or another.
fn create_new(path: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    loop {
        // Process numbers are not unique: two containers may have the same ones.
        let chance = RandomState::new().build_hasher().finish();
        let temp_file = path.with_file_name(format!(".{name}.{chance:016x}.temp_file"));
        let file = match File::create_new(&temp_file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            created => created?,
        };
        let is_ours = match file.file.try_lock() {
            Ok(()) => file.file.is_at(&temp_file),
            Err(TryLockError::WouldBlock) => Ok(false),
            // Without locks, no process sweeps either.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(true)
            }
            Err(TryLockError::Error(error)) => Err(error),
        };
        match is_ours {
            Ok(true) => return Ok((temp_file, file)),
            // Another process has just swept it.
            Ok(false) => {}
            Err(error) => {
                let _ = at(&temp_file, |system| system.remove_file(&temp_file));
                return Err(error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temp_files_are_swept() {
        assert_eq!(becomes(".a.table.0123456789abcdef.temp_file"), Some("a.table"));
        for other in [
            "a.table",
            ".a.table",
            ".a.table.0123456789abcdef",
            ".a.table.123.temp_file",
            ".a.table.0123456789abcdeg.temp_file",
            "a.table.0123456789abcdef.temp_file",
        ] {
            assert_eq!(becomes(other), None, "{other}");
        }
    }
}
