//! Result files: they appear as a whole or not at all, and replace an existing file only on request.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use retrograde_files::{FileError, TempFile};

use crate::term::failure::Failure;
use crate::term::outlet::outlet;
use crate::term::stop;

/// A file for results that would go to standard output.
#[derive(Args)]
pub(crate) struct ToFile {
    /// Write to this file instead of standard output; it appears as a whole or not at all
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long, requires = "out")]
    force: bool,
}

impl ToFile {
    /// Sends the results to the file.
    pub(crate) fn write(
        self,
        out: &mut dyn Write,
        read: Option<&Path>,
        results: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.free(read)?;
        let Some(path) = self.out else { return results(out) };
        let fault = |error: &dyn Display| Failure::Input(error.to_string());
        stop::gently();
        let file = TempFile::create(&path).map_err(|error| fault(&error))?;
        let mut file = Stoppable { file, failed: None };
        let mut buffer = outlet(&mut file, false);
        let written = results(&mut buffer);
        let flushed = buffer.flush();
        buffer.forget();
        let Stoppable { file, failed } = file;
        failed.map_or(Ok(()), Err).map_err(|error| fault(&error))?;
        written?;
        flushed?;
        let published = if self.force { file.publish() } else { file.publish_new() };
        published.map(drop).map_err(|error| fault(&error))
    }

    /// Refuses a file that may not be replaced, or that the command reads, before the work begins.
    pub(crate) fn free(&self, read: Option<&Path>) -> Result<(), Failure> {
        let Some(path) = &self.out else { return Ok(()) };
        if read.is_some_and(|read| place(read) == place(path)) {
            return Err(Failure::Input(format!(
                "{}: the command needs this file itself; give --out another name",
                path.display()
            )));
        }
        free_or_forced(path, self.force)
    }

    /// The file, if one is named.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Whether results go to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        self.out.is_none()
    }

    /// Whether results go to a terminal.
    pub(crate) fn is_seen(&self) -> bool {
        self.out.is_none() && io::stdout().is_terminal()
    }
}

/// A file that accepts nothing more after a stop signal.
struct Stoppable {
    file: TempFile,
    /// The first error.
    failed: Option<FileError>,
}

impl Write for Stoppable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match stop::is_asked() {
            true => Err(io::Error::other("a signal asks to stop")),
            false => match self.file.write(bytes) {
                Ok(()) => Ok(bytes.len()),
                Err(error) => {
                    self.failed.get_or_insert(error);
                    Err(io::ErrorKind::Other.into())
                }
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Refuses to replace a file, unless that is allowed.
pub(crate) fn free_or_forced(path: &Path, force: bool) -> Result<(), Failure> {
    let name = path.display();
    if path.is_dir() {
        return Err(Failure::Input(format!("{name}: this is a folder; name a file in it")));
    }
    match !force && path.exists() {
        true => Err(Failure::Input(format!(
            "{name}: there is a file of this name; --force replaces it"
        ))),
        false => Ok(()),
    }
}

/// The target of a path, with links followed, if it exists.
pub(crate) fn place(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
    })
}
