//! The manifests of a folder. One file has the options of the builds. Beside each finished table, another file has the
//! checksums of the table and of the tables that its exits lead to.
//!
//! Each file appears whole or not at all, and contains nothing that differs between runs: no times, no machine. Builders
//! in one folder never change a file of another, so none loses what another has recorded. In version 1, one file had all
//! of this. The regions that it lists are still there, unless a file beside their table says otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use retrograde::internal::checksum::Sum;
use retrograde_files::{Durable, File, FileError, list, read_json, remove_file, write_json};
use retrograde_table::{About, Folder, TableError};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::named_regions::NamedRegions;

/// The version of the manifest.
const VERSION: u32 = 2;
/// The version with all regions in one file, without a checksum.
const VERSION_ALL: u32 = 1;
/// The name of the file beside a table ends with this.
const NOTE: &str = ".table.json";

/// The contents of a folder of regions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// The name of the family.
    pub family: String,
    /// The rules, if a text describes them, as in the header of a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<ManifestRules>,
    /// Whether the tables have distances.
    pub distances: bool,
    /// The compression of their blocks.
    pub compression: String,
    /// Whether the tables keep the states of both sides even if one would be enough.
    #[serde(default = "both_sides")]
    pub both_sides: bool,
    /// The finished regions by name.
    #[serde(default, skip_serializing)]
    pub regions: BTreeMap<String, Entry>,
    /// Those with a file beside their table.
    #[serde(skip)]
    noted: BTreeSet<String>,
}

/// The rules of a family that a text describes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestRules {
    /// The game of the registry: `text`.
    pub game: String,
    /// The parameters, such as the version of the numbering.
    pub parameters: Json,
    /// The text.
    pub text: String,
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
    /// The regions that its moves lead to, and the checksums of their tables. Empty if a build of version 1 made it.
    #[serde(default)]
    pub needs: BTreeMap<String, String>,
}

/// The file beside a table.
#[derive(Serialize, Deserialize)]
struct Note {
    region: String,
    #[serde(flatten)]
    entry: Entry,
}

/// The default for manifests from before this option.
fn both_sides() -> bool {
    true
}

impl Manifest {
    /// The name of the file with the options.
    pub const FILE: &str = "manifest.json";

    /// The manifest of a folder without finished regions.
    pub fn new(family: &str, distances: bool, compression: &str, both_sides: bool) -> Manifest {
        Manifest {
            version: VERSION,
            family: family.to_string(),
            rules: None,
            distances,
            compression: compression.to_string(),
            both_sides,
            regions: BTreeMap::new(),
            noted: BTreeSet::new(),
        }
    }

    /// The same for a family, with its rules.
    pub(crate) fn of(
        family: &dyn NamedRegions,
        distances: bool,
        compression: &str,
        both_sides: bool,
    ) -> Manifest {
        let rules = family.rules().and_then(|About { game, parameters, board, .. }| {
            Some(ManifestRules { game, parameters, text: board? })
        });
        Manifest { rules, ..Manifest::new(family.name(), distances, compression, both_sides) }
    }

    /// What the header of a table would say of the rules, if a text describes them.
    pub fn about(&self) -> Option<About> {
        let ManifestRules { game, parameters, text } = self.rules.clone()?;
        Some(About { game, parameters, board: Some(text), ..About::default() })
    }

    /// The file beside the table of a region.
    pub fn note_file(folder: &Path, region: &str) -> PathBuf {
        folder.join(format!("{region}{NOTE}"))
    }

