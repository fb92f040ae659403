//! `solve --checkpoint`: writes the state of a solve to a file now and then, and continues from it.
//!
//! The file begins with the identity of the solve, so that no other solve uses it, and ends with a checksum
//! of every byte. It appears as a whole or not at all, and replaces the last one.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};
use retrograde::{Snapshot, Solver};
use retrograde_catalog::Checkpoints;
use retrograde_files::{FileError, FolderLock, TempFile, Unfinished};
use retrograde_table::{About, is_whole, write_checksummed};
use serde_json::{Value as Json, json};

use crate::source::opened::Opened;
use crate::term::failure::Failure;
use crate::term::progress::note;
use crate::term::stop;

/// Whether and how often to write checkpoints.
#[derive(Args)]
#[command(next_help_heading = "Checkpoints")]
pub(crate) struct CheckpointArgs {
    /// Keep the state of the solve in this folder, and continue from it if it exists. It is removed at the
    /// end
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    checkpoint: Option<PathBuf>,
    /// How often to save, at the end of a level: like 30s, 5m or 2h
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "checkpoint")]
    checkpoint_interval: Every,
}

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Every(Duration);

impl Every {
    /// How long it is.
    pub(crate) fn milliseconds(self) -> u64 {
        u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX)
    }
}

impl FromStr for Every {
    type Err = String;

    fn from_str(text: &str) -> Result<Every, String> {
        let wrong = || format!("`{text}` is not a time; write one like 30s, 5m or 2h");
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let number: u64 = text[..end].parse().map_err(|_| wrong())?;
        let milliseconds = match text[end..].trim() {
            "ms" => 1,
            "s" | "" => 1_000,
            "m" | "min" => 60_000,
            "h" => 3_600_000,
            _ => return Err(wrong()),
        };
        let time = number.checked_mul(milliseconds).map(Duration::from_millis);
        time.map(Every).ok_or_else(wrong)
    }
}

const FILE: &str = "solve.checkpoint";
const ENGINE: &str = "engine";
const MAGIC: &[u8; 16] = b"retrograde solve";
const VERSION: u32 = 2;
/// The key of the saved level in the header.
const LEVEL: &str = "level";

/// The folder of checkpoints, and the solve.
pub(crate) struct Checkpoint {
    folder: PathBuf,
    every: Duration,
    about: About,
    /// The log of distances that belongs to it.
    log: Option<PathBuf>,
    /// The folder of a running solve.
    held: Mutex<Option<Held>>,
}

/// A folder that no other solve may use.
struct Held {
    /// Dropped before the folders.
    _lock: Option<FolderLock>,
    /// The folders created for it, the innermost first. Empty ones are removed at the end.
    _made: Vec<Unfinished>,
}

impl Held {
    /// Creates the folder if necessary, and locks it.
    fn new(folder: &Path) -> Result<Held, Failure> {
        let missing = folder
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        // The last one recorded is removed first.
        let made = missing.into_iter().rev().map(Unfinished::empty_folder);
        let mut made: Vec<Unfinished> = made.collect();
        made.reverse();
        let mut held = Held { _lock: None, _made: made };
        let fault = |error: &dyn Display| {
            Failure::Input(format!("{}: {error}; give another folder", folder.display()))
        };
        fs::create_dir_all(folder).map_err(|error| fault(&error))?;
        let lock = FolderLock::acquire(folder);
        held._lock = Some(lock.map_err(|error| Failure::Input(error.to_string()))?);
        Ok(held)
    }
}

impl CheckpointArgs {
    /// Whether to keep checkpoints.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The options for a program that writes its own checkpoints.
    pub(crate) fn checkpoints(&self) -> Option<Checkpoints> {
        let interval_ms = self.checkpoint_interval.milliseconds();
        self.checkpoint.clone().map(|folder| Checkpoints { folder, interval_ms })
    }

