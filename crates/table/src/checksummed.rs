//! Files that end with a checksum of everything before it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use retrograde_files::{Durable, FileError, TempFile};

const SUM_BYTES: u64 = 8;

/// Writes a file with a checksum at its end, as a whole or not at all. Replaces an older file.
pub fn write_checksummed(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Durable, FileError> {
    let mut to = Checksummed { file: TempFile::create(path)?, sum: Xxh3::new() };
    let written = write(&mut to);
    written.map_err(|source| FileError::new(path, "write", source))?;
    let mut temp_file = to.file;
    temp_file.write(&to.sum.digest().to_le_bytes())?;
    temp_file.publish()
}

/// Whether every byte of a file is as [`write_checksummed`] wrote it. Reads from the current position.
pub fn is_whole(mut file: &File) -> io::Result<bool> {
    let Some(mut left) = file.metadata()?.len().checked_sub(SUM_BYTES) else { return Ok(false) };
    let mut sum = Xxh3::new();
    let mut buffer = vec![0; 1 << 16];
    while left > 0 {
        let piece = &mut buffer[..left.min(1 << 16) as usize];
        file.read_exact(piece)?;
        sum.update(piece);
        left -= piece.len() as u64;
    }
    let mut expected = [0; SUM_BYTES as usize];
    file.read_exact(&mut expected)?;
    Ok(sum.digest() == u64::from_le_bytes(expected))
}

/// A temporary file with a running checksum.
struct Checksummed {
    file: TempFile,
    sum: Xxh3,
}

impl Write for Checksummed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sum.update(bytes);
        Write::write(&mut self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
