//! Checkpoints. At the end of a level every rank writes its state to its own file. When all have done so, the first
//! rank writes a manifest. So after a crash at any time, the files of the level in the manifest are complete.
//!
//! No rank waits for this. The messages travel with the sums of the next level: the first rank says
//! when to write, and all say which level they have written. The files of a level are removed once a later
//! manifest exists.
//!
//! Another number of ranks can continue too, if each can read the files of all. The manifest gives the
//! old partition, and [`Repartitioned`] converts it.

use std::fs;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use retrograde::{Snapshot, SolveError};
use retrograde_catalog::{Checkpoints, JobReport};
use retrograde_files::{
    Cursor, Durable, FileError, FolderLock, Identity, create_folders, read_checkpoint, read_json,
    write_checkpoint, write_json,
};
use serde_json::{Value as Json, json};

use crate::block_partition::BlockPartition;
use crate::hear::Hear;
use crate::transport::outside;

const MANIFEST: &str = "cluster.manifest";
const MAGIC: &[u8; 16] = b"retrograde shard";

/// The partition of the states: the number of ranks, and the length of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    pub(crate) ranks: u64,
    pub(crate) block: u64,
}

/// A complete checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) level: u32,
    pub(crate) partition: Partition,
    /// The number of the engine.
    pub(crate) engine: u64,
}

impl Partition {
    pub(crate) fn of(block_partition: &BlockPartition) -> Partition {
        let ranks = block_partition.ranks() as u64;
        Partition { ranks, block: block_partition.block_states() }
    }
}

impl Kept {
    /// The message with it for the other ranks, who may not see the folder.
    pub(crate) fn told(kept: Option<Kept>) -> [u64; 4] {
        kept.map_or([0; 4], |Kept { level, partition, engine }| {
            [u64::from(level) + 1, partition.ranks, partition.block, engine]
        })
    }

    /// The checkpoint in such a message.
    pub(crate) fn of(told: [u64; 4]) -> Option<Kept> {
        let [level, ranks, block, engine] = told;
        let level = level.checked_sub(1)? as u32;
        Some(Kept { level, partition: Partition { ranks, block }, engine })
    }
}

/// Removes all files of a solve whose table is written, if it was killed before it could. The files of another solve are an
/// error, and stay.
pub(crate) fn clear(checkpoints: &Checkpoints, identity: Json) -> Result<(), String> {
    if !checkpoints.folder.is_dir() {
        return Ok(());
    }
    // All files belong to ranks that no longer exist.
    let keeper = Keeper::new(checkpoints, 0, identity, Partition { ranks: 0, block: 1 }, 0)?;
    keeper.kept()?;
    keeper.remove();
    keeper.sweep(None);
    keeper.remove_folder();
    Ok(())
}

/// The first difference between two solves, as text.
fn difference(found: &Json, expected: &Json) -> Option<String> {
    expected.as_object().into_iter().flatten().find_map(|(key, expected)| {
        let found = found.get(key).unwrap_or(&Json::Null);
        (found != expected).then(|| format!("another {key}, {found} and not {expected}"))
    })
}

/// The checkpoints of one rank. The end of a level and the sums share it.
#[derive(Clone)]
pub struct Keeper(Arc<Mutex<Keeping>>);

struct Keeping {
    folder: PathBuf,
    every: Duration,
    rank: usize,
    /// The identity of the solve, and the partition.
    identity: Json,
    partition: Partition,
    engine: u64,
    /// The time of the end of the last checkpoint.
    kept: Instant,
    /// Whether to write the current level.
    wanted: bool,
    /// Whether this rank asks all to save their state and stop.
    asks: bool,
    /// Whether one of them has asked so.
    stops: bool,
    /// Whether all stop at the end of the current level.
    stopped: bool,
    /// The last level that this rank has written.
    own: Option<u32>,
    /// The level of the manifest that the first rank has written or is writing, and that of the last one
    /// known to be complete.
    manifest: Option<u32>,
    stands: Option<u32>,
    /// The levels that may have files.
    files: Vec<u32>,
    /// Files of ranks that no longer exist. They are removed with the first old level.
    strays: Vec<PathBuf>,
    _lock: Option<FolderLock>,
}