    /// The checkpoints of a solve, if they are wanted.
    pub(crate) fn checked(self, opened: &Opened) -> Result<Option<Checkpoint>, Failure> {
        let CheckpointArgs { checkpoint, checkpoint_interval: Every(every) } = self;
        let Some(folder) = checkpoint else { return Ok(None) };
        let about = opened.about();
        Ok(Some(Checkpoint { folder, every, about, log: None, held: Mutex::default() }))
    }
}

impl Checkpoint {
    /// In a folder that also has the log of the solve. The checkpoint has all bits, unless there is a window.
    pub(crate) fn beside_log(log: PathBuf, about: About, window: bool) -> Checkpoint {
        // The checkpoint of a large solve takes as long to write as some of its levels. With a window it is small, and
        // possible only after a pass.
        let every = Duration::from_secs(if window { 1 } else { 600 });
        let folder = log.parent().unwrap_or(Path::new("")).to_owned();
        Checkpoint { folder, every, about, log: Some(log), held: Mutex::default() }
    }

    /// The log beside it, if there is one.
    pub(crate) fn log(&self) -> Option<&Path> {
        self.log.as_deref()
    }

    /// Lets a solver save its state here, and continue from a saved state. The engine and the choice of
    /// distances decide its format.
    pub(crate) fn attach<'a>(
        &'a self,
        solver: Solver<'a>,
        engine: &str,
        distances: bool,
    ) -> Result<Solver<'a>, Failure> {
        let identity = self.identity(engine, distances);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Some(Held::new(&self.folder)?);
        drop(held);
        // Removes what a killed writer has left, and finds out now whether the folder is writable.
        drop(TempFile::create(&self.file()).map_err(|error| Failure::Input(error.to_string()))?);
        let mut solver = solver;
        stop::left("stopped before a level was kept; the same command starts again");
        if let Some((state, level)) = self.read(&identity)? {
            stop::left(goes_on(level));
            solver = solver.resume(state);
        }
        let mut kept = Instant::now();
        Ok(solver.at_level_end(move |snapshot| {
            if kept.elapsed() >= self.every || stop::is_asked() {
                let _keeping = stop::keeping();
                match self.write(snapshot, &identity) {
                    Ok(()) => stop::left(goes_on(u64::from(snapshot.level()))),
                    // Hours of work are worth more than a checkpoint.
                    Err(error) if !stop::is_asked() => {
                        note(&format!("warning: {error}; the solve continues"));
                    }
                    Err(error) => note(&format!("warning: {error}; this level is not kept")),
                }
                kept = Instant::now();
            }
            stop::or_go_on()
        }))
    }

    /// Removes the checkpoint of a solve that was killed after it wrote its table. Refuses that of another
    /// solve.
    pub(crate) fn clear(self, distances: bool) -> Result<(), Failure> {
        if !self.folder.is_dir() {
            return Ok(());
        }
        let held = Held::new(&self.folder)?;
        drop(TempFile::create(&self.file()).map_err(|error| Failure::Input(error.to_string()))?);
        let mut identity = self.identity("", distances);
        identity.as_object_mut().map(|identity| identity.remove(ENGINE));
        self.read(&identity)?;
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(held);
        self.remove()
    }

    /// Removes the checkpoint once it is no longer needed.
    pub(crate) fn remove(self) -> Result<(), Failure> {
        for file in [Some(self.file()), self.log.clone()].into_iter().flatten() {
            match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(self.fault(&error));
                }
                _ => {}
            }
        }
        drop(self.held);
        // Unless the folder has other files.
        let _ = fs::remove_dir(self.folder);
        Ok(())
    }

    /// The file.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// What may differ in another solve. The keys are the names for refusals.
    fn identity(&self, engine: &str, distances: bool) -> Json {
        let About { game, parameters, board, .. } = &self.about;
        json!({
            "version of the program": env!("CARGO_PKG_VERSION"),
            "game": game,
            "parameters": parameters,
            "board": board,
            ENGINE: engine,
            "distances": distances,
        })
    }

    /// Replaces the snapshot.
    fn write(&self, snapshot: &Snapshot<'_>, identity: &Json) -> Result<(), FileError> {
        let mut header = identity.clone();
        header[LEVEL] = json!(snapshot.level());
        let header = header.to_string();
        let (version, len) = (VERSION.to_le_bytes(), (header.len() as u64).to_le_bytes());
        write_checksummed(&self.file(), |to| {
            let begin = [&MAGIC[..], &version, &len, header.as_bytes()];
            begin.into_iter().try_for_each(|bytes| to.write_all(bytes))?;
            snapshot.write(to)
        })?;
        Ok(())
    }

    /// The saved snapshot with its level, if there is one.
    fn read(&self, identity: &Json) -> Result<Option<(impl Read + Send + use<>, u64)>, Failure> {
        let path = self.file();
        let file = match open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.fault(&error)),
        };
        if !is_whole(&file).map_err(|error| self.fault(&error))? {
            return Err(self.refusal("the checkpoint is damaged"));
        }
        let file = open(&path).map_err(|error| self.fault(&error))?;
        let mut state = BufReader::with_capacity(1 << 16, file);
        let found = read_header(&mut state).ok_or_else(|| {
            self.refusal("this is no checkpoint, or one of another version of its format")
        })?;
        let differing = identity.as_object().into_iter().flatten().find_map(|(key, expected)| {
            let found = found.get(key).unwrap_or(&Json::Null);
            (found != expected).then_some((key, found, expected))
        });
        match differing {
            None => Ok(Some((state, found[LEVEL].as_u64().unwrap_or(0)))),
            // A board is too long to print.
            Some((key, Json::String(_), _)) if key == "board" => {
                Err(self.refusal("the checkpoint is of a solve with another board"))
            }
            Some((key, found, expected)) => Err(self.refusal(&format!(
                "the checkpoint is of a solve with another {key}, {found} and not {expected}"
            ))),
        }
    }

    fn refusal(&self, problem: &str) -> Failure {
        let (file, folder) = (self.file(), self.folder.display());
        Failure::Input(format!(
            "{}: {problem}; repeat the command that began it, or remove {folder} to start again",
            file.display()
        ))
    }

    fn fault(&self, error: &io::Error) -> Failure {
        Failure::Input(format!("{}: {error}; give another folder", self.folder.display()))
    }
}

