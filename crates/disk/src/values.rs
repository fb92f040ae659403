//! The values of a solve on disk. The reader reads parts when a caller asks for them, and keeps a few.

use std::ops::Range;

use retrograde::parts::{Part, Partition};
use retrograde::{Code, Counts, Histogram, Probe, Value};
use retrograde_files::{FolderLock, remove_file, remove_folder};

use crate::at_hand::{AtHand, Held};
use crate::error::DiskError;
use crate::manifest::Manifest;
use crate::on_disk::{Files, OnDisk};
use crate::packed::Packer;

/// A game solved on disk. Its values lie in the folder until [`remove`](DiskSolution::remove) is called.
pub struct DiskSolution {
    pub(crate) partition: Partition,
    pub(crate) files: Files,
    pub(crate) parts: Vec<OnDisk>,
    pub(crate) distances: bool,
    pub(crate) histogram: Histogram,
    pub(crate) passes: u32,
    pub(crate) bytes_read: u64,
    pub(crate) bytes_written: u64,
    /// The parts that were read last.
    pub(crate) at_hand: AtHand<Part>,
    pub(crate) lock: FolderLock,
}

impl DiskSolution {
    /// How many states win and lose at each distance.
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// How many passes over the parts there were: one for each level.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// How many bytes the solve has read from files and written to them, earlier runs included.
    pub fn bytes_moved(&self) -> (u64, u64) {
        (self.bytes_read, self.bytes_written)
    }

    /// How many of these states have each value.
    pub fn count(&self, states: Range<u64>) -> Result<Counts, DiskError> {
        let (mut counts, mut first) = (Counts::default(), states.start);
        while first < states.end {
            let part = self.part(self.partition.part_of(first))?;
            let end = states.end.min(part.states().end);
            counts += part.count(first..end);
            first = end;
        }
        Ok(counts)
    }

    /// Removes all files of the solve from its folder.
    pub fn remove(self) {
        remove(&self.files, self.lock);
    }

    fn part(&self, number: usize) -> Result<Held<'_, Part>, DiskError> {
        self.at_hand.get(number, |memory| {
            let mut part = match memory {
                Some(mut part) => {
                    self.partition.reuse(&mut part, number);
                    part
                }
                None => self.partition.part(number),
            };
            let failed = |source| DiskError::io(&self.files.folder, "parts", "unpack", source);
            let mut packer = Packer::new().map_err(failed)?;
            self.files.read(&mut packer, number, self.parts[number].swept, &mut part)?;
            Ok(part)
        })
    }
}

/// Removes all files of a solve from its folder.
pub(crate) fn remove(files: &Files, lock: FolderLock) {
    // First the manifest: without it the rest belongs to no solve.
    let _ = remove_file(&Manifest::path(&files.folder));
    let _ = files.sync();
    Manifest::new("", (0, 64), 0, false, 0).sweep(files);
    drop(lock);
    // The folder stays if it has other files.
    remove_folder(&files.folder);
}

impl Probe for DiskSolution {
    type Error = DiskError;

    fn states(&self) -> u64 {
        self.files.states
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, DiskError> {
        Ok(self.part(self.partition.part_of(state))?.value(state))
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), DiskError> {
        let (mut first, mut codes) = (first, codes);
        while !codes.is_empty() {
            let part = self.part(self.partition.part_of(first))?;
            let here = (part.states().end - first).min(codes.len() as u64);
            let (now, later) = codes.split_at_mut(here as usize);
            part.fill_codes(first, now);
            (first, codes) = (first + here, later);
        }
        Ok(())
    }
}
