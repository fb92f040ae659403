//! Leases: which process works on what, in a folder that processes on several machines share.
//!
//! A lease is a file. Its text names the process, and counts up while the process lives. If the count stands still for
//! [`BEATS`] looks, the lease is *stale*, and another process may take it. Each process counts its own looks, so clocks may
//! differ. A process that was stopped and goes on looks only once in that time. So it takes no lease for stale too early.
//!
//! Where the file system has locks, the holder also locks the file. The system ends the lock together with the process.
//! So a process on the same machine takes the lease of a dead one at once.
//!
//! A lease saves work and proves nothing. Two processes may believe that they hold one, for example after one of them was
//! stopped for a minute. So results must not depend on leases.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::error::FileError;
use crate::file::File;
use crate::folder::{exists, list, remove_file};
use crate::lock::{FolderLock, host};
use crate::temp_file::sweep_temp_files;
use crate::unfinished::Unfinished;

/// A lease whose count stands still for so many looks is stale.
const BEATS: u32 = 6;
/// The text of a lease has this length, so that a process can write it over the last one.
const TEXT_BYTES: usize = 256;
/// The file names of leases end with this.
const ENDING: &str = ".lease";

/// The leases of a folder, as one process sees them. A thread renews those that the process holds.
///
/// ```
/// use std::time::Duration;
/// use retrograde_files::{Leases, Take};
///
/// # let folder = std::env::temp_dir().join(format!("retrograde-leases-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let leases = Leases::new(&folder, "chess", Duration::from_secs(5));
/// let Take::Ours(ours) = leases.take("work", 0)? else { panic!("it was free") };
/// assert!(matches!(leases.take("work", 0)?, Take::Held(_)));
/// drop(ours);
/// assert!(matches!(leases.take("work", 0)?, Take::Ours(_)));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Leases {
    folder: PathBuf,
    interval: Duration,
    /// Which system this process runs on, so that locks and memory are shared.
    machine: String,
    /// What this process works on.
    work: String,
    held: Arc<Renewed>,
    /// The leases of others, by file name.
    seen: Mutex<HashMap<String, Seen>>,
}

/// The result of [`Leases::take`].
pub enum Take {
    /// This process holds the lease.
    Ours(Lease),
    /// Another process holds it: its description.
    Held(String),
}

/// A lease that this process holds, unless another takes it for stale. On drop, the lease ends.
pub struct Lease {
    /// There until the drop.
    held: Option<Arc<Held>>,
    renewed: Arc<Renewed>,
}

struct Held {
    path: PathBuf,
    file: File,
    text: Mutex<Text>,
    /// Whether the path no longer leads to this file.
    lost: AtomicBool,
    /// Removed on drop, unless another process has taken the lease.
    unfinished: Option<Unfinished>,
}

/// The leases to renew, and the signal that the last one is gone.
#[derive(Default)]
struct Renewed {
    leases: Mutex<(Vec<Weak<Held>>, bool)>,
    ended: Condvar,
}

/// The text of a lease.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Text {
    process: u32,
    host: String,
    machine: String,
    work: String,
    /// The memory that the work takes.
    memory: u64,
    beat: u64,
}

/// What this process knows of a lease of another.
struct Seen {
    text: Vec<u8>,
    /// How often it has looked at this very text, and when it last did.
    looks: u32,
    last: Instant,
}

impl Leases {
    /// The leases of a folder that exists, for a process that works on `work`. Each process renews its own leases after
    /// every `interval`.
    pub fn new(folder: &Path, work: &str, interval: Duration) -> Leases {
        // Containers of one machine have different hosts, and share a system.
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let machine = boot.map_or_else(|_| host(), |boot| boot.trim().to_owned());
        let held = Arc::new(Renewed::default());
        let renewed = Arc::clone(&held);
        // Without this thread, others take the leases too early. That costs only time.
        let _ = thread::Builder::new().spawn(move || renewed.renew(interval));
        Leases {
            folder: folder.into(),
            interval,
            machine,
            work: work.into(),
            held,
            seen: Mutex::default(),
        }
    }

