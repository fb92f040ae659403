//! The options of a build, and the events that it reports.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use retrograde::Progress;
use retrograde::internal::Thresholds;
use retrograde_files::{FileError, Lease, Leases, Take};
use retrograde_table::{Compression, Folder};

use crate::build::build_error::BuildError;
use crate::build::plan::{Plan, Planned, plan};
use crate::build::solvable::SolvableRegions;
use crate::error::RegionError;
use crate::manifest::{Entry, Manifest};

/// All options of a builder, except the callback.
pub(crate) struct Setup<'a> {
    pub(crate) family: &'a dyn SolvableRegions,
    pub(crate) folder: PathBuf,
    pub(crate) threads: usize,
    pub(crate) distances: bool,
    pub(crate) compression: Compression,
    pub(crate) both_sides: bool,
    pub(crate) verify: bool,
    pub(crate) memory_max: u64,
    /// How many bytes all tables may have.
    pub(crate) tables_max: u64,
    /// The folder for the arrays of regions that do not fit in memory.
    pub(crate) disk: Option<PathBuf>,
    pub(crate) elsewhere: Option<Elsewhere<'a>>,
    /// How often to renew leases.
    pub(crate) lease_interval: Duration,
    pub(crate) checkpoint_interval: Duration,
    pub(crate) thresholds: Thresholds,
}

/// A function that solves a region and writes its table to a path. It reports its progress.
pub(crate) type Elsewhere<'a> =
    Box<dyn Fn(&Planned, &Path, Tell<'_>) -> Result<(), BuildError> + Send + Sync + 'a>;

/// Passes an event to the caller. If it returns `Break`, the function that solves must stop.
pub type Tell<'t> = &'t (dyn Fn(Event<'_>) -> ControlFlow<()> + Sync);

pub(crate) type Callback<'a> = Box<dyn FnMut(Event<'_>) -> ControlFlow<()> + Send + 'a>;

/// An event that a build reports. Events of two regions may alternate, because a build may solve two at a time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The build reads a finished table once, to check that it is whole.
    Checking(&'e str),
    /// A table of an earlier build is missing or damaged. The build will make it again.
    Repairing(&'e str, &'e RegionError),
    /// The build begins a region.
    Begun(&'e Planned),
    /// The build solves a region.
    Solving(&'e str, &'e Progress),
    /// How many states of the region the build has verified, and how many the region has.
    Verifying(&'e str, u64, u64),
    /// How many states of the region the build has written, and how many the table will keep.
    Writing(&'e str, u64, u64),
    /// The table of a region is finished.
    Finished(&'e str, &'e Entry, Duration),
    /// Another builder has finished the table of a region.
    Found(&'e str, &'e Entry),
    /// The build has nothing to do until another builder, which the text describes, finishes this region.
    Waiting(&'e str, &'e str),
    /// Another builder has taken the region that this one worked on, because this one stood still for some time. The build
    /// goes on with other regions.
    Lost(&'e str),
}

impl Setup<'_> {
    pub(crate) fn threads(&self) -> usize {
        if self.threads == 0 { rayon::current_num_threads() } else { self.threads }
    }

    /// The folder for the arrays of a region that does not fit in memory.
    pub(crate) fn arrays_of(&self, planned: &Planned) -> Option<PathBuf> {
        let disk = self.disk.as_ref().filter(|_| planned.memory_least > self.memory_max)?;
        Some(disk.join(&planned.region))
    }

    /// The folder for files of unfinished regions.
    pub(crate) fn temporary(&self) -> &Path {
        self.disk.as_ref().unwrap_or(&self.folder)
    }

    /// The file of a region's table.
    pub(crate) fn file(&self, region: &str) -> PathBuf {
        self.folder.join(format!("{region}.{}", Folder::EXTENSION))
    }

    pub(crate) fn plan(&self, targets: &[String], manifest: &Manifest) -> Plan {
        plan(self.family, targets, manifest, (self.threads(), self.distances))
    }

    /// The manifest of the folder, or a new one if the folder has none. Fails if an earlier build began the folder with
    /// other options.
    pub(crate) fn manifest(&self) -> Result<Manifest, BuildError> {
        let mut manifest = self.options()?;
        manifest.update(&self.folder)?;
        Ok(manifest)
    }

    /// The same without the regions.
    pub(crate) fn options(&self) -> Result<Manifest, BuildError> {
        let compression = self.compression.to_string();
        let wanted = Manifest::of(self.family, self.distances, &compression, self.both_sides);
        let Some(found) = Manifest::options(&self.folder)? else { return Ok(wanted) };
        let switch = |on: bool| if on { "on" } else { "off" }.to_string();
        for (option, found, wanted) in [
            ("game", found.family.clone(), wanted.family),
            ("distances", switch(found.distances), switch(wanted.distances)),
            ("compression", found.compression.clone(), wanted.compression),
            ("both-sides", switch(found.both_sides), switch(wanted.both_sides)),
        ] {
            if found != wanted {
                let folder = self.folder.clone();
                return Err(BuildError::Options { folder, option, found, wanted });
            }
        }
        if found.rules != wanted.rules {
            return Err(BuildError::Rules { folder: self.folder.clone() });
        }
        Ok(found)
    }

    /// The lease of a region. Fails if another builder has it.
    pub(crate) fn lease(&self, leases: &Leases, region: &str) -> Result<Lease, BuildError> {
        match leases.take(region, 0)? {
            Take::Ours(lease) => Ok(lease),
            Take::Held(holder) => {
                Err(FileError::Held { folder: self.folder.clone(), holder }.into())
            }
        }
    }
}

/// A random part of a folder name. No other process or container will choose the same one.
pub(crate) fn unique() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}
