//! Checkpoints: at the end of a level every process keeps its state in a file of its own, and once all have, the first process
//! writes a manifest that says so. Whatever crashes when, the level that the manifest names is there whole.
//!
//! Nobody waits for it. What is to be told goes along with the sums of the next level: the first process says when to keep, and all
//! say which level they have kept. A level's files are removed once a later manifest is known to stand.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use retrograde::Snapshot;
use retrograde_cluster::Aside;
use retrograde_table::{Draft, Drafted, FolderLock, WriteError};
use serde_json::{Value as Json, json};
use xxhash_rust::xxh3::Xxh3;

use crate::job::difference;
use crate::say::say;

const MANIFEST: &str = "cluster.manifest";
const MAGIC: &[u8; 16] = b"retrograde shard";
const SUM_BYTES: u64 = 8;

/// What one process keeps; shared by the end of a level and the sums.
#[derive(Clone)]
pub(crate) struct Keeper(Arc<Mutex<Keeping>>);

struct Keeping {
    folder: PathBuf,
    every: Duration,
    process: usize,
    /// What all of it is of.
    identity: Json,
    /// When it was last kept.
    kept: Instant,
    /// Whether the level under way is to be kept.
    wanted: bool,
    /// The level that this process has kept last.
    own: Option<u32>,
    /// The level of which the first process has written, or is now writing, the manifest; and the one that is known to stand.
    manifest: Option<u32>,
    stands: Option<u32>,
    /// The levels of which files may be there.
    files: Vec<u32>,
    _lock: Option<FolderLock>,
}

impl Keeper {
    /// Makes the folder; the first process locks it.
    pub(crate) fn new(
        folder: &Path,
        every: Duration,
        process: usize,
        identity: Json,
    ) -> Result<Keeper, String> {
        let fault = |error: &dyn std::fmt::Display| {
            format!("{}: {error}; give another folder by --checkpoint", folder.display())
        };
        fs::create_dir_all(folder).map_err(|error| fault(&error))?;
        let lock = (process == 0).then(|| FolderLock::acquire(folder)).transpose();
        Ok(Keeper(Arc::new(Mutex::new(Keeping {
            folder: folder.to_owned(),
            every,
            process,
            identity,
            kept: Instant::now(),
            wanted: false,
            own: None,
            manifest: None,
            stands: None,
            files: Vec::new(),
            _lock: lock.map_err(|error| error.to_string())?,
        }))))
    }

