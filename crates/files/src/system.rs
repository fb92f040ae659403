//! What durable files need of a file system. The rest of this crate uses nothing else, so another file system can stand
//! below it: one whose bytes come from elsewhere, or, in tests, one in memory that loses what was not synced.

use std::ffi::OsString;
use std::fs::{self, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// The operations of a file system. Dropping a file closes it, and ends its lock. A file system that is only read needs
/// the first three.
pub trait FileSystem: Send + Sync {
    /// Opens a file or a folder.
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn OpenFile>>;

    /// What is at a path. The last part of the path may be a link, which the system does not follow.
    fn look(&self, path: &Path) -> io::Result<Found>;

    /// The names in a folder, in any order.
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// Creates a folder in a folder that exists.
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(read_only())
    }

    /// Renames a file. This replaces any file of that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let _ = (from, to);
        Err(read_only())
    }

    /// Renames a file to a free name. If the name is taken, the error is [`AlreadyExists`](io::ErrorKind::AlreadyExists).
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let _ = (from, to);
        Err(read_only())
    }

    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(read_only())
    }

    /// Removes an empty folder.
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(read_only())
    }

    /// Removes a folder with all its contents.
    fn remove_all(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(read_only())
    }

    /// Follows the links of a path to the end, which need not exist.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_path_buf())
    }
}

/// An open file or folder. Threads read and write at positions, in parallel. A file that is only read needs `read_at` and
/// `len`.
pub trait OpenFile: Send + Sync {
    /// Reads some bytes at a position.
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize>;

    /// Writes some bytes at a position.
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
        let _ = (bytes, at);
        Err(read_only())
    }

    /// The length of the file.
    fn len(&self) -> io::Result<u64>;

    /// Whether the file has no bytes.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Cuts the file to a length.
    fn set_len(&self, len: u64) -> io::Result<()> {
        let _ = len;
        Err(read_only())
    }

    /// Waits until all that was written is on the disk. For a folder, this is its list of names.
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// Locks the file, unless another process has locked it.
    fn try_lock(&self) -> Result<(), TryLockError> {
        Err(TryLockError::Error(read_only()))
    }

    /// Whether a path leads to this very file.
    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let _ = path;
        Ok(true)
    }

    /// Makes the system forget what it keeps of the file in memory, so that the next read comes from the disk.
    fn drop_cache(&self) -> io::Result<()> {
        Ok(())
    }

    /// Gives the file the permissions of another.
    fn copy_permissions(&self, from: &Path) -> io::Result<()> {
        let _ = from;
        Err(read_only())
    }
}

/// The error of an operation that changes a file system that is only read.
fn read_only() -> io::Error {
    io::ErrorKind::ReadOnlyFilesystem.into()
}

/// How to open a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To read a file that exists. Opening anything but a file is an error.
    Read,
    /// To read and write a file, which is created if it does not exist.
    Write,
    /// To read and write a file that does not exist.
    New,
    /// A new file without a name in a folder, to read and write it. Nothing is left of it once it is closed, even if the
    /// process is killed.
    Nameless,
    /// A folder, to sync it.
    Folder,
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A link, a device, a pipe.
    Other,
}

/// Other file systems, by the folder that leads to them.
static MOUNTS: RwLock<Vec<(PathBuf, Arc<dyn FileSystem>)>> = RwLock::new(Vec::new());
/// Whether there are any.
static MOUNTED: AtomicBool = AtomicBool::new(false);

/// Makes all paths below a folder lead to another file system, until the result is dropped.
#[must_use]
pub fn mount(folder: &Path, system: Arc<dyn FileSystem>) -> Mounted {
    let mut mounts = MOUNTS.write().unwrap_or_else(PoisonError::into_inner);
    mounts.push((folder.into(), system));
    MOUNTED.store(true, Ordering::Release);
    Mounted(folder.into())
}

/// A folder that leads to another file system, as long as this lives.
#[derive(Debug)]
pub struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let mut mounts = MOUNTS.write().unwrap_or_else(PoisonError::into_inner);
        mounts.retain(|(folder, _)| *folder != self.0);
    }
}

/// Calls `act` with the file system of a path.
pub(crate) fn at<R>(path: &Path, act: impl FnOnce(&dyn FileSystem) -> R) -> R {
    let mounted = || {
        let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
        mounts.iter().find(|(folder, _)| path.starts_with(folder)).map(|(_, system)| system.clone())
    };
    match MOUNTED.load(Ordering::Acquire).then(mounted).flatten() {
        Some(system) => act(&*system),
        None => act(&Os),
    }
}

/// The file system of the operating system.
struct Os;

