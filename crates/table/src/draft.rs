//! Files that appear whole or not at all.
//!
//! What is written goes to a file of another name in the same folder; only when every byte has reached
//! the disk does it take its name. So a reader sees the old file or the new one, and neither a full disk,
//! nor a kill, nor a power cut leaves half of one. That file is locked while its writer lives; what a killed
//! writer has left behind is not, and the next writer of the same file clears it away.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::WriteError;
use crate::lock::is_at;
use crate::rename::{rename_beside, rename_new};
use crate::unfinished::Unfinished;

/// A file being written that does not have its name yet. Dropped before it is published, it is gone.
///
/// ```
/// use retrograde_table::Draft;
///
/// # let folder = std::env::temp_dir().join(format!("retrograde-draft-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("notes");
/// let mut draft = Draft::create(&path)?;
/// draft.write(b"all of it")?;
/// assert!(!path.exists());
/// draft.publish()?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Draft {
    /// Where the bytes are until they are published; `None` afterwards. Removed before the file is closed, and unlocked.
    draft: Option<Unfinished>,
    /// Locked as long as it is open, where the file system knows locks.
    file: File,
    /// The folder it is in, open from the beginning, so that publishing cannot fail for want of a file handle.
    folder: Option<File>,
    path: PathBuf,
    written: u64,
}

