//! Where results go: standard output, behind a buffer.

use std::io::{self, BufWriter, Write};

use crate::progress::apart;

/// The results of a command.
pub(crate) type Outlet<W> = BufWriter<Patient<W>>;

/// What stands for those of results that go to `to`. If `goes_on`, the command does something beside printing, and does it
/// to its end also where nobody reads.
pub(crate) fn outlet<W: Write>(to: W, goes_on: bool) -> Outlet<W> {
    BufWriter::with_capacity(1 << 16, Patient { to, goes_on, gone: false })
}

/// A writer whose reader may go away.
pub(crate) struct Patient<W> {
    to: W,
    goes_on: bool,
    /// Whether the reader has gone.
    gone: bool,
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.gone {
            return Ok(bytes.len());
        }
        let _apart = apart();
        match self.to.write(bytes) {
            Err(error) if self.goes_on && error.kind() == io::ErrorKind::BrokenPipe => {
                self.gone = true;
                Ok(bytes.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.gone { Ok(()) } else { self.to.flush() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_goes_on_is_patient() {
        let gone = || {
            let (reader, writer) = io::pipe().expect("a pipe");
            drop(reader);
            writer
        };
        let mut patient = outlet(gone(), true);
        for _ in 0..2 {
            patient.write_all(b"OK").and_then(|()| patient.flush()).expect("nobody reads it");
        }
        let mut other = outlet(gone(), false);
        let error = other.write_all(b"OK").and_then(|()| other.flush()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        let (_, _) = other.into_parts();
    }
}
