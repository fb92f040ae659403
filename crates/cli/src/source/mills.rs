//! Morris: questions to a folder of tables that `retrograde build morris` has made, or to one table of it.

use std::path::{Path, PathBuf};

use crate::term::failure::{Failure, input};
pub(crate) use retrograde_morris::GAME;
use retrograde_morris::{Position, Region, Tablebase};
use retrograde_regions::Manifest;
use retrograde_table::{Folder, Table};

/// Tables of morris that were named.
pub(crate) struct Mills {
    pub(crate) tables: Tablebase,
    /// The one that was meant, where a file was named.
    only: Option<Region>,
}

/// The tables of morris that a path names, if it names such.
pub(crate) fn mills(path: &Path) -> Result<Option<Mills>, Failure> {
    if path.is_dir() {
        if Tablebase::is_at(path).map_err(input)? {
            let tables = Tablebase::open(path).map_err(input)?;
            return Ok(Some(Mills { tables, only: None }));
        }
        let folder = Folder::new(path);
        let names = folder.names().unwrap_or_default();
        let mut files = names.iter().flat_map(|name| folder.file(name));
        if files.any(|file| Table::open(file).is_ok_and(|table| is_morris(&table))) {
            return Err(Failure::Input(format!(
                "{}: here are tables of morris, but no {}, which knows whether they are those that were built; \
                 copy it again from where it is whole, or build again",
                path.display(),
                Manifest::FILE
            )));
        }
        return Ok(None);
    }
    // A file that is no table is refused later, as a table of another game.
    let Some(table) = Table::open(path).ok().filter(is_morris) else { return Ok(None) };
    let name = path.display();
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let parameters = &table.header().about.parameters;
    if !Tablebase::is_at(folder).map_err(input)? {
        let (men, region) = (&parameters["men"], parameters["region"].as_str().unwrap_or_default());
        return Err(Failure::Input(format!(
            "{name}: moves lead from a region to others, and this one is not in the folder it was built in; to \
             build it: retrograde build morris --men {men} {region} --out DIR"
        )));
    }
    let tables = Tablebase::open(folder).map_err(input)?;
    let region = parameters["region"].as_str().unwrap_or_default();
    let region = Region::named(tables.family().men(), region)
        .map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    Ok(Some(Mills { tables, only: Some(region) }))
}

fn is_morris(table: &Table) -> bool {
    table.header().about.game == GAME
}

impl Mills {
    /// The regions meant: one, or all of the folder.
    pub(crate) fn regions(&self) -> Vec<Region> {
        self.only.map_or_else(|| self.tables.regions(), |only| vec![only])
    }

    /// Whether a folder was named, and not a table.
    pub(crate) fn is_folder(&self) -> bool {
        self.only.is_none()
    }

    /// The one region meant.
    pub(crate) fn one(&self) -> Result<Region, Failure> {
        let path = self.tables.path().display();
        match &self.regions()[..] {
            [one] => Ok(*one),
            [] => Err(self.nothing()),
            [first, others @ ..] => Err(Failure::Input(format!(
                "{path}: there are {} tables in this folder: name one, like {}",
                1 + others.len(),
                self.file(first).display()
            ))),
        }
    }

    /// The one table of a folder that is named.
    pub(crate) fn narrowed(self, name: &str) -> Result<Mills, Failure> {
        let region = Region::named(self.tables.family().men(), name).map_err(input)?;
        // Says how to build it, if it is not there.
        self.tables.opened(&region).map_err(input)?;
        Ok(Mills { only: Some(region), ..self })
    }

    pub(crate) fn nothing(&self) -> Failure {
        let (path, men) = (self.tables.path().display(), self.tables.family().men().number());
        Failure::Input(format!(
            "{path}: there is no finished table here; `retrograde build morris --men {men} --out {path}` makes them"
        ))
    }

    /// The file of a region's table.
    fn file(&self, region: &Region) -> PathBuf {
        self.tables.path().join(format!("{region}.{}", Folder::EXTENSION))
    }

    /// Reads a position; the empty board where nothing is said.
    pub(crate) fn position(&self, words: &[String]) -> Result<Position, Failure> {
        let text = if words.is_empty() { "start".to_owned() } else { words.join(" ") };
        self.tables.read(&text).map_err(input)
    }
}
