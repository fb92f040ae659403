//! A family of any type, for programs that know several families.

use std::path::Path;

#[cfg(not(target_family = "wasm"))]
use retrograde_positions::Arguments;
use retrograde_positions::Spec;
use retrograde_table::{About, Options};
use serde_json::Value as Json;

use crate::build::SolvableRegions;
#[cfg(not(target_family = "wasm"))]
use crate::family::Family;
use crate::oracle::Oracle;
use crate::tablebase::{FamilyTexts, Tablebase, TablebaseError};
use crate::texts::{HeaderSide, Style, header_sides, header_sides_object};

/// A family of any type: its texts, and functions that choose, open and name its regions.
///
/// Let the crate of a family have it in a `static`. Then the compiler makes the engine of the family in that crate, and in
/// no other one.
pub struct AnyFamily {
    /// Its name, its rules, its parameters.
    pub spec: &'static Spec,
    /// How to write answers.
    pub style: Style,
    // No tables are built in a browser. A pointer to the functions that do so would bring them into the module.
    #[cfg(not(target_family = "wasm"))]
    select: Select,
    #[cfg(not(target_family = "wasm"))]
    finished: fn(&Path) -> Result<Selection, TablebaseError>,
    open: fn(&Path, Options) -> Result<Option<Oracle>, TablebaseError>,
    players: fn(&About) -> &'static [&'static str],
    title: fn(&About) -> Option<String>,
    command: fn(&About, &Path) -> Option<String>,
    /// The entry of a header that names the region.
    region: &'static str,
}

/// Chooses regions by arguments and by their names.
#[cfg(not(target_family = "wasm"))]
type Select = fn(&Arguments, &[String]) -> Result<Selection, String>;

/// Some regions of a family, to be built.
pub struct Selection {
    /// The family.
    pub family: Box<dyn SolvableRegions>,
    /// The names of the regions.
    pub regions: Vec<String>,
}

#[cfg(not(target_family = "wasm"))]
impl Selection {
    fn new<F: FamilyTexts>((family, regions): (F, Vec<<F as Family>::Region>)) -> Selection {
        let regions = regions.iter().map(ToString::to_string).collect();
        Selection { family: Box::new(family), regions }
    }
}

impl AnyFamily {
    /// The family.
    pub const fn new<F: FamilyTexts>() -> AnyFamily {
        AnyFamily {
            spec: F::SPEC,
            style: F::STYLE,
            #[cfg(not(target_family = "wasm"))]
            select: |given, regions| F::chosen(given, regions).map(Selection::new),
            #[cfg(not(target_family = "wasm"))]
            finished: |folder| Ok(Selection::new(Tablebase::<F>::open(folder)?.into_regions())),
            open: open::<F>,
            players: |about| F::of(None, Some(about)).map_or(&[], |family| family.players()),
            title: |about| {
                let family = F::of(None, Some(about))?;
                let region = about.parameters[F::REGION].as_str()?;
                Some(family.title(&family.region_named(region).ok()?))
            },
            command: |about, folder| {
                let family = F::of(None, Some(about))?;
                let region = about.parameters[F::REGION].as_str()?;
                Some(family.command(&family.region_named(region).ok()?, folder))
            },
            region: F::REGION,
        }
    }

    /// The regions that arguments name, or an error.
    #[cfg(not(target_family = "wasm"))]
    pub fn select(&self, given: &Arguments, regions: &[String]) -> Result<Selection, String> {
        (self.select)(given, regions)
    }

    /// All finished regions of a folder.
    #[cfg(not(target_family = "wasm"))]
    pub fn finished(&self, folder: &Path) -> Result<Selection, TablebaseError> {
        (self.finished)(folder)
    }

    /// Opens a folder of its tables; `None` if the folder's manifest belongs to another family.
    pub fn open(&self, path: &Path, options: Options) -> Result<Option<Oracle>, TablebaseError> {
        (self.open)(path, options)
    }

    /// The region in the header of a table.
    pub fn region<'a>(&self, about: &'a About) -> Option<&'a str> {
        about.parameters[self.region].as_str()
    }

    /// A title for that region, if its name alone does not explain it.
    pub fn title(&self, about: &About) -> Option<String> {
        (self.title)(about)
    }

    /// The command that builds a table with this header in a folder.
    pub fn command(&self, about: &About, folder: &Path) -> String {
        (self.command)(about, folder)
            .unwrap_or_else(|| format!("{} --out {}", self.spec.command(), folder.display()))
    }

    /// What a header says of each side to move.
    pub fn sides<'a>(&self, about: &'a About) -> Vec<HeaderSide<'a>> {
        header_sides(&about.parameters, (self.players)(about))
    }

    /// The same in JSON.
    pub fn sides_object(&self, about: &About) -> Json {
        header_sides_object(&about.parameters, (self.players)(about))
    }
}

fn open<F: FamilyTexts>(path: &Path, options: Options) -> Result<Option<Oracle>, TablebaseError> {
    Ok(match Tablebase::<F>::is_at(path)? {
        true => Some(Oracle::new(Tablebase::<F>::open_with(path, options)?)),
        false => None,
    })
}
