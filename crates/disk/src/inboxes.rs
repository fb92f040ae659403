//! Updates for parts, kept until the part reads them: in memory up to a limit, and beyond it in a spill file.
//!
//! An update is a number of four bytes. The updates of a level may come in any order. So the file has them in ascending
//! order, as the differences from one to the next, which take between one and two bytes.
//!
//! While the parts end a level, they take its updates, and send those of the next level.

use std::io;
use std::path::PathBuf;

use retrograde::internal::checksum::checksum;
use retrograde_files::{File, remove_file};
use retrograde_table::{read_varint, write_varint};
use serde::{Deserialize, Serialize};

use crate::buffer_pool::{BufferPool, Queue};
use crate::error::DiskError;
use crate::on_disk::Files;

/// Updates in a spill file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    offset: u64,
    bytes: u32,
    sum: u64,
}

/// The updates of two levels.
pub(crate) struct Inboxes {
    files: Files,
    buffer_pool: BufferPool,
    /// The updates of the level that ends, and of the next.
    arriving: OneLevel,
    leaving: OneLevel,
    /// How many bytes were written to spill files.
    written: u64,
}

/// The updates of a level, by part.
struct OneLevel {
    level: u32,
    in_memory: Vec<Queue>,
    in_file: Vec<Vec<Extent>>,
    /// The spill file and its length, once this solve has begun it.
    file: Option<(File, u64)>,
}

/// The most updates of an extent, because an extent is read at once.
const EXTENT_MAX: usize = 1 << 16;
/// The name of the files in messages.
const WHAT: &str = "the updates";

impl OneLevel {
    fn new(level: u32, parts: usize) -> OneLevel {
        let (in_memory, in_file) = (vec![Queue::EMPTY; parts], vec![Vec::new(); parts]);
        OneLevel { level, in_memory, in_file, file: None }
    }

    /// Writes its updates in memory to its spill file.
    fn spill(&mut self, files: &Files, buffer_pool: &mut BufferPool) -> Result<u64, DiskError> {
        if self.in_memory.iter().all(Queue::is_empty) {
            return Ok(0);
        }
        let path = files.updates(self.level);
        let failed = |source| DiskError::io(&path, WHAT, "write", source);
        let (file, begin) = match self.file.take() {
            Some(open) => open,
            None => (File::create(&path).map_err(failed)?, 0),
        };
        let mut end = begin;
        let (mut updates, mut bytes, mut other) = (Vec::new(), Vec::new(), Vec::new());
        for (queue, extents) in self.in_memory.iter_mut().zip(&mut self.in_file) {
            while !queue.is_empty() {
                buffer_pool.take(queue, EXTENT_MAX, &mut updates);
                bytes.clear();
                sort(&mut updates, &mut other);
                let mut before = 0;
                for &update in &updates {
                    write_varint(&mut bytes, u64::from(update - before));
                    before = update;
                }
                file.write_all_at(&bytes, end).map_err(failed)?;
                let sum = checksum(&bytes, end);
                extents.push(Extent { offset: end, bytes: bytes.len() as u32, sum });
                end += bytes.len() as u64;
            }
        }
        self.file = Some((file, end));
        Ok(end - begin)
    }
}

impl Inboxes {
    /// Inboxes with updates for a level, which wait in a file: parts and extents.
    pub(crate) fn new(
        files: &Files,
        parts: usize,
        bytes: usize,
        (level, waiting): (u32, &[(u32, Extent)]),
    ) -> Inboxes {
        let (arriving, mut leaving) = (OneLevel::new(0, parts), OneLevel::new(level, parts));
        for &(part, extent) in waiting {
            leaving.in_file[part as usize].push(extent);
        }
        let buffer_pool = BufferPool::new(bytes);
        Inboxes { files: files.clone(), buffer_pool, arriving, leaving, written: 0 }
    }

    /// Begins to end a level. The updates of the level before have been taken. Removes their file, unless a manifest names
    /// it.
    pub(crate) fn begin(&mut self, level: u32, named: u32) {
        std::mem::swap(&mut self.arriving, &mut self.leaving);
        let old = &mut self.leaving;
        if old.file.take().is_some() && old.level > named {
            // A file that cannot be removed does no harm.
            let _ = remove_file(&self.files.updates(old.level));
        }
        old.level = level.checked_add(1).expect("distances end at 2^32 plies");
    }