impl FileSystem for Os {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn OpenFile>> {
        if mode == Mode::Nameless {
            return Ok(Box::new(Handle::from(nameless(path)?)));
        }
        // Opening a pipe would wait forever.
        if mode != Mode::New {
            let wanted = if mode == Mode::Folder { Found::Folder } else { Found::File };
            match fs::metadata(path) {
                Ok(there) if found(there.file_type()) == wanted => {}
                Ok(_) if mode == Mode::Folder => {
                    return Err(io::ErrorKind::NotADirectory.into());
                }
                Ok(_) => return Err(io::Error::other("the path exists and is not a file")),
                Err(error) if mode == Mode::Read => return Err(error),
                Err(_) => {}
            }
        }
        let mut options = OpenOptions::new();
        match mode {
            Mode::Read | Mode::Folder => options.read(true),
            Mode::Write => options.read(true).write(true).create(true).truncate(false),
            Mode::New | Mode::Nameless => options.read(true).write(true).create_new(true),
        };
        #[cfg(windows)]
        if mode == Mode::Folder {
            use std::os::windows::fs::OpenOptionsExt;
            // Without this flag, Windows opens no folder.
            const BACKUP_SEMANTICS: u32 = 0x0200_0000;
            options.custom_flags(BACKUP_SEMANTICS);
        }
        Ok(Box::new(Handle::from(options.open(path)?)))
    }

    fn look(&self, path: &Path) -> io::Result<Found> {
        Ok(found(fs::symlink_metadata(path)?.file_type()))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        crate::rename::rename_new(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn remove_all(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir_all(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        const LINKS_MAX: usize = 40;
        let mut path = path.to_path_buf();
        for _ in 0..LINKS_MAX {
            let folder = crate::folder::folder_of(&path);
            // A path such as `/dev/stdout`: its target has a name, but is in use.
            if folder.canonicalize().is_ok_and(|folder| folder.starts_with("/proc")) {
                return Err(io::Error::other(
                    "this leads to an open stream of a process and is not a file",
                ));
            }
            match fs::read_link(&path) {
                Ok(to) => path = folder.join(to),
                Err(_) => return Ok(path),
            }
        }
        Err(io::Error::other("this link leads to itself"))
    }
}

/// A new file in a folder that the system removes when it is closed.
fn nameless(folder: &Path) -> io::Result<fs::File> {
    let name = format!(".retrograde-{:016x}", RandomState::new().build_hasher().finish());
    let path = folder.join(name);
    let mut options = OpenOptions::new();
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        options.custom_flags(DELETE_ON_CLOSE);
    }
    let file = options.read(true).write(true).create_new(true).open(&path)?;
    #[cfg(unix)]
    fs::remove_file(&path)?;
    Ok(file)
}

fn found(kind: fs::FileType) -> Found {
    match () {
        () if kind.is_file() => Found::File,
        () if kind.is_dir() => Found::Folder,
        () => Found::Other,
    }
}

/// A file of the operating system.
#[cfg(unix)]
struct Handle(fs::File);

#[cfg(unix)]
impl Handle {
    fn file(&self) -> &fs::File {
        &self.0
    }
}

#[cfg(unix)]
impl From<fs::File> for Handle {
    fn from(file: fs::File) -> Handle {
        Handle(file)
    }
}

/// On systems where a file has one position: one thread at a time.
#[cfg(not(unix))]
struct Handle(fs::File, std::sync::Mutex<()>);

#[cfg(not(unix))]
impl Handle {
    fn file(&self) -> &fs::File {
        &self.0
    }

    /// Calls `act` with the file at a position.
    fn with<R>(&self, at: u64, act: impl FnOnce(&mut &fs::File) -> io::Result<R>) -> io::Result<R> {
        let _alone = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = &self.0;
        io::Seek::seek(&mut file, io::SeekFrom::Start(at))?;
        act(&mut file)
    }
}

#[cfg(not(unix))]
impl From<fs::File> for Handle {
    fn from(file: fs::File) -> Handle {
        Handle(file, std::sync::Mutex::new(()))
    }
}

impl OpenFile for Handle {
    #[cfg(unix)]
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self.file(), bytes, at)
    }

    #[cfg(unix)]
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::write_at(self.file(), bytes, at)
    }

    #[cfg(not(unix))]
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        self.with(at, |file| io::Read::read(file, bytes))
    }

    #[cfg(not(unix))]
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
        self.with(at, |file| io::Write::write(file, bytes))
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.file().metadata()?.len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file().set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        // NTFS keeps changes of names in a journal, in their order. Windows syncs no folder.
        if cfg!(windows) && self.file().metadata()?.is_dir() {
            return Ok(());
        }
        self.file().sync_all()
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        self.file().try_lock()
    }

    #[cfg(unix)]
    fn is_at(&self, path: &Path) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let file = self.file().metadata()?;
        match fs::symlink_metadata(path) {
            Ok(found) => Ok((file.dev(), file.ino()) == (found.dev(), found.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    #[cfg(not(unix))]
    fn is_at(&self, path: &Path) -> io::Result<bool> {
        path.try_exists()
    }

    #[cfg(target_os = "linux")]
    fn drop_cache(&self) -> io::Result<()> {
        Ok(rustix::fs::fadvise(self.file(), 0, None, rustix::fs::Advice::DontNeed)?)
    }

    fn copy_permissions(&self, from: &Path) -> io::Result<()> {
        self.file().set_permissions(fs::symlink_metadata(from)?.permissions())
    }
}
