//! The log of a solve in a file: block `n` begins at byte `n * LOG_BLOCK_BYTES`.

use std::io;
use std::path::Path;

use retrograde::bit_parallel::{LOG_BLOCK_BYTES, LogStore};
use retrograde_files::{File, FileError};

/// A log of distances in a file, for [`solve_in`](retrograde::bit_parallel::ByWords::solve_in).
pub struct LogFile(File);

impl LogFile {
    /// Opens the file, or creates it. Existing blocks stay.
    pub fn open(path: &Path) -> io::Result<LogFile> {
        File::open_or_create(path).map(LogFile).map_err(|error| failed(path, "open", error))
    }

    /// Makes a file in a folder that the system removes when it is closed, even if the process is killed.
    pub fn nameless(folder: &Path) -> io::Result<LogFile> {
        File::nameless(folder)
            .map(LogFile)
            .map_err(|error| failed(folder, "create a file in", error))
    }
}

impl LogStore for LogFile {
    fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()> {
        let written = self.0.write_all_at(block, number * LOG_BLOCK_BYTES as u64);
        written.map_err(|error| failed(self.0.path(), "write", error))
    }

    fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()> {
        let read = self.0.read_exact_at(block, number * LOG_BLOCK_BYTES as u64);
        read.map_err(|error| failed(self.0.path(), "read", error))
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync().map_err(|error| failed(self.0.path(), "sync", error))
    }
}

/// An error that names the file and says what to do.
fn failed(path: &Path, doing: &'static str, error: io::Error) -> io::Error {
    FileError::new(path, doing, error).into()
}
