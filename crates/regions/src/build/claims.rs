//! What a build asks of the other builders in its folder.

use retrograde_files::{FolderLock, Lease};

use crate::build::build_error::BuildError;

/// The other builders in the folder.
pub(crate) trait Others: Sync {
    /// What has changed since the last call: regions that others have finished, each with the length of its table, and
    /// regions that are to be solved again.
    fn news(&self) -> Result<Vec<(usize, Option<u64>)>, BuildError>;

    /// The memory that builders on this machine use. Until the result is dropped, no other builder takes a region.
    fn memory(&self) -> Result<(u64, Option<FolderLock>), BuildError>;

    /// Claims a region, which will take this much memory.
    fn claim(&self, place: usize, memory: u64) -> Result<Claim, BuildError>;

    /// Says that this builder has nothing to do, and for which region and whom it waits.
    fn wait(&self, place: usize, holder: &str) -> Result<(), BuildError>;
}

/// The answer to a claim.
pub(crate) enum Claim {
    /// The region is ours.
    Ours(Option<Lease>),
    /// Another builder, with this description, works on it.
    Held(String),
    /// Another builder has just finished it.
    Done,
}

/// No other builders.
pub(crate) struct Alone;

impl Others for Alone {
    fn news(&self) -> Result<Vec<(usize, Option<u64>)>, BuildError> {
        Ok(Vec::new())
    }

    fn memory(&self) -> Result<(u64, Option<FolderLock>), BuildError> {
        Ok((0, None))
    }

    fn claim(&self, _: usize, _: u64) -> Result<Claim, BuildError> {
        Ok(Claim::Ours(None))
    }

    fn wait(&self, _: usize, _: &str) -> Result<(), BuildError> {
        Ok(())
    }
}
