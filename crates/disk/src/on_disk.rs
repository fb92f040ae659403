//! A part in a file: its arrays and pending events after a swept level.

use std::io;
use std::path::{Path, PathBuf};

use retrograde::SolveError;
use retrograde::parts::{Part, PendingEvents};
use retrograde_files::{File, remove_file, sync_folder};
use serde::{Deserialize, Serialize};

use crate::error::DiskError;
use crate::packed::{PackedReader, PackedWriter, Packer, wrong};

/// What the solver knows of a part without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OnDisk {
    /// The level that it had swept when its file was written, which names the file. 0 if it has no file.
    pub(crate) swept: u32,
    /// Whether something has settled since it last ended a level.
    pub(crate) found: bool,
    /// The next level with a pending event.
    pub(crate) next: Option<u32>,
}

impl OnDisk {
    /// Whether a part has something to do at a level, if no updates wait for it: its own sweep has settled a state, or an
    /// event is due.
    pub(crate) fn is_due(self, level: u32) -> bool {
        self.found || self.next.is_some_and(|next| next <= level)
    }
}

/// A part in memory.
pub(crate) struct Resident {
    pub(crate) part: Part,
    pub(crate) pending: PendingEvents,
    /// Whether it differs from its file.
    pub(crate) changed: bool,
}

/// The files of a solve.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    pub(crate) folder: PathBuf,
    /// The seed of all checksums of this solve, so that the file of another solve is never read as one of
    /// this.
    pub(crate) seed: u64,
    pub(crate) states: u64,
}

impl Files {
    /// The file of a part that has swept a level.
    pub(crate) fn part(&self, number: usize, swept: u32) -> PathBuf {
        self.folder.join(format!("{number:05}-{swept}.part"))
    }

    /// The file of the updates of a level.
    pub(crate) fn updates(&self, level: u32) -> PathBuf {
        self.folder.join(format!("{level}.updates"))
    }

    fn seed(&self, part: usize, swept: u32) -> u64 {
        self.seed ^ (part as u64) << 32 ^ u64::from(swept)
    }

    /// Writes a part; returns how many bytes that took.
    pub(crate) fn write(
        &self,
        packer: &mut Packer,
        number: usize,
        resident: &Resident,
    ) -> Result<u64, DiskError> {
        let Resident { part, pending, .. } = resident;
        let path = self.part(number, part.level());
        let written =
            File::create(&path).and_then(|file| self.pack(packer, &file, number, (part, pending)));
        written.map_err(|source| DiskError::io(&path, &what(number), "write", source))
    }

    /// Waits until the file of a part is on the disk.
    pub(crate) fn sync_part(&self, number: usize, swept: u32) -> Result<(), DiskError> {
        let path = self.part(number, swept);
        let synced = File::open_or_create(&path).and_then(|file| file.sync());
        synced.map_err(|source| DiskError::io(&path, &what(number), "write", source))
    }

    /// Removes the file of a part.
    pub(crate) fn remove_part(&self, number: usize, swept: u32) {
        // A file that cannot be removed does no harm.
        let _ = remove_file(&self.part(number, swept));
    }

    /// Writes a part into any file; returns how many bytes that took.
    pub(crate) fn pack(
        &self,
        packer: &mut Packer,
        file: &File,
        number: usize,
        (part, pending): (&Part, &PendingEvents),
    ) -> io::Result<u64> {
        let seed = self.seed(number, part.level());
        let mut to = PackedWriter::new(packer, file.cursor(0), seed);
        part.write(&mut to)?;
        pending.write(&mut to)?;
        to.end()
    }

    /// Makes sure that the names of all files are on the disk.
    pub(crate) fn sync(&self) -> Result<(), DiskError> {
        let failed =
            |source| DiskError::io(&self.folder, "the names of the parts", "write", source);
        sync_folder(&self.folder).map_err(failed)
    }

    /// Reads a part into the memory of another; returns how many bytes that took.
    pub(crate) fn read(
        &self,
        packer: &mut Packer,
        number: usize,
        swept: u32,
        part: &mut Part,
    ) -> Result<(PendingEvents, u64), DiskError> {
        let path = self.part(number, swept);
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::InvalidData => {
                DiskError::damaged(&path, &what(number), source.to_string())
            }
            io::ErrorKind::NotFound => DiskError::damaged(&path, &what(number), "its file is gone"),
            _ => DiskError::io(&path, &what(number), "read", source),
        };
        let read = File::open(&path);
        read.and_then(|file| self.unpack(packer, &file, (number, swept), part)).map_err(failed)
    }

    /// The same from any file.
    pub(crate) fn unpack(
        &self,
        packer: &mut Packer,
        file: &File,
        (number, swept): (usize, u32),
        part: &mut Part,
    ) -> io::Result<(PendingEvents, u64)> {
        let mut from = PackedReader::new(packer, file.cursor(0), self.seed(number, swept));
        let mut read = || -> Result<PendingEvents, SolveError> {
            part.read_swept(swept, &mut from)?;
            PendingEvents::read(self.states, &mut from)
        };
        let pending = read().map_err(outside)?;
        Ok((pending, from.end()?))
    }
}

/// The name of a part in messages.
fn what(number: usize) -> String {
    format!("part {number}")
}

/// The cause of a failed read of the engine.
fn outside(error: SolveError) -> io::Error {
    match error {
        SolveError::Outside(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        _ => wrong("it does not hold a part of this game"),
    }
}

/// Whether a file in the folder of a solve is one of its parts or spill files.
pub(crate) fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match (name.strip_suffix(".part"), name.strip_suffix(".updates")) {
        (Some(part), _) => {
            part.split_once('-').is_some_and(|(part, swept)| digits(part) && digits(swept))
        }
        (_, Some(updates)) => digits(updates),
        _ => false,
    }
}
