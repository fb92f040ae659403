//! Updates for parts, kept until the part reads them: in memory up to a limit, and beyond it in a spill file.
//!
//! An update is a number of four bytes. The updates of a level may come in any order. So the file has them in ascending
//! order, as the differences from one to the next, which take between one and two bytes.
//!
//! Neighbours are at most one level apart, so a part has updates for two levels: the one it has swept and the
//! next.

use std::io;
use std::path::{Path, PathBuf};

use retrograde::internal::checksum::checksum;
use retrograde_files::File;
use retrograde_table::{read_varint, write_varint};
use serde::{Deserialize, Serialize};

use crate::buffer_pool::{BufferPool, Queue};
use crate::error::DiskError;

/// Updates in a spill file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    /// The pass that wrote them, which names the file.
    pass: u32,
    offset: u64,
    bytes: u32,
    sum: u64,
}

/// All waiting updates.
pub(crate) struct Inboxes {
    folder: PathBuf,
    pass: u32,
    buffer_pool: BufferPool,
    /// The updates in memory, by part and parity of the level.
    queues: Vec<[Queue; 2]>,
    /// The updates in files.
    extents: Vec<[Vec<Extent>; 2]>,
    /// The spill file of this pass, if there is one, and its length.
    file: Option<(File, u64)>,
}

/// What remains after a pass.
pub(crate) struct Closed {
    /// The updates in files, and their parts.
    pub(crate) waiting: Vec<(u32, Extent)>,
    /// How many bytes the pass has written.
    pub(crate) written: u64,
    /// The memory, for the next pass.
    pub(crate) buffer_pool: BufferPool,
}

/// The most updates of an extent, because an extent is read at once.
const EXTENT_MAX: usize = 1 << 16;
/// The name of the files in messages.
const WHAT: &str = "the updates";

/// The file of a pass.
pub(crate) fn spill_file(folder: &Path, pass: u32) -> PathBuf {
    folder.join(format!("{pass}.updates"))
}

impl Inboxes {
    /// Inboxes for a pass, with the updates that wait from the one before.
    pub(crate) fn new(
        folder: &Path,
        pass: u32,
        parts: usize,
        buffer_pool: BufferPool,
        (level, waiting): (u32, &[(u32, Extent)]),
    ) -> Inboxes {
        let mut extents = vec![[const { Vec::new() }; 2]; parts];
        for &(part, extent) in waiting {
            extents[part as usize][level as usize % 2].push(extent);
        }
        let queues = vec![[Queue::EMPTY; 2]; parts];
        Inboxes { folder: folder.to_owned(), pass, buffer_pool, queues, extents, file: None }
    }

    /// Adds updates for a part at a level.
    pub(crate) fn send(&mut self, to: usize, level: u32, updates: &[u32]) -> Result<(), DiskError> {
        let mut rest = updates;
        loop {
            rest = self.buffer_pool.add(&mut self.queues[to][level as usize % 2], rest);
            if rest.is_empty() {
                return Ok(());
            }
            self.spill()?;
        }
    }

    /// Whether a part has updates for a level.
    pub(crate) fn has_updates(&self, part: usize, level: u32) -> bool {
        let parity = level as usize % 2;
        !self.queues[part][parity].is_empty() || !self.extents[part][parity].is_empty()
    }

    /// Takes the updates in memory for a part at a level, a few thousand at a time; empty at the end.
    pub(crate) fn take(&mut self, part: usize, level: u32, updates: &mut Vec<u32>) {
        const AT_A_TIME: usize = 1 << 12;
        self.buffer_pool.take(&mut self.queues[part][level as usize % 2], AT_A_TIME, updates);
    }

    /// Takes the updates in files for a part at a level.
    pub(crate) fn take_extents(&mut self, part: usize, level: u32) -> Vec<Extent> {
        std::mem::take(&mut self.extents[part][level as usize % 2])
    }

