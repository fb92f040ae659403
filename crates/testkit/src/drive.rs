//! A file system in memory whose power can go out, and whose operations can fail.
//!
//! A power cut loses what was not synced: some bytes of some writes, and some changes of names, in any order. After a
//! failed sync, the writes before it are lost even if the next sync succeeds, as on Linux.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retrograde_files::{FileSystem, Found, Mode, OpenFile};

use crate::Rng;

/// The file system. Mount it with [`retrograde_files::mount`].
#[derive(Clone, Default)]
pub struct Drive(Arc<Mutex<State>>);

/// What happens at some operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The power goes out, before the operation has any effect.
    PowerCut,
    /// No space is left.
    Full,
    /// The device fails.
    Device,
}

#[derive(Default)]
struct State {
    files: Vec<Content>,
    names: BTreeMap<PathBuf, Name>,
    /// The names after a power cut, if all changes that were not synced are lost.
    durable: BTreeMap<PathBuf, Name>,
    /// The changes of names that were not synced, in order.
    pending: Vec<Change>,
    locked: HashSet<usize>,
    has_no_locks: bool,
    /// How often the power came back. Files opened before are dead.
    life: u64,
    is_out: bool,
    /// How many operations there were.
    calls: u64,
    /// What happens at which operation, and whether it happens at all later ones, too.
    fault: Option<(u64, Fault, bool)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Folder,
    File(usize),
}

/// Removes a name and adds another, at once.
struct Change {
    removed: Option<PathBuf>,
    added: Option<(PathBuf, Name)>,
}

/// The bytes of a file.
#[derive(Default)]
struct Content {
    bytes: Vec<u8>,
    durable: Vec<u8>,
    /// The writes that were not synced, in order.
    pending: Vec<Write>,
}

enum Write {
    Bytes { at: usize, bytes: Vec<u8> },
    Len(usize),
}

impl Write {
    /// Applies the write. Of its bytes, only those in `kept`.
    fn apply(&self, to: &mut Vec<u8>, kept: impl Fn(usize) -> bool) {
        match self {
            Write::Len(len) => to.resize(*len, 0),
            Write::Bytes { at, bytes } => {
                to.resize(to.len().max(at + bytes.len()), 0);
                for (i, byte) in bytes.iter().enumerate().filter(|(i, _)| kept(at + i)) {
                    to[at + i] = *byte;
                }
            }
        }
    }
}

impl Change {
    fn apply(&self, names: &mut BTreeMap<PathBuf, Name>) {
        if let Some(path) = &self.removed {
            names.remove(path);
        }
        names.extend(self.added.clone());
    }

    fn is_in(&self, folder: &Path) -> bool {
        let paths = self.removed.iter().chain(self.added.iter().map(|(path, _)| path));
        paths.into_iter().any(|path| path.parent() == Some(folder))
    }
}

impl Drive {
    /// A file system with one folder, which is durable.
    pub fn new(root: &Path) -> Drive {
        let drive = Drive::default();
        let mut state = drive.state();
        state.names.insert(root.into(), Name::Folder);
        state.durable.insert(root.into(), Name::Folder);
        drop(state);
        drive
    }

    /// Lets something happen at an operation, counted from now on, and if `lasting` also at all later ones. The power
    /// stays out in any case.
    pub fn set_fault(&self, call: u64, fault: Fault, lasting: bool) {
        let mut state = self.state();
        (state.calls, state.fault) = (0, Some((call, fault, lasting)));
    }

    /// From now on, this is a file system without locks.
    pub fn set_no_locks(&self) {
        self.state().has_no_locks = true;
    }

    /// How many operations there were since the last restart or fault was set.
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Whether the fault has happened.
    pub fn has_failed(&self) -> bool {
        let state = self.state();
        state.fault.is_some_and(|(call, ..)| state.calls > call)
    }

    /// Ends all processes: what is open is closed, and nothing is lost.
    pub fn kill(&self) {
        let mut state = self.state();
        state.life += 1;
        state.locked.clear();
        (state.is_out, state.calls, state.fault) = (false, 0, None);
    }

    /// Cuts the power, and brings it back. All that was not synced is lost.
    pub fn restart_at_worst(&self) {
        let mut state = self.state();
        state.pending.clear();
        state.files.iter_mut().for_each(|content| content.pending.clear());
        drop(state);
        // Nothing is left to chance.
        self.restart(&mut Rng::new(0));
    }

