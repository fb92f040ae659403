//! Small files that people can read, with a checksum over every byte: manifests.
//!
//! The file is a JSON object. Its last member is the checksum of all bytes before that member:
//!
//! ```text
//! {
//!   "level": 7,
//!   "xxh3": "f3a0…"
//! }
//! ```

use std::io::{self, Read};
use std::path::Path;

use retrograde::internal::checksum::checksum;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::FileError;
use crate::file::File;
use crate::temp_file::{Durable, TempFile};

const BEFORE: &str = ",\n  \"xxh3\": \"";
const AFTER: &str = "\"\n}\n";
const DIGITS: usize = 16;

/// Writes a JSON object to a file, as a whole or not at all. This replaces an older file.
///
/// # Panics
///
/// If the value is not an object with members.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<Durable, FileError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| FileError::new(path, "write", error.into()))?;
    let body = text.strip_suffix("\n}").expect("an object with members");
    let mut file = TempFile::create(path)?;
    file.write(with_checksum(body).as_bytes())?;
    file.publish()
}

/// The text of a file. `body` is the object without its end.
fn with_checksum(body: &str) -> String {
    format!("{body}{BEFORE}{:016x}{AFTER}", checksum(body.as_bytes(), 0))
}

/// Reads the output of [`write_json`]; `None` if there is no file.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FileError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.cursor(0).read_to_string(&mut text));
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() != io::ErrorKind::InvalidData => {
            return Err(FileError::new(path, "read", error));
        }
        _ => {}
    }
    let body = text.len().checked_sub(BEFORE.len() + DIGITS + AFTER.len());
    let body = body.and_then(|len| text.get(..len)).unwrap_or_default();
    if with_checksum(body) != text {
        return Err(FileError::damaged(path, "the checksum of the file is wrong"));
    }
    let value = serde_json::from_str(&text);
    value
        .map(Some)
        .map_err(|error| FileError::damaged(path, format!("it makes no sense here: {error}")))
}