    /// The level to go on from, as the manifest says; for the first process to ask.
    pub(crate) fn level(&self) -> Result<Option<u32>, String> {
        let keeping = self.lock();
        let path = keeping.folder.join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(keeping.refusal(&path, &error.to_string())),
        };
        let manifest: Json = serde_json::from_str(&text).unwrap_or_default();
        if let Some(differs) = difference(&manifest["identity"], &keeping.identity) {
            let problem = format!("the checkpoint is of a solve with {differs}");
            return Err(keeping.refusal(&path, &problem));
        }
        let level = manifest["level"].as_u64().and_then(|level| u32::try_from(level).ok());
        let level = level.ok_or_else(|| keeping.refusal(&path, "the manifest says no level"))?;
        Ok(Some(level))
    }

    /// Removes what a solve that was killed has left beside the level that its manifest names.
    pub(crate) fn sweep(&self, level: Option<u32>) {
        let keeping = self.lock();
        let kept = level.map(|level| keeping.file(level));
        let end = format!(".process-{}", keeping.process);
        for entry in fs::read_dir(&keeping.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_own = name.to_str().is_some_and(|name| {
                let draft = name.starts_with('.') && name.contains(&format!("{end}."));
                draft || name.starts_with("level-") && name.ends_with(&end)
            });
            if is_own && Some(entry.path()) != kept {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The state of this process at a level that a manifest names.
    pub(crate) fn read(&self, level: u32) -> Result<impl Read + Send + use<>, String> {
        let mut keeping = self.lock();
        (keeping.own, keeping.manifest, keeping.stands) = (Some(level), Some(level), Some(level));
        keeping.files = vec![level];
        let path = keeping.file(level);
        let fault = |error: io::Error| keeping.refusal(&path, &error.to_string());
        let mut left = is_whole(&path)
            .map_err(fault)?
            .ok_or_else(|| keeping.refusal(&path, "the checkpoint is damaged"))?;
        let mut file = BufReader::with_capacity(1 << 16, File::open(&path).map_err(fault)?);
        let (mut magic, mut len) = ([0; 16], [0; 8]);
        let head = file.read_exact(&mut magic).and_then(|()| file.read_exact(&mut len));
        head.map_err(fault)?;
        let len = u64::from_le_bytes(len);
        left = left.saturating_sub(24 + len);
        let mut identity = Vec::new();
        file.by_ref().take(len).read_to_end(&mut identity).map_err(fault)?;
        let identity: Json = serde_json::from_slice(&identity).unwrap_or_default();
        let expected = json!({ "of": keeping.identity, "process": keeping.process });
        if &magic != MAGIC || identity != expected {
            return Err(keeping.refusal(&path, "the file is of another solve or process"));
        }
        Ok(file.take(left))
    }

    /// Keeps the level, if that is wanted. What cannot be kept does not stop the solve: hours of work are not thrown away
    /// for want of room.
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
                    &json!({ "note": format!("warning: process {process}: {error}; the solve goes on") }),
                );
            }
        }
    }

    /// Removes what is kept, once it is no longer needed; the manifest first, by the first process before any other.
    pub(crate) fn remove(&self) {
        let mut keeping = self.lock();
        if keeping.process == 0 {
            let _ = fs::remove_file(keeping.folder.join(MANIFEST));
        }
        keeping.remove_before(None);
    }

    /// Removes the folder, if there is nothing else in it.
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
    fn file(&self, level: u32) -> PathBuf {
        self.folder.join(format!("level-{level}.process-{}", self.process))
    }

    fn write(&self, snapshot: &Snapshot<'_>) -> Result<(), WriteError> {
        let path = self.file(snapshot.level());
        let header = json!({ "of": self.identity, "process": self.process }).to_string();
        let mut to = Summed { file: Drafted::create(&path)?, sum: Xxh3::new() };
        let written = [&MAGIC[..], &(header.len() as u64).to_le_bytes(), header.as_bytes()]
            .into_iter()
            .try_for_each(|bytes| to.write_all(bytes))
            .and_then(|()| snapshot.write(&mut to));
        let Summed { file, sum } = to;
        let mut draft = file.end()?;
        written.map_err(|source| WriteError::Io { path, doing: "write", source })?;
        draft.write(&sum.digest().to_le_bytes())?;
        draft.publish()
    }

    /// Says that the level stands.
    fn write_manifest(&self, level: u32) -> Result<(), WriteError> {
        let mut draft = Draft::create(&self.folder.join(MANIFEST))?;
        let manifest = json!({ "level": level, "identity": self.identity });
        draft.write(format!("{manifest}\n").as_bytes())?;
        draft.publish()
    }

    /// Removes the files of levels before this one, or of all.
    fn remove_before(&mut self, level: Option<u32>) {
        let files = std::mem::take(&mut self.files);
        let (old, left) =
            files.into_iter().partition(|&file| level.is_none_or(|level| file < level));
        self.files = left;
        let old: Vec<u32> = old;
        old.iter().for_each(|&level| drop(fs::remove_file(self.file(level))));
    }

    fn refusal(&self, path: &Path, problem: &str) -> String {
        let folder = self.folder.display();
        let path = path.display();
        format!(
            "{path}: {problem}; repeat the command that began it, or remove {folder} to begin anew"
        )
    }
}

/// A level that may be missing, and a bit, as one number.
fn told(level: Option<u32>, bit: bool) -> u64 {
    level.map_or(0, |level| u64::from(level) + 1) << 1 | u64::from(bit)
}

impl Aside for Keeper {
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
        // The first process has come so far: what it began to write at the last sums is written.
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

/// A draft, and the sum of what has been written to it.
struct Summed {
    file: Drafted,
    sum: Xxh3,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sum.update(bytes);
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How long the file is without its sum, if every byte is as it was written.
fn is_whole(path: &Path) -> io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    let Some(len) = file.metadata()?.len().checked_sub(SUM_BYTES) else { return Ok(None) };
    let (mut sum, mut buffer, mut left) = (Xxh3::new(), vec![0; 1 << 16], len);
    while left > 0 {
        let piece = &mut buffer[..left.min(1 << 16) as usize];
        file.read_exact(piece)?;
        sum.update(piece);
        left -= piece.len() as u64;
    }
    let mut expected = [0; SUM_BYTES as usize];
    file.read_exact(&mut expected)?;
    Ok((sum.digest() == u64::from_le_bytes(expected)).then_some(len))
}
