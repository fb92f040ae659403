//! `solve --checkpoint`: writes the state of a solve to a file now and then, and continues from it.
//!
//! The file begins with the identity of the solve, so that no other solve uses it. It appears as a whole or not at all, and
//! replaces the last one.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};
use retrograde::bit_parallel::LogError;
use retrograde::{SolveError, Solver};
use retrograde_catalog::Checkpoints;
use retrograde_disk::SnapshotFile;
use retrograde_files::{
    Durable, FileError, FolderLock, TempFile, Unfinished, create_folders, exists, remove_file,
    remove_folder,
};
use retrograde_table::About;
use serde_json::{Value as Json, json};

use crate::source::game_source::GameSource;
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
    pub(crate) fn time(self) -> Duration {
        self.0
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
    _lock: FolderLock,
    /// The folders created for it, the innermost first. Empty ones are removed at the end.
    _made: Vec<Unfinished>,
}

impl Held {
    /// Creates the folder if necessary, and locks it.
    fn new(folder: &Path) -> Result<Held, Failure> {
        let failed = |error: FileError| Failure::Input(error.to_string());
        let created = create_folders(folder).map_err(failed)?;
        // The last one recorded is removed first.
        let mut made: Vec<Unfinished> = created.into_iter().map(Unfinished::empty_folder).collect();
        made.reverse();
        let lock = FolderLock::acquire(folder).map_err(failed)?;
        Ok(Held { _lock: lock, _made: made })
    }
}

impl CheckpointArgs {
    /// Whether to keep checkpoints.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The options for several ranks, which write their own checkpoints.
    pub(crate) fn checkpoints(&self) -> Option<Checkpoints> {
        let interval = self.checkpoint_interval.time();
        self.checkpoint.clone().map(|folder| Checkpoints { folder, interval })
    }

    /// The checkpoints of a solve, if they are wanted.
    pub(crate) fn checked(self, opened: &GameSource) -> Result<Option<Checkpoint>, Failure> {
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
        let file = SnapshotFile::new(self.file(), self.identity(engine, distances));
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Some(Held::new(&self.folder)?);
        drop(held);
        // Removes what a killed writer has left, and finds out now whether the folder is writable.
        drop(TempFile::create(&self.file()).map_err(|error| Failure::Input(error.to_string()))?);
        let mut solver = solver;
        stop::left("stopped before a level was kept; the same command starts again");
        if let Some((state, level)) = self.read(&file)? {
            stop::left(goes_on(level));
            solver = solver.resume(state);
        }
        let mut kept = Instant::now();
        Ok(solver.at_level_end(move |snapshot| {
            if kept.elapsed() >= self.every || stop::is_asked() {
                let _keeping = stop::keeping();
                match file.write(snapshot) {
                    Ok(durable) => {
                        if let Durable::Unsure(error) = durable {
                            note(&format!(
                                "warning: {error}; a power cut may undo this checkpoint"
                            ));
                        }
                        stop::left(goes_on(snapshot.level()));
                    }
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
        if !exists(&self.folder) {
            return Ok(());
        }
        let held = Held::new(&self.folder)?;
        drop(TempFile::create(&self.file()).map_err(|error| Failure::Input(error.to_string()))?);
        let mut identity = self.identity("", distances);
        identity.as_object_mut().map(|identity| identity.remove(ENGINE));
        self.read(&SnapshotFile::new(self.file(), identity))?;
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(held);
        self.remove()
    }

    /// Removes the checkpoint once it is no longer needed.
    pub(crate) fn remove(self) -> Result<(), Failure> {
        for file in [Some(self.file()), self.log.clone()].into_iter().flatten() {
            remove_file(&file).map_err(|error| Failure::Input(error.to_string()))?;
        }
        drop(self.held);
        // Unless the folder has other files.
        remove_folder(&self.folder);
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

    /// The saved snapshot with its level, if there is one.
    fn read(
        &self,
        file: &SnapshotFile,
    ) -> Result<Option<(impl Read + Send + use<>, u32)>, Failure> {
        match file.read() {
            Ok(found) => Ok(found),
            Err(FileError::Damaged { problem, .. }) => {
                Err(self.refusal(&format!("the checkpoint is damaged: {problem}")))
            }
            Err(FileError::Foreign { difference, .. }) => {
                Err(self.refusal(&format!("the checkpoint is of a solve with {difference}")))
            }
            Err(error) => Err(Failure::Input(format!("{error}; give another folder"))),
        }
    }

    /// The error of a solve that cannot continue from its checkpoint, if this is the error.
    pub(crate) fn unreadable(&self, error: &SolveError) -> Option<Failure> {
        let problem = match error {
            SolveError::Damaged | SolveError::Snapshot => "the checkpoint is damaged",
            SolveError::Outside(error) => match error.downcast_ref() {
                Some(LogError::Damaged { .. }) => "the log beside the checkpoint is damaged",
                _ => return None,
            },
            _ => return None,
        };
        Some(self.refusal(problem))
    }

    fn refusal(&self, problem: &str) -> Failure {
        let (file, folder) = (self.file(), self.folder.display());
        Failure::Input(format!(
            "{}: {problem}; repeat the command that began it, with the program that began it, or remove {folder} to start \
             again",
            file.display()
        ))
    }
}

/// The message of a stopped solve.
fn goes_on(level: u32) -> String {
    format!("stopped; the same command continues from level {level}")
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
