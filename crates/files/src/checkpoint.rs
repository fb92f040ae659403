//! Large files that say whose they are: checkpoints of solves.
//!
//! ```text
//! magic, 16 bytes; version u32; length of the identity u32; identity: a JSON object; checksum u64 of all before it
//! data, which has checksums of its own
//! ```

use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use retrograde::internal::checksum::checksum;
use serde_json::Value as Json;

use crate::error::FileError;
use crate::file::{Cursor, File};
use crate::folder::{folder_of, sync_folder};
use crate::temp_file::{Durable, TempFile};

/// What the files of one kind of work begin with. A reader takes no other file for its own.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// The kind of file.
    pub magic: &'a [u8; 16],
    /// The version of its format.
    pub version: u32,
    /// What the work is about: an object. A reader refuses a file of which one of these members differs.
    pub about: &'a Json,
}

impl Identity<'_> {
    fn bytes(&self) -> Vec<u8> {
        let about = self.about.to_string();
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((about.len() as u32).to_le_bytes());
        bytes.extend(about.as_bytes());
        let sum = checksum(&bytes, 0);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// How the file of other work differs: the first member, what was found, and what was expected.
    fn difference(&self, found: &Json) -> Option<String> {
        // A board is too long to print.
        const LONG: usize = 200;
        let differing = self.about.as_object().into_iter().flatten().find_map(|(key, expected)| {
            let found = found.get(key).unwrap_or(&Json::Null);
            (found != expected).then(|| (key, found.to_string(), expected.to_string()))
        });
        differing.map(|(key, found, expected)| {
            match key == "board" || found.len() + expected.len() > LONG {
                true => format!("another {key}"),
                false => format!("another {key}, {found} and not {expected}"),
            }
        })
    }
}

/// Writes a file as a whole or not at all. `write` writes the data, with checksums.
pub fn write_checkpoint(
    path: &Path,
    identity: Identity<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Durable, FileError> {
    let mut file = TempFile::create(path)?;
    file.write(&identity.bytes())?;
    write(&mut file).map_err(|error| FileError::new(path, "write", error))?;
    file.publish()
}

/// Opens the output of [`write_checkpoint`], if there is a file: its identity, and its data.
pub fn read_checkpoint(
    path: &Path,
    identity: Identity<'_>,
) -> Result<Option<(Json, BufReader<Cursor>)>, FileError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::new(path, "open", error)),
    };
    // Its name may not be on the disk yet. What follows from it must not be older.
    sync_folder(folder_of(path))
        .map_err(|error| FileError::new(path, "sync the folder of", error))?;
    let mut from = BufReader::with_capacity(1 << 16, file.into_cursor(0));
    let damaged = |problem: &str| FileError::damaged(path, problem);
    let foreign = |difference| FileError::Foreign { path: path.into(), difference };
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("the file is cut short"),
        _ => FileError::new(path, "read", error),
    };
    let mut bytes = vec![0; 24];
    from.read_exact(&mut bytes).map_err(failed)?;
    let number =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let (version, len) = (number(16), number(20));
    if !bytes.starts_with(identity.magic) {
        return Err(damaged("it does not begin as such a file"));
    }
    if version != identity.version {
        return Err(foreign(format!("version {version} of its format, not {}", identity.version)));
    }
    // Takes no more memory than there are bytes.
    from.by_ref().take(u64::from(len)).read_to_end(&mut bytes).map_err(failed)?;
    let mut sum = [0; 8];
    from.read_exact(&mut sum).map_err(failed)?;
    if checksum(&bytes, 0) != u64::from_le_bytes(sum) {
        return Err(damaged("the checksum of its identity is wrong"));
    }
    let about: Json =
        serde_json::from_slice(&bytes[24..]).map_err(|error| damaged(&error.to_string()))?;
    match identity.difference(&about) {
        Some(difference) => Err(foreign(difference)),
        None => Ok(Some((about, from))),
    }
}
