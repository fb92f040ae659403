//! The output of results: standard output or a file, with a buffer. Control characters are escaped here and
//! in [`note`](crate::term::progress::note), so no other code needs to care.

use std::cell::Cell;
use std::io::{self, BufWriter, Write};

use retrograde_catalog::Plain;

use crate::term::progress::apart;

thread_local! {
    /// Whether this thread writes a drawing of the program.
    static DRAWING: Cell<bool> = const { Cell::new(false) };
}

/// The results of a command.
pub(crate) struct Outlet<W: Write>(BufWriter<Patient<W>>);

/// The outlet to `to`. If `goes_on`, the command does more than print, and continues even if the reader goes
/// away.
pub(crate) fn outlet<W: Write>(to: W, goes_on: bool) -> Outlet<W> {
    Outlet(BufWriter::with_capacity(1 << 16, Patient { to, goes_on, gone: false }))
}

/// Writes a drawing of the program, with its colours. Text from outside must be
/// [plain](retrograde_catalog::plain) in it.
pub(crate) fn write_drawn(out: &mut dyn Write, drawing: &str) -> io::Result<()> {
    DRAWING.set(true);
    let written = out.write_all(drawing.as_bytes());
    DRAWING.set(false);
    written
}

impl<W: Write> Outlet<W> {
    /// Drops the contents of the buffer.
    pub(crate) fn forget(self) {
        let (_, _) = self.0.into_parts();
    }
}

impl<W: Write> Write for Outlet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match DRAWING.get() {
            true => self.0.write(bytes),
            false => Plain(&mut self.0).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A writer whose reader may go away.
struct Patient<W> {
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
            patient.write_all(b"OK").and_then(|()| patient.flush()).expect("the pipe has a reader");
        }
        let mut other = outlet(gone(), false);
        let error = other.write_all(b"OK").and_then(|()| other.flush()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        other.forget();
    }
}
