//! The options of a solve on disk.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use retrograde::internal::Thresholds;
use retrograde::parts::{Choices, Parted, Partition, Solved, Tally};
use retrograde::{SolveError, Solver};
use retrograde_files::{FolderLock, create_folders, exists, remove_folder, sweep_temp_files};

use crate::at_hand::AtHand;
use crate::engine::{DiskEngine, ENGINE, PAUSE};
use crate::error::DiskError;
use crate::inboxes::Inboxes;
use crate::manifest::Manifest;
use crate::measure::{Pace, measure};
use crate::on_disk::Files;
use crate::pass::Parts;
use crate::plan::{Budget, Plan, in_use};
use crate::values::{DiskSolution, remove};

/// How to solve a game on disk.
#[derive(Clone, Debug)]
pub struct Disk {
    folder: PathBuf,
    distances: bool,
    identity: String,
    budget: Budget,
    /// For tests.
    trial: Option<Trial>,
}

/// Folders made for a solve, the innermost first. Empty ones are removed at the end.
struct Made(Vec<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        // A folder that is not empty stays.
        self.0.iter().for_each(|folder| remove_folder(folder));
    }
}

/// Values that tests set to their least.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Trial {
    /// The states of a part.
    pub part_states: u64,
    /// How many parts are in memory.
    pub slots: usize,
    /// How many updates are sent at a time.
    pub updates_max: usize,
    /// How long to go on between two checkpoints.
    pub pause: Duration,
    /// The thresholds of the engine.
    pub thresholds: Thresholds,
}

impl Disk {
    /// Solves in this folder, which is created if needed: with all threads, with distances, in a gigabyte of
    /// memory.
    pub fn new(folder: impl AsRef<Path>) -> Disk {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Disk {
            folder: folder.as_ref().to_owned(),
            distances: true,
            identity: String::new(),
            budget: Budget { memory: 1 << 30, threads, exits: 0, slots: None },
            trial: None,
        }
    }

    /// How many bytes the solve may take in all, except for the game itself.
    #[must_use]
    pub fn memory_max(mut self, bytes: u64) -> Disk {
        self.budget.memory = bytes;
        self
    }