    /// Writes all updates in memory to the spill file.
    fn spill(&mut self) -> Result<(), DiskError> {
        let path = spill_file(&self.folder, self.pass);
        let failed = |source| DiskError::io(&path, WHAT, "write", source);
        let (file, mut end) = match self.file.take() {
            Some(open) => open,
            None => (File::create(&path).map_err(failed)?, 0),
        };
        let (mut updates, mut bytes, mut other) = (Vec::new(), Vec::new(), Vec::new());
        let queues = self.queues.as_flattened_mut().iter_mut();
        for (queue, extents) in queues.zip(self.extents.as_flattened_mut()) {
            while !queue.is_empty() {
                self.buffer_pool.take(queue, EXTENT_MAX, &mut updates);
                bytes.clear();
                sort(&mut updates, &mut other);
                let mut before = 0;
                for &update in &updates {
                    write_varint(&mut bytes, u64::from(update - before));
                    before = update;
                }
                file.write_all_at(&bytes, end).map_err(failed)?;
                extents.push(Extent {
                    pass: self.pass,
                    offset: end,
                    bytes: bytes.len() as u32,
                    sum: checksum(&bytes, end),
                });
                end += bytes.len() as u64;
            }
        }
        self.file = Some((file, end));
        Ok(())
    }

    /// Writes all waiting updates, and waits until they are on the disk.
    pub(crate) fn close(mut self) -> Result<Closed, DiskError> {
        self.spill()?;
        let path = spill_file(&self.folder, self.pass);
        let (file, written) = self.file.take().unwrap_or_else(|| unreachable!("it was written"));
        file.sync().map_err(|source| DiskError::io(&path, WHAT, "write", source))?;
        let of_parts = (0..).zip(&self.extents);
        let waiting =
            of_parts.flat_map(|(part, of)| of.iter().flatten().map(move |&extent| (part, extent)));
        Ok(Closed { waiting: waiting.collect(), written, buffer_pool: self.buffer_pool })
    }
}

/// Reads the updates of an extent and checks them.
pub(crate) fn read_updates(
    folder: &Path,
    extent: Extent,
    part: usize,
) -> Result<Vec<u32>, DiskError> {
    let path = spill_file(folder, extent.pass);
    let what = format!("the updates of part {part}");
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::UnexpectedEof => DiskError::damaged(&path, &what, "it is too short"),
        io::ErrorKind::NotFound => DiskError::damaged(&path, &what, "its file is gone"),
        _ => DiskError::io(&path, &what, "read", source),
    };
    let file = File::open(&path).map_err(failed)?;
    // The manifest names the length, and the file may be shorter.
    let end = extent.offset.saturating_add(extent.bytes.into());
    if file.len().map_err(failed)? < end {
        return Err(failed(io::ErrorKind::UnexpectedEof.into()));
    }
    let mut bytes = vec![0; extent.bytes as usize];
    file.read_exact_at(&mut bytes, extent.offset).map_err(failed)?;
    if checksum(&bytes, extent.offset) != extent.sum {
        return Err(DiskError::damaged(&path, &what, "its checksum is wrong"));
    }
    let (mut rest, mut updates, mut before) = (&bytes[..], Vec::new(), 0u32);
    while let Some(difference) = read_varint(&mut rest) {
        before = before.wrapping_add(difference as u32);
        updates.push(before);
    }
    Ok(updates)
}

/// Sorts updates byte by byte, from the lowest byte on. `other` is a buffer.
fn sort(updates: &mut Vec<u32>, other: &mut Vec<u32>) {
    let all = updates.iter().fold(0, |all, update| all | update);
    other.resize(updates.len(), 0);
    for shift in (0..32 - all.leading_zeros()).step_by(8) {
        let byte_of = |update: u32| (update >> shift) as usize & 0xff;
        let mut places = [0; 256];
        updates.iter().for_each(|&update| places[byte_of(update)] += 1);
        let mut first = 0;
        for place in &mut places {
            first += std::mem::replace(place, first);
        }
        for &update in &*updates {
            let place = &mut places[byte_of(update)];
            other[*place] = update;
            *place += 1;
        }
        std::mem::swap(updates, other);
    }
}
