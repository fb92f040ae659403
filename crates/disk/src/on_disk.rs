//! A part in a file: its arrays and pending events after a swept level.

use std::io;
use std::path::{Path, PathBuf};

use retrograde::SolveError;
use retrograde::parts::{Part, PendingEvents};
use retrograde_files::{File, sync_folder};
use serde::{Deserialize, Serialize};

use crate::error::DiskError;
use crate::packed::{PackedReader, PackedWriter, Packer, wrong};

/// What the solver knows of a part without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OnDisk {
    /// The pass that wrote it, which names the file.
    pub(crate) pass: u32,
    /// The level it had swept by then.
    pub(crate) level: u32,
    /// Whether something has settled since it last ended a level.
    pub(crate) found: bool,
    /// The next level with a pending event.
    pub(crate) next: Option<u32>,
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
    /// The file of a part that a pass wrote.
    pub(crate) fn path(&self, part: usize, pass: u32) -> PathBuf {
        self.folder.join(format!("{part:05}-{pass}.part"))
    }

    fn seed(&self, part: usize, pass: u32) -> u64 {
        self.seed ^ (part as u64) << 32 ^ u64::from(pass)
    }

    /// Writes a part, and waits until it is on the disk; returns how many bytes that took.
    pub(crate) fn write(
        &self,
        packer: &mut Packer,
        number: usize,
        pass: u32,
        resident: &Resident,
    ) -> Result<u64, DiskError> {
        let path = self.path(number, pass);
        let written = File::create(&path).and_then(|file| {
            let parts = (&resident.part, &resident.pending);
            let bytes = self.pack(packer, &file, (number, pass), parts)?;
            file.sync()?;
            Ok(bytes)
        });
        written.map_err(|source| DiskError::io(&path, &what(number), "write", source))
    }

    /// The same into any file.
    pub(crate) fn pack(
        &self,
        packer: &mut Packer,
        file: &File,
        (number, pass): (usize, u32),
        (part, pending): (&Part, &PendingEvents),
    ) -> io::Result<u64> {
        let mut to = PackedWriter::new(packer, file.cursor(0), self.seed(number, pass));
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
        on_disk: OnDisk,
        part: &mut Part,
    ) -> Result<(PendingEvents, u64), DiskError> {
        let path = self.path(number, on_disk.pass);
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::InvalidData => {
                DiskError::damaged(&path, &what(number), source.to_string())
            }
            io::ErrorKind::NotFound => DiskError::damaged(&path, &what(number), "its file is gone"),
            _ => DiskError::io(&path, &what(number), "read", source),
        };
        let read = File::open(&path);
        read.and_then(|file| self.unpack(packer, &file, (number, on_disk), part)).map_err(failed)
    }

    /// The same from any file.
    pub(crate) fn unpack(
        &self,
        packer: &mut Packer,
        file: &File,
        (number, on_disk): (usize, OnDisk),
        part: &mut Part,
    ) -> io::Result<(PendingEvents, u64)> {
        let mut from = PackedReader::new(packer, file.cursor(0), self.seed(number, on_disk.pass));
        let mut read = || -> Result<PendingEvents, SolveError> {
            part.read_swept(on_disk.level, &mut from)?;
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
            part.split_once('-').is_some_and(|(part, pass)| digits(part) && digits(pass))
        }
        (_, Some(updates)) => digits(updates),
        _ => false,
    }
}
