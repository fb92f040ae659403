//! Tables of regions: a folder that `retrograde build` has written, or one table of it.

use std::path::{Path, PathBuf};

use retrograde_catalog::{AnyFamily, Oracle, State, family_of, open_family};
use retrograde_regions::Manifest;
use retrograde_table::{Folder, Options, Table};

use crate::source::wrong::failed;
use crate::term::failure::{Failure, input};

/// Tables of regions, as the user named them.
pub(crate) struct Tables {
    pub(crate) oracle: Oracle,
    path: PathBuf,
    /// The region of the table, if the user named a file.
    only: Option<String>,
    family: &'static AnyFamily,
}

/// The tables of regions at a path, if there are any.
pub(crate) fn tables_at(path: &Path) -> Result<Option<Tables>, Failure> {
    let open = |folder: &Path| open_family(folder, Options::new()).map_err(input);
    let name = path.display();
    if path.is_dir() {
        if let Some((family, oracle)) = open(path)? {
            return Ok(Some(Tables { oracle, path: path.to_owned(), only: None, family }));
        }
        let folder = Folder::new(path);
        let names = folder.names().unwrap_or_default();
        let tables = names.iter().filter_map(|name| Table::open(folder.file(name).ok()?).ok());
        let mut families = tables.filter_map(|table| family_of(&table.header().about));
        return match families.next() {
            None => Ok(None),
            Some(family) => Err(Failure::Input(format!(
                "{name}: this folder has tables of {}, but no {}, which lists the tables that were built; copy it again \
                 from where it is whole, or build again",
                family.spec.name,
                Manifest::FILE
            ))),
        };
    }
    // A file that is no table is refused later, as a table of a game.
    let Ok(table) = Table::open(path) else { return Ok(None) };
    let about = &table.header().about;
    let Some(family) = family_of(about) else { return Ok(None) };
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let Some((family, oracle)) = open(folder)? else {
        return Err(Failure::Input(format!(
            "{name}: this table needs the tables of other regions, and it is not in the folder where it was built; to build it: {}",
            family.command(about, Path::new("DIR"))
        )));
    };
    let only = family.region(about).unwrap_or_default().to_owned();
    Ok(Some(Tables { oracle, path: folder.to_owned(), only: Some(only), family }))
}

impl Tables {
    /// The regions: one, or all of the folder.
    pub(crate) fn regions(&self) -> Vec<String> {
        self.only.clone().map_or_else(|| self.oracle.regions(), |only| vec![only])
    }

    /// Whether the user named a folder and not a table.
    pub(crate) fn is_folder(&self) -> bool {
        self.only.is_none()
    }

    /// The family.
    pub(crate) fn family(&self) -> &'static AnyFamily {
        self.family
    }

    /// The only region.
    pub(crate) fn one(&self) -> Result<String, Failure> {
        let path = self.path.display();
        match &self.regions()[..] {
            [one] => Ok(one.clone()),
            [] => Err(self.nothing()),
            [first, others @ ..] => Err(Failure::Input(format!(
                "{path}: there are {} tables in this folder: name one, like {}",
                1 + others.len(),
                self.file(first).display()
            ))),
        }
    }

    /// The table of a folder with this name.
    pub(crate) fn narrowed(self, name: &str) -> Result<Tables, Failure> {
        // If the table is not there, the error says how to build it.
        self.oracle.region(name).map_err(failed)?;
        Ok(Tables { only: Some(name.to_owned()), ..self })
    }

    /// The error for a folder without a table.
    pub(crate) fn nothing(&self) -> Failure {
        let (path, build) = (self.path.display(), self.family.spec.command());
        Failure::Input(format!(
            "{path}: there is no finished table in this folder; `{build} --out {path}` builds some"
        ))
    }

    /// The path that the user named: the folder, or the file of a table.
    pub(crate) fn place(&self) -> PathBuf {
        self.only.as_ref().map_or_else(|| self.path.clone(), |only| self.file(only))
    }

    /// The position to begin with: the start of the game. Without a start, the longest win in the only region, of the
    /// first player if there is one, otherwise of the second.
    pub(crate) fn begin(&self) -> Result<State, Failure> {
        if let Some(start) = self.oracle.start() {
            return Ok(start);
        }
        let (region, what) = (self.one()?, self.oracle.style().position);
        if !self.oracle.has_distances() {
            return Err(Failure::Input(format!(
                "{region}: its tables have no distances, so the longest win is unknown; give a position as a {what}"
            )));
        }
        let table = self.oracle.table(&region).map_err(failed)?;
        let sides = table.map(|table| self.family.sides(&table.header().about));
        let longest_win =
            sides.iter().flatten().find_map(|side| side.longest_win).ok_or_else(|| {
                Failure::Usage(format!("{region} has no won position: give a position as a {what}"))
            })?;
        self.oracle.parse(longest_win).map_err(failed)
    }

    fn file(&self, region: &str) -> PathBuf {
        self.path.join(format!("{region}.{}", Folder::EXTENSION))
    }
}
