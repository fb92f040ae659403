//! A list of the files and folders that this process must remove: temporary files, locks, folders of a trial.
//!
//! Each owner removes its file on drop. When a signal ends the program, other threads still own files. So
//! there is a list of all paths, and [`remove_unfinished`] removes them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::system::at;

/// All paths of this process, in the order of their creation. Each has a number, because a path may be there twice: of a
/// lease that is lost, and of the one that took it.
static ALL: Mutex<Vec<(u64, PathBuf, Kind)>> = Mutex::new(Vec::new());

/// A file or folder that is removed on drop, or when the program [ends at once](remove_unfinished).
#[derive(Debug)]
pub struct Unfinished {
    number: u64,
    path: PathBuf,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    File,
    /// A folder with all its contents.
    Folder,
    /// A folder, if it is empty.
    Empty,
}

impl Unfinished {
    /// Creates a file and records its path. Creates no file while the program ends.
    pub(crate) fn make<T>(
        make: impl FnOnce() -> io::Result<(PathBuf, T)>,
    ) -> io::Result<(Unfinished, T)> {
        let mut all = all();
        let (path, made) = make()?;
        Ok((Unfinished::record(&mut all, path, Kind::File), made))
    }

    /// Records a file.
    pub(crate) fn file(path: PathBuf) -> Unfinished {
        Unfinished::record(&mut all(), path, Kind::File)
    }

    /// Records a folder, which will be removed with all its contents.
    pub fn folder(path: PathBuf) -> Unfinished {
        Unfinished::record(&mut all(), path, Kind::Folder)
    }

    /// Records a folder, which will be removed if it is empty.
    pub fn empty_folder(path: PathBuf) -> Unfinished {
        Unfinished::record(&mut all(), path, Kind::Empty)
    }

    fn record(all: &mut Vec<(u64, PathBuf, Kind)>, path: PathBuf, kind: Kind) -> Unfinished {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        all.push((number, path.clone(), kind));
        Unfinished { number, path }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes it off the list: it stays.
    pub(crate) fn keep(self) {
        let _ = self.finish(|_| Ok(()));
    }

    /// Completes it with `act`: it stays, unless `act` fails.
    pub(crate) fn finish<T>(self, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        let mut all = all();
        let acted = act(&self.path);
        if acted.is_ok() {
            // Take the path off the list, so that the file stays.
            all.retain(|(number, ..)| *number != self.number);
        }
        drop(all);
        acted
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut all = all();
        if let Some(at) = all.iter().rposition(|(number, ..)| *number == self.number) {
            let (_, path, kind) = all.remove(at);
            kind.remove(&path);
        }
    }
}

impl Kind {
    /// Removes it. Ignores an error: the next writer tries again.
    fn remove(self, path: &Path) {
        let _ = at(path, |system| match self {
            Kind::File => system.remove_file(path),
            Kind::Folder => system.remove_all(path),
            Kind::Empty => system.remove_folder(path),
        });
    }
}

/// Removes everything that this process has begun and not completed. Call it just before the program ends.
/// Until you drop the result, other threads cannot begin or complete a file.
///
/// Waits at most `patience` for a thread that is creating or completing a file. If that takes longer, removes
/// nothing.
pub fn remove_unfinished(patience: Duration) -> impl Drop {
    let begun = Instant::now();
    let mut all = loop {
        match ALL.try_lock() {
            Ok(all) => break Some(all),
            Err(TryLockError::Poisoned(poisoned)) => break Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if begun.elapsed() >= patience => break None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    };
    // The contents of a folder go before the folder.
    all.iter_mut()
        .flat_map(|all| all.drain(..).rev())
        .for_each(|(_, path, kind)| kind.remove(&path));
    Ended { _all: all }
}

/// Holds the lock of the list.
struct Ended {
    _all: Option<MutexGuard<'static, Vec<(u64, PathBuf, Kind)>>>,
}

impl Drop for Ended {
    fn drop(&mut self) {}
}

fn all() -> MutexGuard<'static, Vec<(u64, PathBuf, Kind)>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{FolderLock, TempFile};

    const FOLDER: &str = "RETROGRADE_UNFINISHED";

    /// A program that a signal ended during its work left temporary files and locks.
    #[test]
    fn what_is_unfinished_is_removed_and_nothing_is_finished_after() {
        let child = "unfinished::tests::remove_what_is_unfinished";
        let folder =
            std::env::temp_dir().join(format!("retrograde-unfinished-{}", std::process::id()));
        let me = std::env::current_exe().expect("a test runs");
        let mut command = std::process::Command::new(me);
        let output = command.args(["--ignored", "--exact", child]).env(FOLDER, &folder).output();
        let output = output.expect("it starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
    }

    #[test]
    #[ignore = "run as a child, because it removes the files of all other tests too"]
    fn remove_what_is_unfinished() {
        let folder = PathBuf::from(std::env::var_os(FOLDER).expect("a parent says where"));
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).expect("a folder");
            entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
        };
        fs::create_dir_all(folder.join("trial/inside")).expect("a folder");
        fs::create_dir(folder.join("empty")).expect("a folder");
        let trial = Unfinished::folder(folder.join("trial"));
        let empty = Unfinished::empty_folder(folder.join("empty"));
        let lock = FolderLock::acquire(&folder.join("empty")).expect("a lock");
        let mut finished = TempFile::create(&folder.join("finished")).expect("a temp_file");
        finished.write(b"all").expect("room");
        finished.publish().expect("it is finished");
        let (temp_file, late) = (
            TempFile::create(&folder.join("temp_file")).expect("a temp_file"),
            TempFile::create(&folder.join("late")).expect("a temp_file"),
        );
        let ended = remove_unfinished(Duration::ZERO);
        assert_eq!(names(&folder), ["finished"]);
        let publishing = thread::spawn(move || late.publish());
        thread::sleep(Duration::from_millis(20));
        assert!(!publishing.is_finished(), "finished after the end");
        drop(ended);
        assert!(publishing.join().expect("no panic").is_err());
        drop((temp_file, lock, empty, trial));
        assert_eq!(names(&folder), ["finished"]);
        fs::remove_dir_all(&folder).expect("the test's own folder");
    }
}
