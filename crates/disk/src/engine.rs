//! The engine of the loop: a pass for each level, and now and then a checkpoint.
//!
//! Between two levels, each part has swept the next level already, so that a pass reads and writes it once. A solve that
//! continues from a checkpoint first tells the loop what had settled at the levels before.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use retrograde::SolveError;
use retrograde::parts::{Engine, Kind, Parted, Partition, PendingEvents, Sums, Tally, Watch};
use retrograde_files::Durable;

use crate::error::DiskError;
use crate::manifest::Manifest;
use crate::on_disk::Files;
use crate::pass::{Parts, Pass};
use crate::plan::Budget;

/// Names the engine and the version of what it keeps.
pub(crate) const ENGINE: [u8; 8] = *b"disk   1";

/// How long a solve goes on between two checkpoints: a kill loses as much work.
pub(crate) const PAUSE: Duration = Duration::from_secs(30);
/// At least so many times as long as the checkpoint took. So checkpoints take a tenth of the time at most.
const PAUSE_TIMES: u32 = 9;

/// A solve in a folder.
pub(crate) struct DiskEngine<'g> {
    pub(crate) game: &'g dyn Parted,
    /// Whether all answers of the game so far are right.
    pub(crate) is_right: &'g (dyn Fn() -> bool + Sync),
    pub(crate) partition: Partition,
    pub(crate) files: Files,
    pub(crate) budget: Budget,
    /// How many updates a part sends before they are taken away.
    pub(crate) updates_max: usize,
    pub(crate) parts: Parts,
    /// The last checkpoint.
    pub(crate) manifest: Manifest,
    /// How many passes there have been.
    pub(crate) passes: u32,
    /// The settled states by level.
    pub(crate) tallies: BTreeMap<u32, Tally>,
    /// The level that the loop asked for last.
    pub(crate) level: u32,
    /// How long to go on without a checkpoint, and until when.
    pub(crate) pause: Duration,
    pub(crate) next_save: Instant,
}

impl DiskEngine<'_> {
    /// The states that settle at a level.
    fn settled_at(&mut self, level: u32, watch: &mut Watch<'_>) -> Result<Tally, SolveError> {
        self.level = level;
        if self.manifest.level >= Some(level) {
            return Ok(self.tallies.get(&level).copied().unwrap_or_default());
        }
        let pass = Pass {
            game: self.game,
            partition: &self.partition,
            files: &self.files,
            level,
            named: self.manifest.swept(),
            slots: self.budget.slots(&self.partition, level.saturating_add(1)).max(1),
            threads: self.budget.threads,
            updates_max: self.updates_max,
        };
        let tally = pass.run(&mut self.parts, &mut |done| watch.tell(done))?;
        if !(self.is_right)() {
            return Err(SolveError::Cancelled);
        }
        self.passes += 1;
        if tally.total() > 0 {
            self.tallies.insert(level, tally);
        }
        // What the rules say of each state may have taken longest.
        if level == 0 || Instant::now() >= self.next_save {
            self.save(false)?;
        }
        Ok(tally)
    }

    /// Makes a checkpoint after the level that the loop asked for last.
    pub(crate) fn save(&mut self, over: bool) -> Result<(), DiskError> {
        let begun = Instant::now();
        let updates = self.parts.save(&self.files, self.manifest.swept())?;
        let tallies = self.tallies.iter();
        let manifest = Manifest {
            level: Some(self.level),
            passes: self.passes,
            over,
            parts: self.parts.on_disk.clone(),
            updates,
            tallies: tallies.map(|(&level, tally)| (level, tally.wins, tally.losses)).collect(),
            read: self.parts.read,
            written: self.parts.written,
            identity: std::mem::take(&mut self.manifest.identity),
            ..self.manifest
        };
        // If a loss of power may bring the last manifest back, its files stay.
        if let Durable::Yes = manifest.write(&self.files.folder)? {
            manifest.sweep(&self.files);
        }
        self.manifest = manifest;
        self.next_save = Instant::now() + self.pause.max(begun.elapsed() * PAUSE_TIMES);
        Ok(())
    }
}

impl Engine for DiskEngine<'_> {
    fn kind(&self) -> Kind {
        self.partition.kind(ENGINE)
    }

    fn states(&self) -> u64 {
        self.manifest.states
    }

    fn bytes(&self, _: u32) -> u64 {
        self.budget.memory
    }

    fn seed(&mut self, _: &mut PendingEvents, watch: &mut Watch<'_>) -> Result<Tally, SolveError> {
        self.settled_at(0, watch)
    }

    fn settle(
        &mut self,
        level: u32,
        _: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        self.settled_at(level, watch)
    }

    fn write(&self, _: &mut dyn Write) -> io::Result<()> {
        Err(io::Error::other("a solve on disk keeps its state in its folder"))
    }

    fn read(&mut self, _: u32, _: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        Err(SolveError::Snapshot)
    }

    fn add_up(&mut self, own: Sums) -> Result<Sums, SolveError> {
        let next = match self.manifest.level.filter(|&saved| self.level < saved) {
            Some(saved) => {
                let known = self.tallies.range(self.level + 1..).next();
                Some(known.map_or(saved, |(&level, _)| level))
            }
            None => self.parts.on_disk.iter().filter_map(|part| part.next).min(),
        };
        Ok(Sums { next, ..own })
    }
}