    /// Takes the lease of this name, unless another process or another thread holds it. It says that the work takes
    /// `memory` bytes.
    pub fn take(&self, name: &str, memory: u64) -> Result<Take, FileError> {
        let file_name = format!("{name}{ENDING}");
        let path = self.folder.join(&file_name);
        let failed = |source| FileError::new(&path, "lease", source);
        loop {
            match File::create_new(&path) {
                Ok(file) => match file.file.try_lock() {
                    // Another process takes the author for dead: it has locked the file, or removed it.
                    Err(fs::TryLockError::WouldBlock) => {}
                    Ok(()) if !file.file.is_at(&path).map_err(failed)? => continue,
                    _ => return self.hold(path, file, memory).map(Take::Ours),
                },
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
            let file = File::open_or_create(&path).map_err(failed)?;
            let locked = file.file.try_lock().is_ok();
            let bytes = read(&file).map_err(failed)?;
            if !file.file.is_at(&path).map_err(failed)? {
                continue;
            }
            let text = serde_json::from_slice::<Text>(&bytes).ok();
            let same = |text: &Text| text.machine == self.machine;
            if locked && text.as_ref().is_none_or(same) {
                return self.hold(path, file, memory).map(Take::Ours);
            }
            if !self.is_stale(&file_name, bytes) {
                let holder = text.map(|text| text.to_string());
                return Ok(Take::Held(holder.unwrap_or_else(|| "another process".into())));
            }
            // The last holder may still have the file open. It writes to a file without a name from now on.
            remove_file(&path)?;
        }
    }

    /// The memory of all leases that living processes of this machine hold, except this process.
    pub fn memory_of_others(&self) -> Result<u64, FileError> {
        let here = |other: &Text| other.machine == self.machine;
        Ok(self.others()?.iter().filter(|other| here(other)).map(|other| other.memory).sum())
    }

    /// Whether another living process has a lease here, and works on something else.
    pub fn others_differ(&self) -> Result<bool, FileError> {
        Ok(self.others()?.iter().any(|other| other.work != self.work))
    }

    /// Whether no other living process has a lease here.
    pub fn are_alone(&self) -> Result<bool, FileError> {
        Ok(self.others()?.is_empty())
    }

    /// The leases of other processes that are not stale. Removes those of dead processes: on this machine they have no locks,
    /// and on others they are stale.
    fn others(&self) -> Result<Vec<Text>, FileError> {
        let mut others = Vec::new();
        for name in list(&self.folder)? {
            let Some(name) = name.to_str().filter(|name| name.ends_with(ENDING)) else { continue };
            let path = self.folder.join(name);
            let Ok(file) = File::open(&path) else { continue };
            let Ok(bytes) = read(&file) else { continue };
            let Ok(text) = serde_json::from_slice::<Text>(&bytes) else {
                // Its author has created it a moment ago, or has died then.
                let is_dead = file.file.try_lock().is_ok();
                if is_dead && file.file.is_at(&path).unwrap_or(false) {
                    remove_file(&path)?;
                }
                continue;
            };
            let here = text.machine == self.machine;
            let is_ours = here && text.process == std::process::id();
            // A stopped process holds its locks, but no other must wait for it.
            let is_stale = !is_ours && self.is_stale(name, bytes);
            let is_dead = if here { file.file.try_lock().is_ok() } else { is_stale };
            if is_dead && file.file.is_at(&path).unwrap_or(false) {
                remove_file(&path)?;
            } else if !is_stale && !is_ours {
                others.push(text);
            }
        }
        Ok(others)
    }

    /// Removes what killed processes have left in the folder: leases, the lock of the folder, and temporary files.
    pub fn sweep(&self) -> Result<(), FileError> {
        sweep_temp_files(&self.folder);
        if exists(&self.folder.join(FolderLock::FILE)) {
            // Its drop removes the file. A living process keeps it for a moment, and removes it then.
            drop(FolderLock::acquire(&self.folder));
        }
        self.others().map(drop)
    }

    /// Keeps other processes from taking leases, for the moment that it takes to look at the memory of others and to take
    /// a lease. Gives up if another process takes too long, or if there are no locks.
    pub fn alone(&self) -> Option<FolderLock> {
        const TRIES: u32 = 50;
        const PAUSE: Duration = Duration::from_millis(10);
        for _ in 0..TRIES {
            match FolderLock::acquire(&self.folder) {
                Ok(lock) => return Some(lock),
                Err(FileError::Held { .. }) => thread::sleep(PAUSE),
                Err(_) => return None,
            }
        }
        None
    }

    fn hold(&self, path: PathBuf, file: File, memory: u64) -> Result<Lease, FileError> {
        let text = Mutex::new(Text {
            process: std::process::id(),
            host: host(),
            machine: self.machine.clone(),
            work: self.work.clone(),
            memory,
            beat: 0,
        });
        let unfinished = Some(Unfinished::file(path.clone()));
        let lost = AtomicBool::new(false);
        let held = Arc::new(Held { path, file, text, lost, unfinished });
        held.renew().map_err(|source| FileError::new(&held.path, "lease", source))?;
        lock(&self.held.leases).0.push(Arc::downgrade(&held));
        Ok(Lease { held: Some(held), renewed: Arc::clone(&self.held) })
    }

    /// Notes a look at the lease of another process. Whether it is stale.
    fn is_stale(&self, name: &str, text: Vec<u8>) -> bool {
        let mut seen = lock(&self.seen);
        match seen.get_mut(name) {
            Some(seen) if seen.text == text => {
                // Looks in quick succession are one, however often this process asks. A look after a long pause is one,
                // too: the holder may have paused as long.
                if seen.last.elapsed() >= self.interval {
                    (seen.looks, seen.last) = (seen.looks + 1, Instant::now());
                }
                seen.looks >= BEATS
            }
            _ => {
                seen.insert(name.into(), Seen { text, looks: 0, last: Instant::now() });
                false
            }
        }
    }
}

impl Lease {
    /// Whether another process has taken the lease. That is noticed when the lease is to be renewed.
    pub fn is_lost(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.lost.load(Ordering::Relaxed))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // The thread that renews it would otherwise remove the file, a moment later.
        let _leases = lock(&self.renewed.leases);
        self.held = None;
    }
}

