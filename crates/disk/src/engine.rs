//! The engine of the loop. Its passes run ahead of the loop.
//!
//! The [loop](retrograde::Solver::run) goes level by level and asks which states settle at each. A pass settles many
//! levels at once. So a pass runs when the loop asks for a level beyond the last pass. Until the next pass, the engine
//! already knows the answers. Histogram, progress and stopping work as in any solve. So does a solve that continues
//! from a manifest: the loop first gets the results of earlier passes.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use retrograde::SolveError;
use retrograde::parts::{Engine, Kind, Part, Parted, Partition, PendingEvents, Sums, Tally, Watch};

use retrograde_files::Durable;

use crate::buffer_pool::BufferPool;
use crate::error::DiskError;
use crate::inboxes::{Closed, Inboxes};
use crate::links::Links;
use crate::manifest::Manifest;
use crate::on_disk::Files;
use crate::pass::{Broken, Pass, Passed, is_quiet, teller};
use crate::plan::Budget;

/// Names the engine and the version of what it keeps.
pub(crate) const ENGINE: [u8; 8] = *b"disk   1";

/// A solve in a folder.
pub(crate) struct OnDisk<'g> {
    pub(crate) game: &'g dyn Parted,
    /// Whether all answers of the game so far are right.
    pub(crate) is_right: &'g (dyn Fn() -> bool + Sync),
    pub(crate) partition: Partition,
    pub(crate) files: Files,
    pub(crate) budget: Budget,
    pub(crate) links: Links,
    /// How many updates a part sends before they are taken away.
    pub(crate) updates_max: usize,
    /// Memory for updates and parts, which passes reuse.
    pub(crate) buffer_pool: Option<BufferPool>,
    pub(crate) free: Vec<Part>,
    /// The state after the last pass.
    pub(crate) manifest: Manifest,
    /// The settled states by level, and in all.
    pub(crate) tallies: BTreeMap<u32, Tally>,
    pub(crate) settled: u64,
    /// The last level that the loop asked for, and how many settled states it knows.
    pub(crate) level: u32,
    pub(crate) told: u64,
}

impl OnDisk<'_> {
    /// Runs a pass.
    fn pass(
        &mut self,
        watch: &mut dyn FnMut(u64) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        loop {
            match self.try_pass(watch) {
                Ok(_) if !(self.is_right)() => return Err(SolveError::Cancelled),
                Ok(passed) => return Ok(self.keep(passed)?),
                Err(Broken::Solve(error)) => return Err(error),
                Err(Broken::Surprise(from, to)) => self.links.join(from, to),
            }
        }
    }

    fn try_pass(
        &mut self,
        watch: &mut dyn FnMut(u64) -> Result<(), SolveError>,
    ) -> Result<(u32, Passed), Broken> {
        let OnDisk { game, partition, files, budget, links, buffer_pool, free, manifest, .. } =
            self;
        let Manifest { pass, completed, ref parts, ref updates, .. } = *manifest;
        let (slots, levels, ranked) = budget.reach(partition, links, completed);
        let target = if completed == 0 { 1 } else { completed.saturating_add(levels) };
        let number = pass + 1;
        let pass = Pass {
            game: *game,
            partition,
            files,
            links,
            ranked: &ranked,
            number,
            completed,
            target,
            slots,
            threads: budget.threads,
            updates_max: self.updates_max,
        };
        let buffer_pool = buffer_pool.take().unwrap_or_else(|| BufferPool::new(budget.updates()));
        let inboxes =
            Inboxes::new(&files.folder, number, parts.len(), buffer_pool, (completed, updates));
        let mut free = std::mem::take(free);
        free.truncate(slots);
        let passed = pass.run(parts.clone(), inboxes, free, self.settled, watch)?;
        Ok((target, passed))
    }

    /// Makes the result of a pass the start of the next.
    fn keep(&mut self, (target, passed): (u32, Passed)) -> Result<(), DiskError> {
        let Passed { parts, inboxes, free, tallies, found, read, written } = passed;
        let Closed { waiting: updates, written: spilled, buffer_pool } = inboxes.close()?;
        (self.buffer_pool, self.free) = (Some(buffer_pool), free);
        found.into_iter().for_each(|(from, to)| self.links.join(from, to));
        for (level, tally) in tallies {
            *self.tallies.entry(level).or_default() += tally;
            self.settled += tally.total();
        }
        let mut completed = target;
        let mut over = false;
        if updates.is_empty() && parts.iter().all(|&part| is_quiet(part, target)) {
            match parts.iter().filter_map(|part| part.next).min() {
                Some(next) => completed = next,
                None => over = true,
            }
        }
        self.files.sync()?;
        let manifest = Manifest {
            pass: self.manifest.pass + 1,
            completed,
            over,
            parts,
            updates,
            links: self.links.lists().to_vec(),
            tallies: self
                .tallies
                .iter()
                .map(|(&level, tally)| (level, tally.wins, tally.losses))
                .collect(),
            read: self.manifest.read + read,
            written: self.manifest.written + written + spilled,
            identity: std::mem::take(&mut self.manifest.identity),
            ..self.manifest
        };
        // If a loss of power may bring the manifest of the pass before back, its files stay.
        if let Durable::Yes = manifest.write(&self.files.folder)? {
            manifest.sweep(&self.files);
        }
        self.manifest = manifest;
        Ok(())
    }

    /// The states that settle at a level. Runs passes until the level is complete.
    fn settled_at(
        &mut self,
        level: u32,
        watch: &mut dyn FnMut(u64) -> Result<(), SolveError>,
    ) -> Result<Tally, SolveError> {
        while !self.manifest.over && level >= self.manifest.completed {
            self.pass(watch)?;
        }
        self.level = level;
        let tally = self.tallies.get(&level).copied().unwrap_or_default();
        self.told += tally.total();
        Ok(tally)
    }
}

impl Engine for OnDisk<'_> {
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
        self.settled_at(0, &mut teller(watch, 0))
    }

    fn settle(
        &mut self,
        level: u32,
        _: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        let told = self.told;
        self.settled_at(level, &mut teller(watch, told))
    }

    fn write(&self, _: &mut dyn Write) -> io::Result<()> {
        Err(io::Error::other("a solve on disk keeps its state in its folder"))
    }

    fn read(&mut self, _: u32, _: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        Err(SolveError::Snapshot)
    }

    fn add_up(&mut self, own: Sums) -> Result<Sums, SolveError> {
        let Some(after) = self.level.checked_add(1) else { return Ok(own) };
        let known = self.tallies.range(after..).next().map(|(&level, _)| level);
        let ahead = (!self.manifest.over).then(|| after.max(self.manifest.completed));
        Ok(Sums { next: known.or(ahead), ..own })
    }
}