/// The message of a stopped solve.
fn goes_on(level: u64) -> String {
    format!("stopped; the same command continues from level {level}")
}

/// Opens a regular file. Opening a pipe would wait.
fn open(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::other("the path exists and is not a file")),
    }
}

/// The identity in the file; `None` if it makes no sense.
fn read_header(from: &mut impl Read) -> Option<Json> {
    let (mut magic, mut version, mut len) = ([0; 16], [0; 4], [0; 8]);
    from.read_exact(&mut magic).ok()?;
    from.read_exact(&mut version).ok()?;
    from.read_exact(&mut len).ok()?;
    if &magic != MAGIC || u32::from_le_bytes(version) != VERSION {
        return None;
    }
    let mut header = Vec::new();
    from.take(u64::from_le_bytes(len)).read_to_end(&mut header).ok()?;
    serde_json::from_slice(&header).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        for (text, seconds) in [("60s", 60), ("5m", 300), ("2h", 7200), ("7", 7), ("3 min", 180)] {
            assert_eq!(text.parse(), Ok(Every(Duration::from_secs(seconds))), "{text}");
        }
        assert_eq!("250ms".parse(), Ok(Every(Duration::from_millis(250))));
        for text in ["", "s", "-1s", "1.5h", "5 days", "99999999999999999999s"] {
            assert!(text.parse::<Every>().is_err(), "{text}");
        }
    }
}
