//! What this process removes again: drafts, locks, folders made for a trial.
//!
//! Its owner removes each when it is dropped. A program that a signal ends has owners in the middle of their work on other
//! threads, so the paths stand in one list as well, and [`remove_unfinished`] removes what is there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// All of this process, in the order they were made.
static ALL: Mutex<Vec<(PathBuf, Kind)>> = Mutex::new(Vec::new());

/// A file or folder that is removed when this is dropped, or when the program [ends at once](remove_unfinished).
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    File,
    /// A folder, with all that is in it.
    Folder,
    /// A folder, unless there is something in it.
    Empty,
}

impl Unfinished {
    /// Makes a file, and notes its path. No file is made while the program ends.
    pub(crate) fn make<T>(
        make: impl FnOnce() -> io::Result<(PathBuf, T)>,
    ) -> io::Result<(Unfinished, T)> {
        let mut all = all();
        let (path, made) = make()?;
        all.push((path.clone(), Kind::File));
        Ok((Unfinished { path }, made))
    }

    /// Notes a file.
    pub(crate) fn file(path: PathBuf) -> Unfinished {
        all().push((path.clone(), Kind::File));
        Unfinished { path }
    }

    /// Notes a folder, which goes with all that is in it.
    pub fn folder(path: PathBuf) -> Unfinished {
        all().push((path.clone(), Kind::Folder));
        Unfinished { path }
    }

    /// Notes a folder, which stays if there is something in it.
    pub fn empty_folder(path: PathBuf) -> Unfinished {
        all().push((path.clone(), Kind::Empty));
        Unfinished { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Finishes it: it stays, unless that fails.
    pub(crate) fn finish<T>(self, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        let mut all = all();
        let acted = act(&self.path);
        if acted.is_ok() {
            // So that nothing is found to remove.
            all.retain(|(path, _)| *path != self.path);
        }
        drop(all);
        acted
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut all = all();
        if let Some(at) = all.iter().rposition(|(path, _)| *path == self.path) {
            let (path, kind) = all.remove(at);
            kind.remove(&path);
        }
    }
}

impl Kind {
    /// Removes it. There is nobody to tell if that fails: the next writer tries again.
    fn remove(self, path: &Path) {
        let _ = match self {
            Kind::File => fs::remove_file(path),
            Kind::Folder => fs::remove_dir_all(path),
            Kind::Empty => fs::remove_dir(path),
        };
    }
}

/// Removes what this process has begun and not finished: for a program that is about to end. Until what is returned is
/// dropped, other threads begin and finish nothing.
///
/// It waits so long at most for a thread that is just making or finishing a file, and else removes nothing.
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
    // What lies in a folder goes before the folder.
    all.iter_mut().flat_map(|all| all.drain(..).rev()).for_each(|(path, kind)| kind.remove(&path));
    Ended { _all: all }
}

/// Keeps the list to itself.
struct Ended {
    _all: Option<MutexGuard<'static, Vec<(PathBuf, Kind)>>>,
}

impl Drop for Ended {
    fn drop(&mut self) {}
}

fn all() -> MutexGuard<'static, Vec<(PathBuf, Kind)>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, FolderLock};

    /// A program that a signal ended in the middle of its work left drafts and locks. This very test runs once more, in a
    /// process of its own, since it removes what other tests have begun.
    #[test]
    fn what_is_unfinished_is_removed_and_nothing_is_finished_after() {
        const AGAIN: &str = "RETROGRADE_UNFINISHED";
        let Some(folder) = std::env::var_os(AGAIN).map(PathBuf::from) else {
            let this =
                "unfinished::tests::what_is_unfinished_is_removed_and_nothing_is_finished_after";
            let folder =
                std::env::temp_dir().join(format!("retrograde-unfinished-{}", std::process::id()));
            let me = std::env::current_exe().expect("a test runs");
            let mut again = std::process::Command::new(me);
            let output = again.args(["--exact", this]).env(AGAIN, &folder).output();
            let output = output.expect("it starts");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
            return;
        };
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).expect("a folder");
            entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
        };
        fs::create_dir_all(folder.join("trial/inside")).expect("a folder");
        fs::create_dir(folder.join("empty")).expect("a folder");
        let trial = Unfinished::folder(folder.join("trial"));
        let empty = Unfinished::empty_folder(folder.join("empty"));
        let lock = FolderLock::acquire(&folder.join("empty")).expect("a lock");
        let mut finished = Draft::create(&folder.join("finished")).expect("a draft");
        finished.write(b"all").expect("room");
        finished.publish().expect("it is finished");
        let (draft, late) = (
            Draft::create(&folder.join("draft")).expect("a draft"),
            Draft::create(&folder.join("late")).expect("a draft"),
        );
        let ended = remove_unfinished(Duration::ZERO);
        assert_eq!(names(&folder), ["finished"]);
        let publishing = thread::spawn(move || late.publish());
        thread::sleep(Duration::from_millis(20));
        assert!(!publishing.is_finished(), "finished after the end");
        drop(ended);
        assert!(publishing.join().expect("no panic").is_err());
        drop((draft, lock, empty, trial));
        assert_eq!(names(&folder), ["finished"]);
        fs::remove_dir_all(&folder).expect("the test's own folder");
    }
}
