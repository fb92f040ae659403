//! Checkpoints. At the end of a level every process writes its state to its own file. When all have done so, the first
//! process writes a manifest. So after a crash at any time, the files of the level in the manifest are complete.
//!
//! No process waits for this. The messages travel with the sums of the next level: the first process says
//! when to write, and all say which level they have written. The files of a level are removed once a later
//! manifest exists.
//!
//! Another number of processes can continue too, if each can read the files of all. The manifest gives the
//! old partition, and [`Repartitioned`] converts it.

use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use retrograde::Snapshot;
use retrograde_catalog::Checkpoints;
use retrograde_cluster::{BlockPartition, Piggyback};
use retrograde_files::{
    Cursor, Durable, FileError, FolderLock, Identity, create_folders, read_checkpoint, read_json,
    write_checkpoint, write_json,
};
use serde_json::{Value as Json, json};

use crate::job::{Job, difference};
use crate::say::say;
use crate::share::Share;

const MANIFEST: &str = "cluster.manifest";
const MAGIC: &[u8; 16] = b"retrograde shard";

/// The partition of the states: the number of processes, and the length of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    pub(crate) processes: u64,
    pub(crate) block: u64,
}

/// A complete checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) level: u32,
    pub(crate) partition: Partition,
}

impl Partition {
    pub(crate) fn of(block_partition: &BlockPartition) -> Partition {
        let processes = block_partition.processes() as u64;
        Partition { processes, block: block_partition.block_states() }
    }
}

impl Kept {
    /// The message with it for the other processes, who may not see the folder.
    pub(crate) fn told(kept: Option<Kept>) -> [u64; 3] {
        kept.map_or([0; 3], |Kept { level, partition }| {
            [u64::from(level) + 1, partition.processes, partition.block]
        })
    }

    /// The checkpoint in such a message.
    pub(crate) fn of(told: [u64; 3]) -> Option<Kept> {
        let [level, processes, block] = told;
        let level = level.checked_sub(1)? as u32;
        Some(Kept { level, partition: Partition { processes, block } })
    }
}

/// Removes all files of a solve whose table is written, if it was killed before it could. The files of
/// another solve are an error, and stay.
pub(crate) fn clear(job: &Job) -> Result<(), String> {
    let checkpoint = job.told.checkpoint.as_ref();
    let Some(checkpoint) = checkpoint.filter(|checkpoint| checkpoint.folder.is_dir()) else {
        return Ok(());
    };
    // All files belong to processes that no longer exist.
    let partition = Partition { processes: 0, block: 1 };
    let keeper = Keeper::new(checkpoint, 0, job.work(), partition)?;
    keeper.kept()?;
    keeper.remove();
    keeper.sweep(None);
    keeper.remove_folder();
    Ok(())
}

/// The checkpoints of one process. The end of a level and the sums share it.
#[derive(Clone)]
pub(crate) struct Keeper(Arc<Mutex<Keeping>>);

struct Keeping {
    folder: PathBuf,
    every: Duration,
    process: usize,
    /// The identity of the solve, and the partition.
    identity: Json,
    partition: Partition,
    /// The time of the last checkpoint.
    kept: Instant,
    /// Whether to write the current level.
    wanted: bool,
    /// The last level that this process has written.
    own: Option<u32>,
    /// The level of the manifest that the first process has written or is writing, and that of the last one
    /// known to be complete.
    manifest: Option<u32>,
    stands: Option<u32>,
    /// The levels that may have files.
    files: Vec<u32>,
    /// Files of processes that no longer exist. They are removed with the first old level.
    strays: Vec<PathBuf>,
    _lock: Option<FolderLock>,
}

impl Keeper {
    /// Creates the folder; the first process locks it.
    pub(crate) fn new(
        checkpoints: &Checkpoints,
        process: usize,
        identity: Json,
        partition: Partition,
    ) -> Result<Keeper, String> {
        let folder = &checkpoints.folder;
        let fault = |error: &dyn std::fmt::Display| {
            format!("{}: {error}; give another folder by --checkpoint", folder.display())
        };
        create_folders(folder).map_err(|error| fault(&error))?;
        let lock = (process == 0).then(|| FolderLock::acquire(folder)).transpose();
        Ok(Keeper(Arc::new(Mutex::new(Keeping {
            folder: folder.to_owned(),
            every: checkpoints.interval(),
            process,
            identity,
            partition,
            kept: Instant::now(),
            wanted: false,
            own: None,
            manifest: None,
            stands: None,
            files: Vec::new(),
            strays: Vec::new(),
            _lock: lock.map_err(|error| error.to_string())?,
        }))))
    }