impl Draft {
    /// Begins the file that is to be called `path`, in a folder that exists. Links stay: where `path` is one, the file
    /// appears where it leads to. What is there already keeps its mode.
    pub fn create(path: &Path) -> Result<Draft, WriteError> {
        let failed = |source| WriteError::Io { path: path.into(), doing: "create", source };
        let path = &resolve(path).map_err(failed)?;
        let there = fs::symlink_metadata(path).ok();
        if there.as_ref().is_some_and(|found| !found.is_file()) {
            // Taking the name away from a folder or a device is never what was meant.
            return Err(failed(io::Error::other("what is there is not a file")));
        }
        let name = path.file_name().ok_or_else(|| {
            failed(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))
        })?;
        sweep(folder(path), &name.to_string_lossy());
        let made = Unfinished::make(|| create_new(path, &name.to_string_lossy()));
        let (draft, file) = made.map_err(failed)?;
        // A name is only safe when the folder that holds it is. Other systems than unix have no call for it.
        let opened = cfg!(unix).then(|| File::open(folder(path))).transpose();
        let folder = opened.map_err(|source| WriteError::Io {
            path: path.into(),
            doing: "open the folder of",
            source,
        })?;
        let draft = Draft { file, folder, path: path.into(), draft: Some(draft), written: 0 };
        if let Some(there) = there {
            draft.file.set_permissions(there.permissions()).map_err(failed)?;
        }
        Ok(draft)
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.write_of(bytes, bytes.len() as u64)
    }

    /// Appends bytes, where `ahead` bytes are still to come, these included. An error says
    /// how many of them found no room.
    pub(crate) fn write_of(&mut self, bytes: &[u8], ahead: u64) -> Result<(), WriteError> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.written += bytes.len() as u64;
                Ok(())
            }
            Err(source) if is_full(&source) => {
                // Some of them may have found room: the length of the file knows.
                let fitted = self.file.metadata().map_or(self.written, |found| found.len());
                let missing = (self.written + ahead).saturating_sub(fitted);
                Err(WriteError::Full { path: self.path.clone(), written: fitted, missing })
            }
            Err(source) => Err(self.failed("write", source)),
        }
    }

    /// Writes over the first bytes, which must have been written before.
    pub(crate) fn rewrite_start(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        debug_assert!(bytes.len() as u64 <= self.written);
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

    /// Makes sure that every byte is on the disk, then gives the file its name. What had that name before is gone.
    pub fn publish(self) -> Result<(), WriteError> {
        self.publish_by(|draft, path| fs::rename(draft, path).map(|()| path.into()))
    }

    /// The same, but a file that has the name by now stays. Then what was written takes the first free name of `path.1`,
    /// `path.2` and so on, and [`WriteError::Taken`] says which.
    ///
    /// ```
    /// use retrograde_table::{Draft, WriteError};
    ///
    /// # let folder = std::env::temp_dir().join(format!("retrograde-taken-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let path = folder.join("notes");
    /// let mut draft = Draft::create(&path)?;
    /// draft.write(b"ours")?;
    /// std::fs::write(&path, "theirs")?;
    /// let Err(WriteError::Taken { kept, .. }) = draft.publish_new() else { panic!("it is taken") };
    /// assert_eq!(std::fs::read(&path)?, b"theirs");
    /// assert_eq!(std::fs::read(&kept)?, b"ours");
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn publish_new(self) -> Result<(), WriteError> {
        self.publish_by(|draft, path| match rename_new(draft, path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                rename_beside(draft, path)
            }
            done => done.map(|()| path.into()),
        })
    }

    /// Publishes by a rename from the first path to the second, which says what name the file has got.
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
        let Some(draft) = self.draft.take() else { return Ok(()) };
        let renamed = draft.finish(|draft| {
            if !is_at(&self.file, draft) {
                let gone = format!("somebody has taken {} away", draft.display());
                return Err(io::Error::other(gone));
            }
            rename(draft, &self.path)
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

/// Where the links of a path lead to at last, whether or not something is there.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    const LINKS_MAX: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..LINKS_MAX {
        // As `/dev/stdout` does: what it leads to has a name, but is in use.
        if folder(&path).canonicalize().is_ok_and(|folder| folder.starts_with("/proc")) {
            return Err(io::Error::other("this leads to what a process has open, and is no file"));
        }
        match fs::read_link(&path) {
            Ok(to) => path = folder(&path).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("it is a link that leads to itself"))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Whether there was no room for what was written.
fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// Removes the drafts that killed writers of the same file have left: those that nobody has locked. What
/// cannot be removed is in nobody's way.
fn sweep(folder: &Path, name: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_draft(&entry.file_name().to_string_lossy(), name) && is_file() {
            let left = File::open(entry.path()).ok().filter(|file| file.try_lock().is_ok());
            // While it is locked, so that a writer who has only just made it finds it gone.
            let _ = left.map(|_locked| fs::remove_file(entry.path()));
        }
    }
}

fn is_draft(found: &str, name: &str) -> bool {
    found
        .strip_prefix('.')
        .and_then(|rest| rest.strip_prefix(name))
        .and_then(|rest| rest.strip_prefix('.'))
        .and_then(|rest| rest.strip_suffix(".draft"))
        .is_some_and(|chance| chance.len() == 16 && u64::from_str_radix(chance, 16).is_ok())
}

/// Makes a file that no other writer has, on this machine or another, and locks it.
fn create_new(path: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    loop {
        // Process numbers would not do: in two containers they are the same.
        let chance = RandomState::new().build_hasher().finish();
        let draft = path.with_file_name(format!(".{name}.{chance:016x}.draft"));
        let file = match OpenOptions::new().write(true).create_new(true).open(&draft) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            created => created?,
        };
        match file.try_lock() {
            // Somebody has swept it in the moment before.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !is_at(&file, &draft) => {}
            // Where there are no locks nobody sweeps either.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok((draft, file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_drafts_of_the_same_file_are_swept() {
        assert!(is_draft(".a.table.0123456789abcdef.draft", "a.table"));
        for other in [
            "a.table",
            ".a.table",
            ".a.table.0123456789abcdef",
            ".a.table.123.draft",
            ".a.table.0123456789abcdeg.draft",
            ".ab.table.0123456789abcdef.draft",
            "a.table.0123456789abcdef.draft",
        ] {
            assert!(!is_draft(other, "a.table"), "{other}");
        }
    }
}