    /// Cuts the power, and brings it back.
    pub fn restart(&self, rng: &mut Rng) {
        self.kill();
        let state = &mut *self.state();
        // Some file systems keep the order of the changes of names, others do not.
        let (all, ordered) = (state.pending.len() as u64, rng.below(2) == 0);
        let first_lost = rng.below(all + 1);
        for (i, change) in (0..).zip(std::mem::take(&mut state.pending)) {
            if if ordered { i < first_lost } else { rng.below(2) == 0 } {
                change.apply(&mut state.durable);
            }
        }
        // What lies in a folder that is lost is lost.
        let names = state.durable.clone();
        let root = names.keys().next().cloned();
        state.durable.retain(|path, _| {
            let folder = path.parent().unwrap_or(path);
            Some(path) == root.as_ref() || names.get(folder) == Some(&Name::Folder)
        });
        state.names = state.durable.clone();
        for content in &mut state.files {
            // The disk writes sectors.
            const SECTOR: usize = 512;
            let (all, seed) = (rng.below(3), rng.below(u64::MAX));
            for (number, write) in (0..).zip(std::mem::take(&mut content.pending)) {
                let lost = |at: usize| {
                    let sector = (at / SECTOR) as u64;
                    Rng::new(seed ^ sector << 20 ^ number).below(2) == 0
                };
                match all {
                    0 => {}
                    1 => write.apply(&mut content.durable, |_| true),
                    _ => write.apply(&mut content.durable, |at| !lost(at)),
                }
            }
            content.bytes = content.durable.clone();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an operation.
    fn call(&self) -> io::Result<MutexGuard<'_, State>> {
        let mut state = self.state();
        let call = state.calls;
        state.calls += 1;
        if state.is_out {
            return Err(error(Fault::PowerCut));
        }
        match state.fault {
            Some((at, fault, lasting)) if call == at || (lasting && call > at) => {
                state.is_out = fault == Fault::PowerCut;
                Err(error(fault))
            }
            _ => Ok(state),
        }
    }

    /// Begins an operation that takes no space, so it does not fail for lack of it.
    fn call_without_space(&self) -> io::Result<MutexGuard<'_, State>> {
        match self.call() {
            Err(full) if full.kind() == io::ErrorKind::StorageFull => Ok(self.state()),
            called => called,
        }
    }
}

fn error(fault: Fault) -> io::Error {
    match fault {
        Fault::PowerCut => io::Error::other("the power is out"),
        Fault::Full => io::Error::from_raw_os_error(28),
        Fault::Device => io::Error::from_raw_os_error(5),
    }
}

impl State {
    fn get(&self, path: &Path) -> io::Result<Name> {
        self.names.get(path).copied().ok_or(io::ErrorKind::NotFound.into())
    }

    fn change(&mut self, change: Change) {
        change.apply(&mut self.names);
        self.pending.push(change);
    }

    /// Adds a name. Its folder must exist.
    fn add(&mut self, path: &Path, name: Name) -> io::Result<()> {
        let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        match self.get(folder)? {
            Name::File(_) => Err(io::ErrorKind::NotADirectory.into()),
            Name::Folder => {
                self.change(Change { removed: None, added: Some((path.into(), name)) });
                Ok(())
            }
        }
    }

    fn remove(&mut self, path: &Path) {
        self.change(Change { removed: Some(path.into()), added: None });
    }

    fn below(&self, folder: &Path) -> Vec<PathBuf> {
        let inside = |path: &&PathBuf| path.starts_with(folder) && *path != folder;
        self.names.keys().filter(inside).cloned().collect()
    }
}

impl FileSystem for Drive {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn OpenFile>> {
        if mode == Mode::Nameless {
            let mut state = self.call()?;
            let (name, life) = (Name::File(state.files.len()), state.life);
            state.files.push(Content::default());
            let (drive, path, locked) = (self.clone(), path.into(), Mutex::new(false));
            return Ok(Box::new(OpenedFile { drive, path, name, life, locked }));
        }
        let creates = matches!(mode, Mode::Write | Mode::New) && self.state().get(path).is_err();
        let mut state = if creates { self.call()? } else { self.call_without_space()? };
        let name = match (state.get(path), mode) {
            (Ok(Name::Folder), Mode::Folder) => Name::Folder,
            (Ok(Name::File(file)), Mode::Read | Mode::Write) => Name::File(file),
            (Ok(_), Mode::New) => return Err(io::ErrorKind::AlreadyExists.into()),
            (Ok(_), _) => return Err(io::Error::other("the path exists and is not a file")),
            (Err(error), Mode::Read | Mode::Folder | Mode::Nameless) => return Err(error),
            (Err(_), Mode::Write | Mode::New) => {
                let file = Name::File(state.files.len());
                state.add(path, file)?;
                state.files.push(Content::default());
                file
            }
        };
        let (drive, path, life) = (self.clone(), path.into(), state.life);
        Ok(Box::new(OpenedFile { drive, path, name, life, locked: Mutex::new(false) }))
    }

