//! The manifest of a folder: its finished regions, the options of the build, and the checksums of the tables.
//!
//! It is written again after each region, as a whole or not at all. It contains nothing that differs between
//! runs: no times, no machine.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use retrograde_files::{FileError, TempFile};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// The version of the manifest. Only this one is readable.
const VERSION: u32 = 1;

/// The contents of a folder of regions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// The name of the family.
    pub family: String,
    /// Whether the tables have distances.
    pub distances: bool,
    /// The compression of their blocks.
    pub compression: String,
    /// Whether the tables keep the states of both sides even if one would be enough.
    #[serde(default = "both_sides")]
    pub both_sides: bool,
    /// The finished regions by name.
    pub regions: BTreeMap<String, Entry>,
}

/// A finished table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// How many states the region has.
    pub states: u64,
    /// The length of the file.
    pub bytes: u64,
    /// The xxh3 checksum of the whole file, 64 bits in hexadecimal.
    pub checksum: String,
}

/// The default for manifests from before this option.
fn both_sides() -> bool {
    true
}

impl Manifest {
    /// The name of the file within its folder.
    pub const FILE: &str = "manifest.json";

    /// The manifest of a folder without finished regions.
    pub fn new(family: &str, distances: bool, compression: &str, both_sides: bool) -> Manifest {
        Manifest {
            version: VERSION,
            family: family.to_string(),
            distances,
            compression: compression.to_string(),
            both_sides,
            regions: BTreeMap::new(),
        }
    }

    /// Reads the manifest of a folder; `None` if there is none.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, ManifestError> {
        let path = folder.join(Manifest::FILE);
        let text = match open(&path).and_then(io::read_to_string) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ManifestError::Io { path, source }),
        };
        let manifest: Manifest = serde_json::from_str(&text)
            .map_err(|source| ManifestError::Malformed { path: path.clone(), source })?;
        if manifest.version != VERSION {
            return Err(ManifestError::Version { path, found: manifest.version });
        }
        Ok(Some(manifest))
    }

    /// Writes the manifest into its folder, as a whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<(), FileError> {
        let text = serde_json::to_string_pretty(self).expect("names and numbers are JSON");
        let mut temp_file = TempFile::create(&folder.join(Manifest::FILE))?;
        temp_file.write(text.as_bytes())?;
        temp_file.write(b"\n")?;
        temp_file.publish()?;
        Ok(())
    }
}

impl Entry {
    /// The entry of a file.
    pub(crate) fn of_file(path: &Path, states: u64) -> io::Result<Entry> {
        let mut file = open(path)?;
        let mut hasher = Xxh3::new();
        let mut buffer = vec![0; 1 << 20];
        let mut bytes = 0;
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                read => {
                    hasher.update(&buffer[..read]);
                    bytes += read as u64;
                }
            }
        }
        Ok(Entry { states, bytes, checksum: format!("{:016x}", hasher.digest()) })
    }
}

/// Opens a regular file for reading. Opening a pipe would wait forever.
fn open(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("the path exists and is not a file"));
    }
    File::open(path)
}

/// Why a manifest could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ManifestError {
    /// The system cannot read the file.
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file makes no sense.
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// This program does not know the version of the file.
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

impl std::fmt::Display for ManifestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ManifestError::Io { path, source } => write!(f, "{}: {source}", path.display()),
            ManifestError::Malformed { path, source } => write!(
                f,
                "{}: {source}; copy it again from where it is whole, or remove it and build again: \
                 then every table is made anew",
                path.display()
            ),
            ManifestError::Version { path, found } => write!(
                f,
                "{}: version {found} of the manifest is not known here; use a newer program or \
                 another folder",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ManifestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ManifestError::Io { source, .. } => Some(source),
            ManifestError::Malformed { source, .. } => Some(source),
            ManifestError::Version { .. } => None,
        }
    }
}
