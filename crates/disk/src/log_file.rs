//! The log of a solve in a file: block `n` begins at byte `n * LOG_BLOCK_BYTES`.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use retrograde::bit_parallel::{LOG_BLOCK_BYTES, LogStore};

use crate::measure::nameless;

/// A log of distances in a file, for [`ByWords::solve_logged`](retrograde::bit_parallel::ByWords::solve_logged).
pub struct LogFile(Positioned);

impl LogFile {
    /// Opens the file, or creates it. Existing blocks stay.
    pub fn open(path: &Path) -> io::Result<LogFile> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(LogFile(file.into()))
    }

    /// Makes a file in a folder that the system removes when it is closed, even if the process is killed.
    pub fn nameless(folder: &Path) -> io::Result<LogFile> {
        Ok(LogFile(nameless(folder)?.into()))
    }
}

impl LogStore for LogFile {
    fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()> {
        self.0.write_all_at(block, number * LOG_BLOCK_BYTES as u64)
    }

    fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(block, number * LOG_BLOCK_BYTES as u64)
    }
}

/// A file that threads read and write at positions, in parallel.
#[cfg(unix)]
struct Positioned(File);

#[cfg(unix)]
impl Positioned {
    fn write_all_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.0, bytes, at)
    }

    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, bytes, at)
    }
}

#[cfg(unix)]
impl From<File> for Positioned {
    fn from(file: File) -> Positioned {
        Positioned(file)
    }
}

/// The same on systems where a file has one position: one thread at a time.
#[cfg(not(unix))]
struct Positioned(std::sync::Mutex<File>);

#[cfg(not(unix))]
impl Positioned {
    fn at(&self, at: u64) -> io::Result<std::sync::MutexGuard<'_, File>> {
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        io::Seek::seek(&mut *file, io::SeekFrom::Start(at))?;
        Ok(file)
    }

    fn write_all_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        io::Write::write_all(&mut *self.at(at)?, bytes)
    }

    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        io::Read::read_exact(&mut *self.at(at)?, bytes)
    }
}

#[cfg(not(unix))]
impl From<File> for Positioned {
    fn from(file: File) -> Positioned {
        Positioned(std::sync::Mutex::new(file))
    }
}
