//! A folder of solved regions, to be asked.

use std::path::Path;
use std::sync::Arc;

use retrograde::Value;
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde_table::{Folder, Options, Table};

use crate::error::{Cause, RegionError};
use crate::family::Family;
use crate::manifest::{Entry, Manifest, ManifestError};
use crate::moves::complete;
use crate::solved::{self, Failure};
use crate::verify::verify;

/// The tables of a family in a folder. They can be asked from many threads at once.
///
/// A table is opened when it is first asked for, and stays open. Invalid states of a region may read as
/// anything: only ask for states that are positions of the game.
pub struct Tables<F> {
    family: F,
    folder: Folder,
    manifest: Manifest,
}

impl<F: Family> Tables<F> {
    /// Opens a folder. It may be empty or missing: then every region is.
    pub fn open(family: F, path: impl AsRef<Path>) -> Result<Tables<F>, ManifestError> {
        Tables::open_with(family, path, Options::new())
    }

    /// The same, each table opened with these options.
    pub fn open_with(
        family: F,
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tables<F>, ManifestError> {
        let folder = Folder::with_options(path.as_ref(), options);
        let manifest = Manifest::read(folder.path())?;
        let manifest = manifest.unwrap_or_else(|| Manifest::new(family.name(), true, "", false));
        Ok(Tables { family, folder, manifest })
    }

    /// The family.
    pub fn family(&self) -> &F {
        &self.family
    }

    pub(crate) fn into_family(self) -> F {
        self.family
    }

    /// What the folder says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The table of a region.
    pub fn table(&self, region: &F::Region) -> Result<Arc<Table>, RegionError> {
        let entry = self.entry(region)?;
        let table = self.folder.table(&region.to_string()).map_err(|e| self.failed(region, e))?;
        if (table.bytes(), table.states()) != (entry.bytes, entry.states) {
            let path = table.path().to_owned();
            return Err(self.failed(region, Cause::Changed { path }));
        }
        complete(&self.family, self.folder.path(), region, table, |need| self.table(need))
    }

    /// The table of a region, if it is there.
    pub fn get_table(&self, region: &F::Region) -> Result<Option<Arc<Table>>, RegionError> {
        match self.table(region) {
            Ok(table) => Ok(Some(table)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The value of a state that is not invalid.
    pub fn probe(&self, region: &F::Region, state: u64) -> Result<Option<Value>, RegionError> {
        self.table(region)?.probe(state).map_err(|error| self.failed(region, error))
    }

    /// Sets up the game of a region with the tables of those it needs, and does something with it.
    ///
    /// If a lookup in one of these tables fails, the result is the error, which names the table, and what `act`
    /// has returned is dropped. `act` itself cannot see a failure: from the first one on, every exit reads as a
    /// draw. So return what you find, and do not write it down inside `act`. For that, and to stop a solve
    /// early, see [`with_game_watched`](Tables::with_game_watched).
    pub fn with_game<T>(
        &self,
        region: &F::Region,
        act: impl FnOnce(&F::Game<'_>) -> T,
    ) -> Result<T, RegionError> {
        self.with_game_watched(region, false, |game, _| act(game))
    }

    /// The same for a caller who solves the game. If `load` is set, the tables are first unpacked in memory. `act`
    /// can ask the [`Failure`] whether a lookup has failed: let the progress callback of the solve break then, and
    /// write nothing.
    pub fn with_game_watched<T>(
        &self,
        region: &F::Region,
        load: bool,
        act: impl FnOnce(&F::Game<'_>, &Failure) -> T,
    ) -> Result<T, RegionError> {
        let needs = self.family.needs(region);
        let tables =
            needs.iter().map(|need| self.table(need)).collect::<Result<Vec<_>, RegionError>>()?;
        solved::with_game(&self.family, region, &tables, load, act)
            .map_err(|(number, error)| self.failed(&needs[number], error))
    }

    /// Checks every byte of a region's table against its checksums and the manifest's.
    pub fn check(&self, region: &F::Region) -> Result<(), RegionError> {
        let table = self.table(region)?;
        table.check().map_err(|error| self.failed(region, error))?;
        let path = table.path();
        let found = Entry::of_file(path, table.states())
            .map_err(|source| self.failed(region, Cause::Io { path: path.into(), source }))?;
        if found != *self.entry(region)? {
            return Err(self.failed(region, Cause::Changed { path: path.into() }));
        }
        Ok(())
    }

    /// Checks that every value of a region follows from its moves, and from the tables that they
    /// lead to; and that the header and the histogram of the table say what it holds.
    pub fn verify(&self, region: &F::Region) -> Result<Verified, RegionError> {
        self.verify_with(region, Verifier::new())
    }

    /// The same, with the choices of a verifier.
    pub fn verify_with(
        &self,
        region: &F::Region,
        verifier: Verifier<'_>,
    ) -> Result<Verified, RegionError> {
        let table = self.table(region)?;
        let verified =
            self.with_game(region, |game| verify(&self.family, region, &table, game, verifier))?;
        verified.map_err(|broken| match broken {
            VerifyError::Probe(error) => self.failed(region, error),
            broken => self.failed(region, Cause::Broken(broken.to_string())),
        })
    }

    fn entry(&self, region: &F::Region) -> Result<&Entry, RegionError> {
        let missing = || Cause::Missing { folder: self.folder.path().into() };
        let entry = self.manifest.regions.get(&region.to_string());
        entry.ok_or_else(|| self.failed(region, missing()))
    }

    fn failed(&self, region: &F::Region, cause: impl Into<Cause>) -> RegionError {
        RegionError::new(&self.family, region, self.folder.path(), cause)
    }
}