    /// Reads the manifest of a folder; `None` if there is none.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, FileError> {
        let mut manifest = Manifest::options(folder)?;
        manifest.as_mut().map_or(Ok(Vec::new()), |manifest| manifest.update(folder))?;
        Ok(manifest)
    }

    /// The same without the files beside tables.
    pub(crate) fn options(folder: &Path) -> Result<Option<Manifest>, FileError> {
        let path = folder.join(Manifest::FILE);
        let mut text = String::new();
        match File::open(&path).and_then(|file| file.cursor(0).read_to_string(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(FileError::new(&path, "read", source)),
        }
        let mut manifest: Manifest = serde_json::from_str(&text)
            .map_err(|error| FileError::damaged(&path, error.to_string()))?;
        match manifest.version {
            VERSION_ALL => {}
            VERSION => manifest = read_json(&path)?.unwrap_or(manifest),
            found => {
                let difference =
                    format!("version {found} of the manifest, which a newer program wrote");
                return Err(FileError::Foreign { path, difference });
            }
        }
        // Their names become names of files.
        let names = Folder::new(folder);
        if let Some(name) = manifest.regions.keys().find(|name| names.file(name).is_err()) {
            let problem = format!("{name:?} is not the name of a region");
            return Err(FileError::damaged(&path, problem));
        }
        Ok(Some(manifest))
    }

    /// Reads the file beside the table of a region, if there is one.
    pub(crate) fn noted(folder: &Path, region: &str) -> Result<Option<Entry>, FileError> {
        let path = Manifest::note_file(folder, region);
        let Some(note) = read_json::<Note>(&path)? else { return Ok(None) };
        if note.region != region {
            let problem = format!("it tells of {}, and not of {region}", note.region);
            return Err(FileError::damaged(&path, problem));
        }
        Ok(Some(note.entry))
    }

    /// Reads the entries that the folder has had since the last call. Returns the names of their regions.
    pub fn update(&mut self, folder: &Path) -> Result<Vec<String>, FileError> {
        let mut names = Vec::new();
        for file in list(folder)? {
            let Some(name) = file.to_str().and_then(|file| file.strip_suffix(NOTE)) else {
                continue;
            };
            if self.noted.contains(name) {
                continue;
            }
            // Another process may have removed it, because the table is damaged.
            let Some(entry) = Manifest::noted(folder, name)? else { continue };
            let region = name.to_owned();
            self.regions.insert(region.clone(), entry);
            self.noted.insert(region.clone());
            names.push(region);
        }
        Ok(names)
    }

    /// Records a finished table: writes the file beside it.
    #[cfg(feature = "build")]
    pub(crate) fn note(
        &mut self,
        folder: &Path,
        region: &str,
        entry: Entry,
    ) -> Result<(), FileError> {
        entry.write(folder, region)?;
        self.regions.insert(region.into(), entry);
        self.noted.insert(region.into());
        Ok(())
    }

    /// Reads the entry of a region again at the next [`update`](Manifest::update).
    pub(crate) fn reread(&mut self, region: &str) {
        self.regions.remove(region);
        self.noted.remove(region);
    }

    /// Forgets a region: removes the file beside its table.
    pub fn forget(&mut self, folder: &Path, region: &str) -> Result<(), FileError> {
        self.reread(region);
        remove_file(&Manifest::note_file(folder, region))
    }

    /// Writes the manifest into a folder, in the current version.
    pub fn write(&self, folder: &Path) -> Result<(), FileError> {
        for (region, entry) in &self.regions {
            if Manifest::noted(folder, region)?.as_ref() != Some(entry) {
                entry.write(folder, region)?;
            }
        }
        let current = Manifest { version: VERSION, ..self.clone() };
        write_json(&folder.join(Manifest::FILE), &current)?;
        Ok(())
    }

    /// A region that has another table now than the one from which a table was made. Missing tables do not count: made
    /// again, they are the same.
    pub(crate) fn disagreement<'e>(&self, entry: &'e Entry) -> Option<&'e String> {
        let mut needs = entry.needs.iter();
        let other = |(need, checksum): &(&String, &String)| {
            self.regions.get(*need).is_some_and(|found| found.checksum != **checksum)
        };
        needs.find(other).map(|(need, _)| need)
    }
}

impl Entry {
    fn write(&self, folder: &Path, region: &str) -> Result<(), FileError> {
        let note = Note { region: region.into(), entry: self.clone() };
        match write_json(&Manifest::note_file(folder, region), &note)? {
            Durable::Yes => Ok(()),
            Durable::Unsure(error) => Err(error),
        }
    }

    /// The entry of a file, without the regions that it needs.
    pub fn of_file(path: &Path, states: u64) -> Result<Entry, TableError> {
        let failed = |source| TableError::Io { path: path.into(), source };
        let file = File::open(path).map_err(failed)?;
        let (mut from, mut sum) = (file.cursor(0), Sum::new());
        let mut buffer = vec![0; 1 << 20];
        let mut bytes = 0;
        loop {
            match from.read(&mut buffer).map_err(failed)? {
                0 => break,
                read => {
                    sum.update(&buffer[..read]);
                    bytes += read as u64;
                }
            }
        }
        let checksum = format!("{:016x}", sum.value());
        Ok(Entry { states, bytes, checksum, needs: BTreeMap::new() })
    }

    /// Whether two entries are of the same file.
    pub(crate) fn same_file(&self, other: &Entry) -> bool {
        (self.states, self.bytes, &self.checksum) == (other.states, other.bytes, &other.checksum)
    }
}
