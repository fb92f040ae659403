//! Folders of tables by URL: files that Python reads over HTTP, piece by piece.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;
use retrograde_files::{FileSystem, Found, Mode, OpenFile, mount};

/// The URLs that paths lead to. A mount ends with the process, because open tables read from it.
static MOUNTED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes paths below a URL lead to the files there. `files` is a `Remote` of Python.
pub(crate) fn mount_url(url: &Path, files: Py<PyAny>) {
    let mut mounted = MOUNTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !mounted.iter().any(|each| each == url) {
        std::mem::forget(mount(url, Arc::new(Remote { url: url.into(), files: Arc::new(files) })));
        mounted.push(url.into());
    }
}

/// Whether a path names files on a server.
pub(crate) fn is_url(path: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| path.starts_with(scheme))
}

/// A folder on a server.
struct Remote {
    url: PathBuf,
    files: Arc<Py<PyAny>>,
}

/// A file on a server. `None` stands for the folder itself.
struct RemoteFile {
    files: Arc<Py<PyAny>>,
    name: Option<String>,
}

impl Remote {
    /// The name of a file below the URL; `None` for the URL itself.
    fn name(&self, path: &Path) -> io::Result<Option<String>> {
        let name = path.strip_prefix(&self.url).map_err(|_| io::ErrorKind::NotFound)?;
        Ok(name.to_str().map(str::to_owned).filter(|name| !name.is_empty()))
    }
}

/// The answer of a method of the `Remote`, or its exception.
fn ask<T>(files: &Py<PyAny>, act: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> io::Result<T> {
    Python::attach(|py| {
        act(files.bind(py)).map_err(|error| {
            let missing = error.is_instance_of::<PyFileNotFoundError>(py);
            match missing {
                true => io::ErrorKind::NotFound.into(),
                false => io::Error::other(error.value(py).to_string()),
            }
        })
    })
}

impl FileSystem for Remote {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn OpenFile>> {
        let file = RemoteFile { files: Arc::clone(&self.files), name: self.name(path)? };
        match (mode, &file.name) {
            (Mode::Read, Some(_)) => file.len().map(drop)?,
            (Mode::Folder, None) => {}
            (Mode::Folder, Some(_)) => return Err(io::ErrorKind::NotADirectory.into()),
            _ => return Err(io::ErrorKind::ReadOnlyFilesystem.into()),
        }
        Ok(Box::new(file))
    }

    fn look(&self, path: &Path) -> io::Result<Found> {
        match self.name(path)? {
            None => Ok(Found::Folder),
            name => RemoteFile { files: Arc::clone(&self.files), name }.len().map(|_| Found::File),
        }
    }

    fn list(&self, _: &Path) -> io::Result<Vec<OsString>> {
        let names: Vec<String> = ask(&self.files, |files| files.call_method0("names")?.extract())?;
        Ok(names.into_iter().map(OsString::from).collect())
    }
}

impl OpenFile for RemoteFile {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let Some(name) = &self.name else { return Err(io::ErrorKind::IsADirectory.into()) };
        ask(&self.files, |files| {
            let found = files.call_method1("read", (name, at, bytes.len()))?;
            let found = found.extract::<&[u8]>()?;
            let len = found.len().min(bytes.len());
            bytes[..len].copy_from_slice(&found[..len]);
            Ok(len)
        })
    }

    fn len(&self) -> io::Result<u64> {
        let Some(name) = &self.name else { return Ok(0) };
        ask(&self.files, |files| files.call_method1("size", (name,))?.extract())
    }
}
