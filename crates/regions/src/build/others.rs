//! The other builders in the folder of a build: what they have finished, what they work on, and how much memory they use.
//!
//! A builder takes the lease of a region before it solves the region. But leases only save work. If two builders solve one
//! region, both make the same table. The second finds the record of the first, and compares the checksums.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

use retrograde_files::{FileError, FolderLock, Take, exists, sync_folder};

use crate::build::build_error::BuildError;
use crate::build::plan::Planned;
use crate::build::running::Build;
use crate::build::schedule::{Job, Others};
use crate::build::setup::{Event, Setup};
use crate::error::Cause;
use crate::manifest::{Entry, Manifest};

impl Build<'_> {
    /// The checksums of the tables that a region needs.
    pub(crate) fn checksums(
        &self,
        manifest: &Manifest,
        planned: &Planned,
    ) -> BTreeMap<String, String> {
        let names = planned.needs.iter().map(|&need| self.plan.regions[need].region.clone());
        let entry =
            |name: String| Some((name.clone(), manifest.regions.get(&name)?.checksum.clone()));
        names.filter_map(entry).collect()
    }

    /// Records a finished table. If another builder has recorded it meanwhile, both must have made the same table.
    pub(crate) fn note(&self, planned: &Planned, entry: &Entry) -> Result<(), BuildError> {
        let Setup { folder, .. } = self.setup;
        let region = &planned.region;
        self.setup.options()?;
        let mut manifest = self.manifest();
        for (need, checksum) in &entry.needs {
            if Manifest::noted(folder, need)?.is_some_and(|now| now.checksum != *checksum) {
                let (path, need) = (self.setup.file(region), need.clone());
                return Err(self.failed(region, Cause::Outdated { path, need }));
            }
        }
        match Manifest::noted(folder, region)? {
            None => manifest.note(folder, region, entry.clone())?,
            // Its author may have failed to sync it, or may not have come to that yet.
            Some(found) if found == *entry => {
                sync_folder(folder).map_err(|error| FileError::new(folder, "sync", error))?;
            }
            Some(found) => {
                // It is unknown which of the tables is right.
                manifest.forget(folder, region)?;
                let checksums = [entry.checksum.clone(), found.checksum];
                let path = self.setup.file(region);
                return Err(self.failed(region, Cause::Differs { path, checksums }));
            }
        }
        // If this table was made again and is another one now, so are all that depend on it.
        let place = self.places[region];
        for after in self.plan.regions.iter().filter(|after| after.needs.contains(&place)) {
            let name = &after.region;
            let found = manifest.regions.get(name);
            if found.is_some_and(|found| manifest.disagreement(found).is_some()) {
                manifest.forget(folder, name)?;
                self.reopened().push(self.places[name]);
            }
        }
        Ok(())
    }

    /// Whether another builder has the region of a job. Where other processes follow the plan, the build keeps to it.
    pub(crate) fn has_lost(&self, job: &Job) -> bool {
        job.is_lost() && self.setup.elsewhere.is_none() && !self.stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn tell_of(&self, job: &Job, event: Event<'_>) -> ControlFlow<()> {
        if self.has_lost(job) { ControlFlow::Break(()) } else { self.tell_on(event) }
    }

    fn reopened(&self) -> MutexGuard<'_, Vec<usize>> {
        self.reopened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Others for Build<'_> {
    fn news(&self) -> Result<Vec<(usize, Option<u64>)>, BuildError> {
        let mut news: Vec<_> = self.reopened().drain(..).map(|place| (place, None)).collect();
        for (place, _) in &news {
            self.copies.reopened(self.plan, *place);
        }
        let mut found = Vec::new();
        let mut manifest = self.manifest();
        for name in manifest.update(&self.setup.folder)? {
            // A build of other regions may share the folder.
            let Some(&place) = self.places.get(&name) else { continue };
            let entry = manifest.regions[&name].clone();
            news.push((place, Some(entry.bytes)));
            found.push((place, entry));
        }
        drop(manifest);
        for (place, entry) in found {
            self.copies.finished(self.plan, place, &self.leases);
            self.tell(Event::Found(&self.plan.regions[place].region, &entry))?;
        }
        Ok(news)
    }

    fn memory(&self) -> Result<(u64, Option<FolderLock>), BuildError> {
        let alone = self.leases.alone();
        Ok((self.leases.memory_of_others()?, alone))
    }

    fn claim(&self, place: usize, memory: u64) -> Result<Take, BuildError> {
        let ours = self.ours.lock().unwrap_or_else(PoisonError::into_inner).remove(&place);
        let planned = &self.plan.regions[place];
        let name = &planned.region;
        // A builder that stands still may have lost its lease, but it keeps its files.
        if let Some(arrays) = self.setup.arrays_of(planned).filter(|arrays| exists(arrays))
            && let Err(FileError::Held { holder, .. }) = FolderLock::acquire(&arrays)
        {
            return Ok(Take::Held(holder));
        }
        let lease = match ours {
            Some(lease) => lease,
            None => match self.with_room(|| Ok(self.leases.take(name, memory)?))? {
                Take::Ours(lease) => lease,
                Take::Held(holder) => return Ok(Take::Held(holder)),
            },
        };
        // Since this builder last looked, another may have finished the region.
        Ok(match Manifest::noted(&self.setup.folder, name)? {
            None => Take::Ours(lease),
            Some(_) => Take::Held("another process".into()),
        })
    }

    fn wait(&self, place: usize, holder: &str) -> Result<(), BuildError> {
        self.tell(Event::Waiting(&self.plan.regions[place].region, holder))
    }
}
