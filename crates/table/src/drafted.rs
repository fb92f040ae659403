//! A draft as something to be written to, which remembers what kept it from being written.

use std::io::{self, Write};
use std::path::Path;

use crate::draft::Draft;
use crate::error::WriteError;

/// A [`Draft`] under way, for what writes to any [`Write`].
pub struct Drafted {
    draft: Draft,
    failed: Option<WriteError>,
}

impl Drafted {
    /// Begins the draft of a file.
    pub fn create(path: &Path) -> Result<Drafted, WriteError> {
        Ok(Drafted { draft: Draft::create(path)?, failed: None })
    }

    /// The draft, if all could be written.
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