    /// How many threads work. If some parts are on disk, one more does, because one usually waits for the disk.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Disk {
        self.budget.threads = threads.max(1);
        self
    }

    /// About how many bytes the exits of the game take until their levels come: 16 for each state with exits
    /// that win or lose.
    #[must_use]
    pub fn exit_bytes(mut self, bytes: u64) -> Disk {
        self.budget.exits = bytes;
        self
    }

    /// Whether to keep distances, as by default.
    #[must_use]
    pub fn distances(mut self, distances: bool) -> Disk {
        self.distances = distances;
        self
    }

    /// The identity of this solve. A folder only continues a solve of the same identity.
    #[must_use]
    pub fn identity(mut self, identity: impl Into<String>) -> Disk {
        self.identity = identity.into();
        self
    }

    /// For tests.
    #[doc(hidden)]
    #[must_use]
    pub fn trial(mut self, trial: Trial) -> Disk {
        self.budget.slots = Some(trial.slots);
        self.trial = Some(trial);
        self
    }

    /// Whether a stopped solve in this folder would be continued.
    pub fn is_begun(&self) -> bool {
        exists(&Manifest::path(&self.folder))
    }

    /// How the solve of a game would work.
    pub fn plan(&self, game: &dyn Parted) -> Result<Plan, DiskError> {
        let partition = self.budget.choose(game.partition(64, self.distances))?;
        Ok(self.budget.plan(&partition))
    }

    /// Measures what a pass over the files of a game takes here, at least. Leaves no files.
    pub fn measure(&self, game: &dyn Parted) -> Result<Pace, DiskError> {
        let partition = self.budget.choose(game.partition(64, self.distances))?;
        measure(game, &partition, &self.folder)
    }

    /// Solves a game, or continues an earlier solve of it. The options of the solver count too: its number of
    /// threads replaces that of this `Disk`, distances are kept if both want them, and the smaller memory
    /// limit holds. The folder is the only snapshot: the solve writes none at the end of a level, and
    /// resuming from another is an error.
    pub fn solve(&self, game: &dyn Parted, solver: Solver<'_>) -> Result<DiskSolution, SolveError> {
        self.solve_while(game, solver, &|| true)
    }

    /// The same for a game whose answers may stop to be right, because it looks values up elsewhere and a lookup fails. After
    /// each level it asks whether all answers so far are right. If not, the solve is cancelled, and the next one goes on from
    /// the last checkpoint.
    pub fn solve_while(
        &self,
        game: &dyn Parted,
        solver: Solver<'_>,
        is_right: &(dyn Fn() -> bool + Sync),
    ) -> Result<DiskSolution, SolveError> {
        let Choices { threads, distances, memory_max } = solver.choices();
        let mut disk = self.clone();
        disk.distances &= distances;
        disk.budget.memory = disk.budget.memory.min(memory_max);
        if threads > 0 {
            disk.budget.threads = threads;
        }
        disk.solve_as_told(game, solver, is_right)
    }

    /// Removes the files of a solve of this identity from the folder, if it was stopped after its solution
    /// was written elsewhere. The files of another solve are an error, and stay.
    pub fn clear(&self) -> Result<(), SolveError> {
        if !exists(&self.folder) {
            return Ok(());
        }
        let lock = FolderLock::acquire(&self.folder);
        let lock = lock.map_err(|error| SolveError::Outside(Box::new(error)))?;
        if let Some(manifest) = Manifest::read(&self.folder)? {
            self.check_identity(&manifest)?;
        }
        sweep_temp_files(&self.folder);
        remove(&Files { folder: self.folder.clone(), seed: 0, states: 0 }, lock);
        Ok(())
    }

    fn solve_as_told(
        &self,
        game: &dyn Parted,
        solver: Solver<'_>,
        is_right: &(dyn Fn() -> bool + Sync),
    ) -> Result<DiskSolution, SolveError> {
        let created = create_folders(&self.folder);
        let created = created.map_err(|error| DiskError::file(error, "the folder"))?;
        let _made = Made(created.into_iter().rev().collect());
        let lock = FolderLock::acquire(&self.folder);
        let lock = lock.map_err(|error| SolveError::Outside(Box::new(error)))?;
        let engine = self.engine(game, is_right)?;
        // The manifest that was read must be on the disk before the files of another one go.
        engine.files.sync()?;
        engine.manifest.sweep(&engine.files);
        let Solved { mut engine, histogram, .. } = solver.run(0, || engine)?;
        if !engine.manifest.over {
            engine.save(true)?;
        }
        let DiskEngine { partition, files, budget, manifest, .. } = engine;
        let slots = budget.slots(&partition, manifest.swept());
        Ok(DiskSolution {
            partition,
            files,
            parts: manifest.parts,
            distances: manifest.distances,
            histogram,
            passes: manifest.passes,
            bytes_read: manifest.read,
            bytes_written: manifest.written,
            // A writer of tables has its own buffers.
            at_hand: AtHand::new(slots - slots / 4),
            lock,
        })
    }

    /// The engine of a new solve or of one that continues.
    fn engine<'g>(
        &self,
        game: &'g dyn Parted,
        is_right: &'g (dyn Fn() -> bool + Sync),
    ) -> Result<DiskEngine<'g>, DiskError> {
        let (partition, manifest) = match Manifest::read(&self.folder)? {
            None => {
                let partition = match self.trial {
                    None => self.budget.choose(game.partition(64, self.distances))?,
                    Some(_) => self.partition(game, 0),
                };
                let seed = RandomState::new().build_hasher().finish();
                let size = (partition.all(), partition.part_states());
                let layout = partition.kind(ENGINE).layout;
                let manifest = Manifest::new(&self.identity, size, layout, self.distances, seed);
                (partition, manifest)
            }
            Some(manifest) => {
                let partition = self.partition(game, manifest.part_states);
                self.check(&manifest, &partition)?;
                (partition, manifest)
            }
        };
        let Manifest { seed, states, passes, .. } = manifest;
        let files = Files { folder: self.folder.clone(), seed, states };
        let tallies = manifest.tallies.iter();
        let tallies =
            tallies.map(|&(level, wins, losses)| (level, Tally { wins, losses })).collect();
        let waiting = (manifest.swept(), &*manifest.updates);
        let inboxes = Inboxes::new(&files, partition.parts(), self.budget.updates(), waiting);
        let mut parts = Parts::new(manifest.parts.clone(), inboxes);
        (parts.read, parts.written) = (manifest.read, manifest.written);
        let pause = self.trial.map_or(PAUSE, |trial| trial.pause);
        Ok(DiskEngine {
            game,
            is_right,
            partition,
            files,
            budget: self.budget,
            updates_max: self.trial.map_or(1 << 14, |trial| trial.updates_max),
            parts,
            manifest,
            passes,
            tallies,
            level: 0,
            pause,
            next_save: Instant::now() + pause,
        })
    }

    /// The partition into parts of some states, or into those of a test.
    fn partition(&self, game: &dyn Parted, part_states: u64) -> Partition {
        match self.trial {
            None => in_use(game.partition(part_states, self.distances)),
            Some(Trial { part_states, thresholds, .. }) => {
                game.partition(part_states, self.distances).thresholds(thresholds)
            }
        }
    }

    fn other(&self, problem: &str) -> DiskError {
        DiskError::Other { folder: self.folder.clone(), problem: problem.to_owned() }
    }

    /// Checks that a manifest belongs to a solve of this identity.
    fn check_identity(&self, manifest: &Manifest) -> Result<(), DiskError> {
        if manifest.distances != self.distances {
            return Err(self.other("choice of distances"));
        }
        match manifest.identity == self.identity {
            true => Ok(()),
            false => Err(self.other("game, board or version of the program")),
        }
    }

    /// Checks that a manifest belongs to this solve.
    fn check(&self, manifest: &Manifest, partition: &Partition) -> Result<(), DiskError> {
        self.check_identity(manifest)?;
        let known = |&(part, _): &(u32, _)| (part as usize) < partition.parts();
        let same = manifest.states == partition.all()
            && manifest.layout == partition.kind(ENGINE).layout
            && manifest.part_states == partition.part_states()
            && manifest.parts.len() == partition.parts()
            && manifest.updates.iter().all(known);
        if same { Ok(()) } else { Err(self.other("game")) }
    }
}
