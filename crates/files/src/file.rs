//! A file that threads read and write at positions.

use std::borrow::Borrow;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::folder::{folder_of, sync_folder};
use crate::system::{Mode, OpenFile, at};

/// An open file.
pub struct File {
    pub(crate) file: Box<dyn OpenFile>,
    path: PathBuf,
    durable: Mutex<Syncs>,
}

/// What is known of the syncs of a file.
struct Syncs {
    /// Whether the name of the file is on the disk, if it has one.
    named: bool,
    /// Whether a sync has failed. After that the system may forget which bytes are not on the disk, and the next sync
    /// would succeed.
    failed: bool,
}

impl File {
    /// Opens a file that exists, to read it.
    pub fn open(path: &Path) -> io::Result<File> {
        File::with(path, Mode::Read)
    }

    /// Opens a file to read and write it, or creates it.
    pub fn open_or_create(path: &Path) -> io::Result<File> {
        File::with(path, Mode::Write)
    }

    /// Creates a file that does not exist, to read and write it.
    pub fn create_new(path: &Path) -> io::Result<File> {
        File::with(path, Mode::New)
    }

    /// Opens a file to read and write it, without its bytes, or creates it.
    pub fn create(path: &Path) -> io::Result<File> {
        let file = File::with(path, Mode::Write)?;
        file.file.set_len(0)?;
        Ok(file)
    }

    /// Creates a file without a name in a folder. Nothing is left of it once it is closed, even if the process is killed.
    pub fn nameless(folder: &Path) -> io::Result<File> {
        File::with(folder, Mode::Nameless)
    }

    fn with(path: &Path, mode: Mode) -> io::Result<File> {
        let file = at(path, |system| system.open(path, mode))?;
        let syncs = Syncs { named: mode == Mode::Nameless, failed: false };
        Ok(File { file, path: path.into(), durable: Mutex::new(syncs) })
    }

    /// The path that the file was opened at.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length of the file.
    pub fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> io::Result<bool> {
        self.file.is_empty()
    }

    /// Makes the system forget what it keeps of the file in memory.
    pub fn drop_cache(&self) -> io::Result<()> {
        self.file.drop_cache()
    }

    /// Reads bytes at a position. All must be there.
    pub fn read_exact_at(&self, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.file.read_at(bytes, at) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => (bytes, at) = (&mut bytes[read..], at + read as u64),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes bytes at a position.
    pub fn write_all_at(&self, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.file.write_at(bytes, at) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => (bytes, at) = (&bytes[written..], at + written as u64),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Waits until the file and its name are on the disk. Once it has failed, it always fails.
    pub fn sync(&self) -> io::Result<()> {
        let mut syncs = self.durable.lock().unwrap_or_else(PoisonError::into_inner);
        if syncs.failed {
            return Err(io::Error::other("bytes of this file were lost: an earlier sync failed"));
        }
        let synced = self.file.sync();
        syncs.failed = synced.is_err();
        synced?;
        if !syncs.named {
            sync_folder(folder_of(&self.path))?;
            syncs.named = true;
        }
        Ok(())
    }

    /// Reads and writes the bytes from a position on, one after the other.
    pub fn cursor(&self, at: u64) -> Cursor<&File> {
        Cursor { file: self, at }
    }

    /// The same, with the file.
    pub fn into_cursor(self, at: u64) -> Cursor {
        Cursor { file: self, at }
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("File").field(&self.path).finish()
    }
}

/// A position in a [`File`].
#[derive(Debug)]
pub struct Cursor<F = File> {
    file: F,
    at: u64,
}

impl<F: Borrow<File>> Read for Cursor<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.borrow().file.read_at(bytes, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<F: Borrow<File>> Write for Cursor<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.borrow().file.write_at(bytes, self.at)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F: Borrow<File>> Seek for Cursor<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.file.borrow().len()?.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