    /// Adds updates for a part at the next level.
    pub(crate) fn send(&mut self, to: usize, updates: &[u32]) -> Result<(), DiskError> {
        let mut rest = updates;
        loop {
            rest = self.buffer_pool.add(&mut self.leaving.in_memory[to], rest);
            if rest.is_empty() {
                return Ok(());
            }
            let Inboxes { files, buffer_pool, arriving, leaving, .. } = self;
            self.written += arriving.spill(files, buffer_pool)?;
            self.written += leaving.spill(files, buffer_pool)?;
        }
    }

    /// Whether a part has updates for the level.
    pub(crate) fn has_updates(&self, part: usize) -> bool {
        !self.arriving.in_memory[part].is_empty() || !self.arriving.in_file[part].is_empty()
    }

    /// Takes the updates in memory for a part, a few thousand at a time; empty at the end.
    pub(crate) fn take(&mut self, part: usize, updates: &mut Vec<u32>) {
        const AT_A_TIME: usize = 1 << 12;
        self.buffer_pool.take(&mut self.arriving.in_memory[part], AT_A_TIME, updates);
    }

    /// Takes the updates in the file for a part: the path of the file, and where they are.
    pub(crate) fn take_extents(&mut self, part: usize) -> (PathBuf, Vec<Extent>) {
        let path = self.files.updates(self.arriving.level);
        (path, std::mem::take(&mut self.arriving.in_file[part]))
    }

    /// Writes all updates of the next level, and waits until they are on the disk. Returns where they are.
    pub(crate) fn save(&mut self) -> Result<Vec<(u32, Extent)>, DiskError> {
        let Inboxes { files, buffer_pool, leaving, written, .. } = self;
        *written += leaving.spill(files, buffer_pool)?;
        if let Some((file, _)) = &leaving.file {
            file.sync().map_err(|source| DiskError::io(file.path(), WHAT, "write", source))?;
        }
        let of_parts = (0..).zip(&leaving.in_file);
        Ok(of_parts.flat_map(|(part, of)| of.iter().map(move |&extent| (part, extent))).collect())
    }

    /// How many bytes were written to spill files since the last call.
    pub(crate) fn take_written(&mut self) -> u64 {
        std::mem::take(&mut self.written)
    }
}

/// Reads the updates of some extents of a part, checks them, and passes them to `deliver`.
pub(crate) fn read_updates(
    (path, extents): (PathBuf, Vec<Extent>),
    part: usize,
    mut deliver: impl FnMut(&[u32]),
) -> Result<(), DiskError> {
    if extents.is_empty() {
        return Ok(());
    }
    let what = format!("the updates of part {part}");
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::UnexpectedEof => DiskError::damaged(&path, &what, "it is too short"),
        io::ErrorKind::NotFound => DiskError::damaged(&path, &what, "its file is gone"),
        _ => DiskError::io(&path, &what, "read", source),
    };
    let file = File::open(&path).map_err(failed)?;
    let len = file.len().map_err(failed)?;
    let (mut bytes, mut updates) = (Vec::new(), Vec::new());
    for Extent { offset, bytes: count, sum } in extents {
        // The manifest names the length, and the file may be shorter.
        if len < offset.saturating_add(count.into()) {
            return Err(failed(io::ErrorKind::UnexpectedEof.into()));
        }
        bytes.resize(count as usize, 0);
        file.read_exact_at(&mut bytes, offset).map_err(failed)?;
        if checksum(&bytes, offset) != sum {
            return Err(DiskError::damaged(&path, &what, "its checksum is wrong"));
        }
        updates.clear();
        let (mut rest, mut before) = (&bytes[..], 0u32);
        while let Some(difference) = read_varint(&mut rest) {
            before = before.wrapping_add(difference as u32);
            updates.push(before);
        }
        deliver(&updates);
    }
    Ok(())
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