    /// The checkpoint to continue from, according to the manifest. Only the first process asks.
    pub(crate) fn kept(&self) -> Result<Option<Kept>, String> {
        let keeping = self.lock();
        let path = keeping.folder.join(MANIFEST);
        let manifest = read_json::<Json>(&path).map_err(|error| keeping.refused(&error))?;
        let Some(manifest) = manifest else { return Ok(None) };
        if let Some(differs) = difference(&manifest["identity"], &keeping.identity) {
            let problem = format!("the checkpoint is of a solve with {differs}");
            return Err(keeping.refusal(&path, &problem));
        }
        let number = |key: &str, max: u64| manifest[key].as_u64().filter(|&number| number <= max);
        let kept = number("level", u64::from(u32::MAX) - 1)
            .zip(number("processes", 1 << 16).zip(number("block", u64::MAX)))
            .filter(|(_, (processes, block))| *processes > 0 && *block > 0)
            .map(|(level, (processes, block))| {
                let partition = Partition { processes, block };
                Kept { level: level as u32, partition }
            });
        kept.map(Some).ok_or_else(|| keeping.refusal(&path, "the manifest is damaged"))
    }

    /// Changes the partition, before the first level.
    pub(crate) fn set_partition(&self, partition: Partition) {
        self.lock().partition = partition;
    }

    /// Removes the files that a killed solve has left, except those in its manifest: each process its own,
    /// and the first process those of processes that no longer exist.
    pub(crate) fn sweep(&self, kept: Option<Kept>) {
        let mut keeping = self.lock();
        let level = kept.map(|kept| format!("level-{}.", kept.level));
        let mut strays = Vec::new();
        for entry in fs::read_dir(&keeping.folder).into_iter().flatten().flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let Some((name, owner)) = name.to_str().and_then(|name| Some((name, owner(name)?)))
            else {
                continue;
            };
            let is_stray = keeping.process == 0 && owner as u64 >= keeping.partition.processes;
            let is_kept = level.as_ref().is_some_and(|level| name.starts_with(level));
            match is_kept {
                true if is_stray => strays.push(path),
                false if is_stray || owner == keeping.process => drop(fs::remove_file(path)),
                _ => {}
            }
        }
        keeping.strays = strays;
    }

    /// The state of this process at the level of a manifest.
    pub(crate) fn read(&self, kept: Kept, share: &Share) -> Result<Box<dyn Read + Send>, String> {
        let mut keeping = self.lock();
        let level = Some(kept.level);
        (keeping.own, keeping.manifest, keeping.stands) = (level, level, level);
        keeping.files = vec![kept.level];
        let Keeping { process, partition, .. } = *keeping;
        if kept.partition == partition {
            return Ok(Box::new(keeping.open(kept, process)?));
        }
        let processes = kept.partition.processes as usize;
        let open = |of| {
            keeping.open(kept, of).map_err(|error| {
                format!("{error} (they were {processes} processes, and each has to read the files of all)")
            })
        };
        let files = (0..processes).map(open).collect::<Result<Vec<_>, _>>()?;
        let repartitioned = share.repartitioned(process, (processes, kept.partition.block), files);
        let path = keeping.file(kept.level, process);
        Ok(Box::new(repartitioned.map_err(|error| keeping.refusal(&path, &error.to_string()))?))
    }

    /// Writes the level, if wanted. A failure does not stop the solve: hours of work are worth more than a
    /// checkpoint.
    pub(crate) fn at_level_end(&self, snapshot: &Snapshot<'_>) {
        let mut keeping = self.lock();
        if !std::mem::take(&mut keeping.wanted) {
            return;
        }
        let level = snapshot.level();
        match keeping.write(snapshot) {
            Ok(()) => {
                keeping.own = Some(level);
                keeping.files.push(level);
            }
            Err(error) => {
                let process = keeping.process;
                say(
                    &json!({ "note": format!("warning: process {process}: {error}; the solve continues") }),
                );
            }
        }
    }

    /// Removes the checkpoint once it is no longer needed. The first process removes the manifest before any
    /// other file.
    pub(crate) fn remove(&self) {
        let mut keeping = self.lock();
        if keeping.process == 0 {
            let _ = fs::remove_file(keeping.folder.join(MANIFEST));
        }
        keeping.remove_before(None);
    }

    /// Removes the folder, if it is empty.
    pub(crate) fn remove_folder(self) {
        let mut keeping = self.lock();
        keeping._lock = None;
        let _ = fs::remove_dir(&keeping.folder);
    }

    fn lock(&self) -> MutexGuard<'_, Keeping> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeping {
    fn file(&self, level: u32, process: usize) -> PathBuf {
        self.folder.join(format!("level-{level}.process-{process}"))
    }

    /// How the file of a process begins.
    fn header(&self, process: usize, partition: Partition) -> Json {
        let Partition { processes, block } = partition;
        json!({ "of": self.identity, "process": process, "processes": processes, "block": block })
    }

    /// The file of a process, at the beginning of its snapshot.
    fn open(&self, kept: Kept, process: usize) -> Result<BufReader<Cursor>, String> {
        let path = self.file(kept.level, process);
        let about = self.header(process, kept.partition);
        let opened =
            read_checkpoint(&path, identity(&about)).map_err(|error| self.refused(&error))?;
        let (_, file) = opened.ok_or_else(|| self.refusal(&path, "there is no such file"))?;
        Ok(file)
    }

    fn write(&self, snapshot: &Snapshot<'_>) -> Result<(), FileError> {
        let path = self.file(snapshot.level(), self.process);
        let about = self.header(self.process, self.partition);
        write_checkpoint(&path, identity(&about), |to| snapshot.write(to))?;
        Ok(())
    }

    /// Writes the manifest of a complete level.
    fn write_manifest(&self, level: u32) -> Result<(), FileError> {
        let Partition { processes, block } = self.partition;
        let manifest = json!({
            "level": level,
            "processes": processes,
            "block": block,
            "identity": self.identity,
        });
        match write_json(&self.folder.join(MANIFEST), &manifest)? {
            Durable::Yes => Ok(()),
            // A loss of power may bring the manifest before it back, so the files of that one must stay.
            Durable::Unsure(error) => Err(error),
        }
    }

    /// Removes the files of levels before this one, or of all levels.
    fn remove_before(&mut self, level: Option<u32>) {
        let files = std::mem::take(&mut self.files);
        let (old, left) =
            files.into_iter().partition(|&file| level.is_none_or(|level| file < level));
        self.files = left;
        let old: Vec<u32> = old;
        if !old.is_empty() {
            let strays = std::mem::take(&mut self.strays);
            strays.iter().for_each(|path| drop(fs::remove_file(path)));
        }
        let process = self.process;
        old.iter().for_each(|&level| drop(fs::remove_file(self.file(level, process))));
    }

    /// The same for an error of a file.
    fn refused(&self, error: &FileError) -> String {
        match error {
            FileError::Damaged { path, problem } => {
                self.refusal(path, &format!("the checkpoint is damaged: {problem}"))
            }
            FileError::Foreign { path, difference } => {
                self.refusal(path, &format!("the checkpoint is of a solve with {difference}"))
            }
            error => error.to_string(),
        }
    }

    fn refusal(&self, path: &Path, problem: &str) -> String {
        let folder = self.folder.display();
        let path = path.display();
        format!(
            "{path}: {problem}; repeat the command that began it, or remove {folder} to start again"
        )
    }
}