impl Keeper {
    /// Creates the folder; the first rank locks it.
    pub(crate) fn new(
        checkpoints: &Checkpoints,
        rank: usize,
        identity: Json,
        partition: Partition,
        engine: u64,
    ) -> Result<Keeper, String> {
        let folder = &checkpoints.folder;
        let fault = |error: &dyn std::fmt::Display| {
            format!("{}: {error}; give another folder by --checkpoint", folder.display())
        };
        create_folders(folder).map_err(|error| fault(&error))?;
        let lock = (rank == 0).then(|| FolderLock::acquire(folder)).transpose();
        Ok(Keeper(Arc::new(Mutex::new(Keeping {
            folder: folder.to_owned(),
            every: checkpoints.interval,
            rank,
            identity,
            partition,
            engine,
            kept: Instant::now(),
            wanted: false,
            asks: false,
            stops: false,
            stopped: false,
            own: None,
            manifest: None,
            stands: None,
            files: Vec::new(),
            strays: Vec::new(),
            _lock: lock.map_err(|error| error.to_string())?,
        }))))
    }

    /// The checkpoint to continue from, according to the manifest. Only the first rank asks.
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
        let read = || {
            let level = number("level", u64::from(u32::MAX) - 1)? as u32;
            let (ranks, block) = (number("ranks", 1 << 16)?, number("block", u64::MAX)?);
            let engine = number("engine", 1)?;
            let partition = Partition { ranks, block };
            (ranks > 0 && block > 0).then_some(Kept { level, partition, engine })
        };
        read().map(Some).ok_or_else(|| keeping.refusal(&path, "the manifest is damaged"))
    }

    /// Changes the partition, before the first level.
    pub(crate) fn set_partition(&self, partition: Partition, engine: u64) {
        let mut keeping = self.lock();
        (keeping.partition, keeping.engine) = (partition, engine);
    }

    /// Asks all ranks to save their states and stop.
    pub(crate) fn ask_to_stop(&self) {
        self.lock().asks = true;
    }

    /// Whether all have stopped because one of them asked.
    pub(crate) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Removes the files that a killed solve has left, except those in its manifest: each rank its own,
    /// and the first rank those of ranks that no longer exist.
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
            let is_stray = keeping.rank == 0 && owner as u64 >= keeping.partition.ranks;
            let is_kept = level.as_ref().is_some_and(|level| name.starts_with(level));
            match is_kept {
                true if is_stray => strays.push(path),
                false if is_stray || owner == keeping.rank => drop(fs::remove_file(path)),
                _ => {}
            }
        }
        keeping.strays = strays;
    }

    /// The state of this rank at the level of a manifest. `repartition` makes it from the files of other ranks, given their
    /// number and the length of their blocks.
    pub(crate) fn read<R: Read + Send + 'static>(
        &self,
        kept: Kept,
        repartition: impl FnOnce((usize, u64), Vec<BufReader<Cursor>>) -> Result<R, SolveError>,
    ) -> Result<Box<dyn Read + Send>, String> {
        let mut keeping = self.lock();
        let level = Some(kept.level);
        (keeping.own, keeping.manifest, keeping.stands) = (level, level, level);
        keeping.files = vec![kept.level];
        let Keeping { rank, partition, .. } = *keeping;
        if kept.partition == partition {
            return Ok(Box::new(keeping.open(kept, rank)?));
        }
        let ranks = kept.partition.ranks as usize;
        let open = |of| {
            keeping.open(kept, of).map_err(|error| {
                format!("{error} (they were {ranks} ranks, and each has to read the files of all)")
            })
        };
        let files = (0..ranks).map(open).collect::<Result<Vec<_>, _>>()?;
        let repartitioned = repartition((ranks, kept.partition.block), files);
        let path = keeping.file(kept.level, rank);
        Ok(Box::new(repartitioned.map_err(|error| keeping.refusal(&path, &error.to_string()))?))
    }

    /// Writes the level, if wanted. A failure does not stop the solve: hours of work are worth more than a checkpoint.
    pub(crate) fn at_level_end(&self, snapshot: &Snapshot<'_>, hear: Hear<'_>) -> ControlFlow<()> {
        let mut keeping = self.lock();
        if keeping.stopped {
            return ControlFlow::Break(());
        }
        if !std::mem::take(&mut keeping.wanted) {
            return ControlFlow::Continue(());
        }
        let level = snapshot.level();
        let written = keeping.write(snapshot);
        keeping.kept = Instant::now();
        match written {
            Ok(()) => {
                keeping.own = Some(level);
                keeping.files.push(level);
            }
            Err(error) => {
                let rank = keeping.rank;
                let note = format!("warning: rank {rank}: {error}; the solve continues");
                return hear(JobReport::Note(note));
            }
        }
        ControlFlow::Continue(())
    }

    /// What this rank tells all ranks at the end of a level.
    pub(crate) fn tell(&self) -> u64 {
        let keeping = self.lock();
        let is_due = keeping.kept.elapsed() >= keeping.every;
        let save = if keeping.rank == 0 && is_due { SAVE } else { 0 };
        told(keeping.own, save | if keeping.asks { STOP } else { 0 })
    }

    /// Hears what all ranks have told, in the order of the ranks.
    pub(crate) fn told(&self, all: &[u64]) -> Result<(), SolveError> {
        let mut keeping = self.lock();
        let asks_to_stop = all.iter().any(|said| said & STOP != 0);
        // All ranks decide by the same numbers, so all of them write the same levels, and stop at the same one.
        // Before they stop, they save once: a level that is saved at each end would never be that of the manifest.
        keeping.wanted = !keeping.stops && (all[0] & SAVE != 0 || asks_to_stop);
        // The first rank has come this far, so the manifest of the last sums is written.
        keeping.stands = keeping.manifest;
        if let Some(level) = keeping.stands {
            keeping.remove_before(Some(level));
        }
        let level = (all[0] >> 2).checked_sub(1).map(|level| level as u32);
        let all_have = level.is_some() && all.iter().all(|said| said >> 2 == all[0] >> 2);
        // All ranks stop at the same level, so that none waits for another.
        keeping.stopped = keeping.stops && all_have && level == keeping.stands;
        keeping.stops |= asks_to_stop;
        if !all_have || level == keeping.manifest {
            return Ok(());
        }
        if keeping.rank == 0
            && let Some(level) = level
            && let Err(error) = keeping.write_manifest(level)
        {
            return Err(outside(format!("{error}; without it the checkpoint is of no use")));
        }
        keeping.manifest = level;
        keeping.kept = Instant::now();
        Ok(())
    }

    /// Removes the checkpoint once it is no longer needed. The first rank removes the manifest before any
    /// other file.
    pub(crate) fn remove(&self) {
        let mut keeping = self.lock();
        if keeping.rank == 0 {
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
    fn file(&self, level: u32, rank: usize) -> PathBuf {
        self.folder.join(format!("level-{level}.rank-{rank}"))
    }

    /// How the file of a rank begins.
    fn header(&self, rank: usize, partition: Partition) -> Json {
        let Partition { ranks, block } = partition;
        json!({ "of": self.identity, "rank": rank, "ranks": ranks, "block": block, "engine": self.engine })
    }

    /// The file of a rank, at the beginning of its snapshot.
    fn open(&self, kept: Kept, rank: usize) -> Result<BufReader<Cursor>, String> {
        let path = self.file(kept.level, rank);
        let about = self.header(rank, kept.partition);
        let opened =
            read_checkpoint(&path, identity(&about)).map_err(|error| self.refused(&error))?;
        let (_, file) = opened.ok_or_else(|| self.refusal(&path, "there is no such file"))?;
        Ok(file)
    }

    fn write(&self, snapshot: &Snapshot<'_>) -> Result<(), FileError> {
        let path = self.file(snapshot.level(), self.rank);
        let about = self.header(self.rank, self.partition);
        write_checkpoint(&path, identity(&about), |to| snapshot.write(to))?;
        Ok(())
    }

    /// Writes the manifest of a complete level.
    fn write_manifest(&self, level: u32) -> Result<(), FileError> {
        let Partition { ranks, block } = self.partition;
        let manifest = json!({
            "level": level,
            "ranks": ranks,
            "block": block,
            "engine": self.engine,
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
        let rank = self.rank;
        old.iter().for_each(|&level| drop(fs::remove_file(self.file(level, rank))));
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

/// In what a rank tells: save your state. Only the first rank says so.
const SAVE: u64 = 1;
/// In what a rank tells: save your state, and stop.
const STOP: u64 = 2;

/// What a rank tells: the last level that it has written, if any, and what it asks for.
fn told(level: Option<u32>, asks: u64) -> u64 {
    level.map_or(0, |level| u64::from(level) + 1) << 2 | asks
}

/// The rank that a file or temporary file belongs to.
fn owner(name: &str) -> Option<usize> {
    let (before, after) = name.split_once(".rank-")?;
    let number = after.split('.').next()?;
    before.trim_start_matches('.').starts_with("level-").then(|| number.parse().ok())?
}
