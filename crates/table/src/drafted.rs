//! A temporary file as a `Write`. It remembers the first write error.

use std::io::{self, Write};
use std::path::Path;

use crate::draft::Draft;
use crate::error::WriteError;

/// A [`Draft`] for code that writes to any [`Write`].
pub struct Drafted {
    draft: Draft,
    failed: Option<WriteError>,
}

impl Drafted {
    /// Begins the draft of a file.
    pub fn create(path: &Path) -> Result<Drafted, WriteError> {
        Ok(Drafted { draft: Draft::create(path)?, failed: None })
    }

    /// The draft, if all writes succeeded.
    pub fn end(self) -> Result<Draft, WriteError> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.draft),
        }
    }
}

impl Write for Drafted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.draft.write(bytes) {
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
