//! Folders: created so that they last, listed, and removed.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::FileError;
use crate::system::{Found, Mode, at};

/// The folder of a path.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Creates a folder and all folders that lead to it, and makes their names last, even of those that exist: a killed process may
/// have created them a moment ago. Returns those that it has created, the innermost last.
pub fn create_folders(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let failed = |source| FileError::new(folder, "create", source);
    let named = |folder: &&Path| folder.file_name().is_some();
    let all: Vec<&Path> = folder.ancestors().filter(named).collect();
    let mut created = Vec::new();
    for &each in all.iter().rev() {
        if !exists(each) {
            match at(each, |system| system.create_folder(each)) {
                Ok(()) => created.push(each.to_owned()),
                // Another process has just created it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
        }
        sync_folder(folder_of(each)).map_err(failed)?;
    }
    // A link to a folder is a folder, too.
    at(folder, |system| system.open(folder, Mode::Folder)).map_err(failed)?;
    Ok(created)
}

/// Makes the names in a folder last. Only Unix needs this.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match at(folder, |system| system.open(folder, Mode::Folder)?.sync()) {
        // Some file systems do not sync folders. Then nothing is known to be missing.
        Err(error) if is_no_sync(&error) => Ok(()),
        done => done,
    }
}

/// Whether a file system says that folders cannot be synced, and not that a sync failed.
pub(crate) fn is_no_sync(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported)
}

/// Whether there is anything at a path.
pub fn exists(path: &Path) -> bool {
    at(path, |system| system.look(path)).is_ok()
}

/// Whether a path leads to a folder, perhaps by links.
pub fn is_folder(path: &Path) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    let opened = at(path, |system| system.open(path, Mode::Folder));
    // A folder that may not be read is one.
    opened.map_or_else(|error| !matches!(error.kind(), NotFound | NotADirectory), |_| true)
}

/// The names in a folder, sorted. None if there is no folder.
pub fn list(folder: &Path) -> Result<Vec<OsString>, FileError> {
    match at(folder, |system| system.list(folder)) {
        Ok(mut names) => {
            names.sort_unstable();
            Ok(names)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(FileError::new(folder, "list", error)),
    }
}

/// Removes a file, if there is one.
pub fn remove_file(path: &Path) -> Result<(), FileError> {
    match at(path, |system| system.remove_file(path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FileError::new(path, "remove", error))
        }
        _ => Ok(()),
    }
}

/// Removes a folder, if it is empty.
pub fn remove_folder(path: &Path) {
    let _ = at(path, |system| system.remove_folder(path));
}

/// Whether there is a file at a path, and not something else.
pub(crate) fn found(path: &Path) -> Option<Found> {
    at(path, |system| system.look(path)).ok()
}