/// The identity of a file with this header.
fn identity(about: &Json) -> Identity<'_> {
    Identity { magic: MAGIC, version: 1, about }
}

/// An optional level and a bit, as one number.
fn told(level: Option<u32>, bit: bool) -> u64 {
    level.map_or(0, |level| u64::from(level) + 1) << 1 | u64::from(bit)
}

impl Piggyback for Keeper {
    fn tell(&mut self) -> u64 {
        let mut keeping = self.lock();
        let now = keeping.process == 0 && keeping.kept.elapsed() >= keeping.every;
        if now {
            keeping.kept = Instant::now();
        }
        told(keeping.own, now)
    }

    fn told(&mut self, all: &[u64]) {
        let mut keeping = self.lock();
        keeping.wanted = all[0] & 1 != 0;
        // The first process has come this far, so the manifest of the last sums is written.
        keeping.stands = keeping.manifest;
        if let Some(level) = keeping.stands {
            keeping.remove_before(Some(level));
        }
        let level = (all[0] >> 1).checked_sub(1).map(|level| level as u32);
        if level.is_none()
            || level == keeping.manifest
            || all.iter().any(|said| said >> 1 != all[0] >> 1)
        {
            return;
        }
        if keeping.process == 0
            && let Some(level) = level
            && let Err(error) = keeping.write_manifest(level)
        {
            crate::say::fail(&format!("{error}; without it the checkpoint is of no use"));
        }
        keeping.manifest = level;
    }
}

/// The process that a file or temporary file belongs to.
fn owner(name: &str) -> Option<usize> {
    let (before, after) = name.split_once(".process-")?;
    let number = after.split('.').next()?;
    before.trim_start_matches('.').starts_with("level-").then(|| number.parse().ok())?
}