    fn look(&self, path: &Path) -> io::Result<Found> {
        Ok(match self.call_without_space()?.get(path)? {
            Name::Folder => Found::Folder,
            Name::File(_) => Found::File,
        })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let state = self.call_without_space()?;
        match state.get(folder)? {
            Name::File(_) => Err(io::ErrorKind::NotADirectory.into()),
            Name::Folder => {
                let inside = state.names.keys().filter(|path| path.parent() == Some(folder));
                Ok(inside.filter_map(|path| Some(path.file_name()?.to_owned())).collect())
            }
        }
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        let mut state = self.call()?;
        match state.get(path) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => state.add(path, Name::Folder),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.call()?;
        let name = state.get(from)?;
        let (removed, added) = (Some(from.into()), Some((to.into(), name)));
        state.change(Change { removed, added });
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.call_without_space()?.get(to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let mut state = self.call_without_space()?;
        match state.get(path)? {
            Name::Folder => Err(io::ErrorKind::IsADirectory.into()),
            Name::File(_) => {
                state.remove(path);
                Ok(())
            }
        }
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        let mut state = self.call_without_space()?;
        match (state.get(path)?, state.below(path).is_empty()) {
            (Name::File(_), _) => Err(io::ErrorKind::NotADirectory.into()),
            (Name::Folder, false) => Err(io::ErrorKind::DirectoryNotEmpty.into()),
            (Name::Folder, true) => {
                state.remove(path);
                Ok(())
            }
        }
    }

    fn remove_all(&self, path: &Path) -> io::Result<()> {
        let mut state = self.call_without_space()?;
        let below = state.below(path);
        below.iter().rev().for_each(|path| state.remove(path));
        state.remove(path);
        Ok(())
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.into())
    }
}

/// An open file or folder.
struct OpenedFile {
    drive: Drive,
    path: PathBuf,
    name: Name,
    life: u64,
    locked: Mutex<bool>,
}

impl OpenedFile {
    /// Checks an operation, and returns the file.
    fn file<'s>(&self, state: &'s mut State) -> io::Result<&'s mut Content> {
        match self.name {
            _ if state.life != self.life => Err(error(Fault::PowerCut)),
            Name::Folder => Err(io::ErrorKind::IsADirectory.into()),
            Name::File(file) => Ok(&mut state.files[file]),
        }
    }
}

impl OpenFile for OpenedFile {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let state = &mut *self.drive.call_without_space()?;
        let file = self.file(state)?;
        let there = file.bytes.get(at as usize..).unwrap_or_default();
        let len = there.len().min(bytes.len());
        bytes[..len].copy_from_slice(&there[..len]);
        Ok(len)
    }

    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
        let called = self.drive.call().map(drop);
        let state = &mut *self.drive.state();
        let half = match &called {
            Err(full) if full.kind() == io::ErrorKind::StorageFull => &bytes[..bytes.len() / 2],
            Err(_) => &[],
            Ok(()) => bytes,
        };
        if !half.is_empty() {
            let file = self.file(state)?;
            let write = Write::Bytes { at: at as usize, bytes: half.to_vec() };
            write.apply(&mut file.bytes, |_| true);
            file.pending.push(write);
        }
        called.map(|()| bytes.len())
    }

    fn len(&self) -> io::Result<u64> {
        let state = &mut *self.drive.call_without_space()?;
        Ok(self.file(state)?.bytes.len() as u64)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let state = &mut *self.drive.call_without_space()?;
        let file = self.file(state)?;
        let write = Write::Len(len as usize);
        write.apply(&mut file.bytes, |_| true);
        file.pending.push(write);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let called = self.drive.call().map(drop);
        let state = &mut *self.drive.state();
        match self.name {
            Name::Folder if called.is_ok() && state.life == self.life => {
                let (synced, pending) = std::mem::take(&mut state.pending)
                    .into_iter()
                    .partition(|change| change.is_in(&self.path));
                let synced: Vec<Change> = synced;
                synced.iter().for_each(|change| change.apply(&mut state.durable));
                state.pending = pending;
            }
            Name::Folder => {}
            Name::File(_) if state.is_out => {}
            Name::File(_) => {
                let file = self.file(state)?;
                let pending = std::mem::take(&mut file.pending);
                if called.is_ok() {
                    pending.iter().for_each(|write| write.apply(&mut file.durable, |_| true));
                }
            }
        }
        called
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        let mut state = self.drive.call_without_space().map_err(TryLockError::Error)?;
        let Name::File(file) = self.name else {
            return Err(TryLockError::Error(io::ErrorKind::IsADirectory.into()));
        };
        if state.life != self.life {
            return Err(TryLockError::Error(error(Fault::PowerCut)));
        }
        if state.has_no_locks {
            return Err(TryLockError::Error(io::ErrorKind::Unsupported.into()));
        }
        let mut locked = self.locked.lock().unwrap_or_else(PoisonError::into_inner);
        if !*locked && !state.locked.insert(file) {
            return Err(TryLockError::WouldBlock);
        }
        *locked = true;
        Ok(())
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let state = self.drive.call_without_space()?;
        Ok(state.life == self.life && state.get(path).ok() == Some(self.name))
    }

    fn copy_permissions(&self, _: &Path) -> io::Result<()> {
        self.drive.call_without_space().map(drop)
    }
}

impl Drop for OpenedFile {
    fn drop(&mut self) {
        let mut state = self.drive.state();
        let locked = *self.locked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Name::File(file) = self.name
            && locked
            && state.life == self.life
        {
            state.locked.remove(&file);
        }
    }
}