impl Drop for Leases {
    fn drop(&mut self) {
        lock(&self.held.leases).1 = true;
        self.held.ended.notify_all();
    }
}

impl Renewed {
    /// Renews all leases after every interval, until they are dropped.
    fn renew(&self, interval: Duration) {
        let mut leases = lock(&self.leases);
        while !leases.1 {
            let waited = self.ended.wait_timeout(leases, interval);
            leases = waited.unwrap_or_else(PoisonError::into_inner).0;
            leases.0.retain(|held| match held.upgrade() {
                Some(held) => {
                    // If this fails, others will find the lease stale. That costs only time.
                    let _ = held.renew();
                    let lost = !held.file.file.is_at(&held.path).unwrap_or(true);
                    held.lost.store(lost, Ordering::Relaxed);
                    !lost
                }
                None => false,
            });
        }
    }
}

impl Held {
    fn renew(&self) -> io::Result<()> {
        let mut text = lock(&self.text);
        text.beat += 1;
        let mut bytes = serde_json::to_vec(&*text)?;
        bytes.resize(bytes.len().max(TEXT_BYTES - 1), b' ');
        bytes.push(b'\n');
        self.file.write_all_at(&bytes, 0)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(unfinished) = self.unfinished.take()
            && !self.file.file.is_at(&self.path).unwrap_or(false)
        {
            unfinished.keep();
        }
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} on {}", self.process, self.host)
    }
}

/// The text of a lease. It may be empty, because its author has just created the file.
fn read(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.cursor(0).take(4 * TEXT_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
