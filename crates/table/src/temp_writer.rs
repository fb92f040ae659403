//! A temporary file as a `Write`. It remembers the first write error.

use std::io::{self, Write};
use std::path::Path;

use crate::error::WriteError;
use crate::temp_file::TempFile;

/// A [`TempFile`] for code that writes to any [`Write`].
pub struct TempWriter {
    temp_file: TempFile,
    failed: Option<WriteError>,
}

impl TempWriter {
    /// Begins the temporary file of a file.
    pub fn create(path: &Path) -> Result<TempWriter, WriteError> {
        Ok(TempWriter { temp_file: TempFile::create(path)?, failed: None })
    }

    /// The temporary file, if all writes succeeded.
    pub fn end(self) -> Result<TempFile, WriteError> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.temp_file),
        }
    }
}

impl Write for TempWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.temp_file.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                self.failed = Some(error);
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
