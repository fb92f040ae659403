//! The families of regions by name. A new family needs a crate and a line here.

use std::marker::PhantomData;
use std::path::Path;

use retrograde_chess::Chess;
use retrograde_morris::Morris;
use retrograde_regions::{
    Built, Family, FamilyTexts, Spec, Style, Tablebase, TablebaseError, Told, told, told_object,
};
use retrograde_table::{About, Options};
use retrograde_tapatan::Tapatan;
use serde_json::Value as Json;

use crate::build::{self, Targets};
use crate::oracle::Oracle;

/// Lists the families twice: as values, and as types for a visitor.
macro_rules! families {
    ($($family:ty),*) => {
        /// All families.
        pub static FAMILIES: &[&dyn AnyFamily] = &[$(&Of::<$family>(PhantomData)),*];

        /// Calls the visitor with the family of this name, which comes from a folder's manifest. `None` if there is no
        /// such family.
        pub fn visit_family<V: FamilyVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(if let Some(family) = <$family as FamilyTexts>::of(Some(name), None) {
                return Some(visitor.visit(family));
            })*
            None
        }
    };
}

families!(Chess, Morris, Tapatan);

/// Code that is compiled for each family.
pub trait FamilyVisitor {
    /// Its result.
    type Output;

    /// Called with the family.
    fn visit<F: Built>(self, family: F) -> Self::Output;
}

/// A family behind one trait, for code that treats all families alike.
pub trait AnyFamily: Sync {
    /// The name of the game: `chess`.
    fn game(&self) -> &'static str;

    /// A command that builds some tables, without the folder at its end.
    fn build(&self) -> &'static str;

    /// The style of answers.
    fn style(&self) -> Style;

    /// The texts and arguments for the command line.
    fn spec(&self) -> Spec;

    /// The regions that arguments name, or an error.
    fn targets(
        &self,
        given: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<Box<dyn Targets>, String>;

    /// All finished regions of a folder.
    fn finished(&self, folder: &Path) -> Result<Box<dyn Targets>, TablebaseError>;

    /// Opens a folder of its tables; `None` if the folder's manifest belongs to another family.
    fn open(
        &self,
        path: &Path,
        options: Options,
    ) -> Result<Option<Box<dyn Oracle>>, TablebaseError>;

    /// The region in the header of a table.
    fn region<'a>(&self, about: &'a About) -> Option<&'a str>;

    /// A title for that region, if its name alone does not explain it.
    fn title(&self, about: &About) -> Option<String>;

    /// The command that builds a table with this header in a folder.
    fn command(&self, about: &About, folder: &Path) -> String;

    /// The entries of a header for each side to move.
    fn told<'a>(&self, parameters: &'a Json) -> Vec<Told<'a>>;

    /// The same as JSON.
    fn told_object(&self, parameters: &Json) -> Json;
}

struct Of<F>(PhantomData<fn() -> F>);

impl<F> AnyFamily for Of<F>
where
    F: Built + Send + Sync,
{
    fn game(&self) -> &'static str {
        F::GAME
    }

    fn build(&self) -> &'static str {
        F::BUILD
    }

    fn style(&self) -> Style {
        F::STYLE
    }

    fn spec(&self) -> Spec {
        F::SPEC
    }

    fn targets(
        &self,
        given: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<Box<dyn Targets>, String> {
        let (family, regions) = F::chosen(given, regions)?;
        Ok(Box::new(build::Of { family, regions }))
    }

    fn finished(&self, folder: &Path) -> Result<Box<dyn Targets>, TablebaseError> {
        let (family, regions) = Tablebase::<F>::open(folder)?.into_regions();
        Ok(Box::new(build::Of { family, regions }))
    }

    fn open(
        &self,
        path: &Path,
        options: Options,
    ) -> Result<Option<Box<dyn Oracle>>, TablebaseError> {
        Ok(match Tablebase::<F>::is_at(path)? {
            true => Some(Box::new(Tablebase::<F>::open_with(path, options)?)),
            false => None,
        })
    }

    fn region<'a>(&self, about: &'a About) -> Option<&'a str> {
        F::named(about)
    }

    fn title(&self, about: &About) -> Option<String> {
        let family = F::of(None, Some(about))?;
        Some(family.title(&family.region_named(<F as Family>::named(about)?).ok()?))
    }

    fn command(&self, about: &About, folder: &Path) -> String {
        let family = F::of(None, Some(about));
        let region = family.as_ref().zip(F::named(about));
        let command = region.and_then(|(family, name)| {
            Some(family.command(&family.region_named(name).ok()?, folder))
        });
        command.unwrap_or_else(|| format!("{} --out {}", F::BUILD, folder.display()))
    }

    fn told<'a>(&self, parameters: &'a Json) -> Vec<Told<'a>> {
        told(parameters, F::PLAYERS)
    }

    fn told_object(&self, parameters: &Json) -> Json {
        told_object(parameters, F::PLAYERS)
    }
}

/// The family of a table, according to its header.
pub fn family_of(about: &About) -> Option<&'static dyn AnyFamily> {
    FAMILIES.iter().copied().find(|family| family.game() == about.game)
}

/// Opens a folder of tables of any family. `None` if the folder has no manifest of a family.
pub fn open_family(
    path: &Path,
    options: Options,
) -> Result<Option<Box<dyn Oracle>>, TablebaseError> {
    for family in FAMILIES {
        if let Some(tables) = family.open(path, options)? {
            return Ok(Some(tables));
        }
    }
    Ok(None)
}
