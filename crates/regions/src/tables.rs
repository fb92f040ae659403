//! Looks up states in a folder of solved regions.

use std::path::Path;
use std::sync::Arc;

use retrograde::Value;
use retrograde::checks::{Verified, Verifier};
use retrograde_files::FileError;
use retrograde_table::{Folder, Options, Table};

use crate::error::{Cause, RegionError};
use crate::family::Family;
use crate::manifest::{Entry, Manifest};
use crate::moves::complete;
use crate::named_regions::NamedRegions;
use crate::solved::{self, EXITS_BYTES, Failure, SolvedRegion};
use crate::verify::verify;

/// The tables of a family in a folder. Many threads can use them at once.
///
/// It opens a table at its first use, and keeps it open. It may give any value for an invalid state. So ask only
/// for states that are positions of the game.
pub struct Tables<F> {
    family: F,
    folder: Folder,
    manifest: Manifest,
}

impl<F: Family> Tables<F> {
    /// Opens a folder. It may be empty or missing. Then every region is missing.
    pub fn open(family: F, path: impl AsRef<Path>) -> Result<Tables<F>, FileError> {
        Tables::open_with(family, path, Options::new())
    }

    /// The same with options for the tables.
    pub fn open_with(
        family: F,
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tables<F>, FileError> {
        let folder = Folder::with_options(path.as_ref(), options);
        let manifest = Manifest::read(folder.path())?;
        let manifest = manifest.unwrap_or_else(|| Manifest::of(&family, true, "", false));
        Ok(Tables { family, folder, manifest })
    }

    /// The family.
    pub fn family(&self) -> &F {
        &self.family
    }

    pub(crate) fn into_family(self) -> F {
        self.family
    }

    /// The manifest of the folder.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The table of a region.
    pub fn table(&self, region: &F::Region) -> Result<Arc<Table>, RegionError> {
        self.table_in(&self.folder, &region.to_string())
    }

    fn table_in(&self, folder: &Folder, region: &str) -> Result<Arc<Table>, RegionError> {
        let entry = self.entry(region)?;
        let table = folder.table(region).map_err(|error| self.failed(region, error))?;
        if (table.bytes(), table.states()) != (entry.bytes, entry.states) {
            let path = table.path().to_owned();
            return Err(self.failed(region, Cause::Changed { path }));
        }
        if let Some(need) = self.manifest.disagreement(entry) {
            let (path, need) = (table.path().to_owned(), need.clone());
            return Err(self.failed(region, Cause::Outdated { path, need }));
        }
        let open = &mut |need: &str| self.table_in(folder, need);
        complete(&self.family, folder.path(), region, table, open)
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
        let found = self.table(region)?.probe(state);
        found.map_err(|error| self.failed(&region.to_string(), error))
    }

    /// Sets up the game of a region with the tables that it needs, and calls `act` with the game.
    ///
    /// If a lookup in one of these tables fails, this drops the result of `act` and returns an error that names
    /// the table. `act` itself cannot see a failure: from the first failure on, every exit is a draw. So let `act`
    /// return its results, and do not write them to a file inside `act`. To write a file, or to stop a solve
    /// early, use [`with_game_watched`](Tables::with_game_watched).
    pub fn with_game<T>(
        &self,
        region: &F::Region,
        act: impl FnOnce(&F::Game<'_>) -> T,
    ) -> Result<T, RegionError> {
        self.with_game_watched(region, None, |game, _| act(game))
    }

    /// The same for a caller who solves the game. If `load` is set, it first unpacks the tables in memory. It is an error
    /// if they take more than this number of bytes there. `act`
    /// can ask the [`Failure`] whether a lookup has failed. If so, let the progress callback of the solver return
    /// `Break`, and write nothing.
    pub fn with_game_watched<T>(
        &self,
        region: &F::Region,
        load: Option<u64>,
        act: impl FnOnce(&F::Game<'_>, &Failure) -> T,
    ) -> Result<T, RegionError> {
        self.with_solved(EXITS_BYTES, &region.to_string(), load, |solved, failure| {
            act(&Family::game(&self.family, region, solved), failure)
        })
    }

    /// Calls `act` with the solutions of the regions that this one needs, with a cache of `cache` bytes for each table.
    fn with_solved<T>(
        &self,
        cache: u64,
        region: &str,
        load: Option<u64>,
        act: impl FnOnce(Vec<SolvedRegion<'_>>, &Failure) -> T,
    ) -> Result<T, RegionError> {
        let needs = NamedRegions::needs(&self.family, region);
        let options = Options::new().cache_bytes(cache);
        let folder = Folder::with_options(self.folder.path(), options);
        let tables = needs.iter().map(|need| self.table_in(&folder, need));
        let tables = tables.collect::<Result<Vec<_>, RegionError>>()?;
        solved::with_solved(&tables, load, act)
            .map_err(|(number, error)| self.failed(&needs[number], error))
    }

    /// Checks every byte of a region's table against its checksums and the checksum in the manifest.
    pub fn check(&self, region: &F::Region) -> Result<(), RegionError> {
        let (table, region) = (self.table(region)?, &region.to_string());
        table.check().map_err(|error| self.failed(region, error))?;
        let path = table.path();
        let found =
            Entry::of_file(path, table.states()).map_err(|error| self.failed(region, error))?;
        if !found.same_file(self.entry(region)?) {
            return Err(self.failed(region, Cause::Changed { path: path.into() }));
        }
        Ok(())
    }

    /// Checks that every value of a region follows from its moves, and from the tables that they lead to. Also
    /// checks the counts in the header and in the histogram of the table.
    pub fn verify(&self, region: &F::Region) -> Result<Verified, RegionError> {
        self.verify_with(region, Verifier::new())
    }

    /// The same with the options of a verifier. The caches of the tables that exits lead to take as much memory as the
    /// values of the verifier, or a little if that is more.
    pub fn verify_with(
        &self,
        region: &F::Region,
        verifier: Verifier<'_>,
    ) -> Result<Verified, RegionError> {
        let (table, region) = (self.table(region)?, &region.to_string());
        let needs = NamedRegions::needs(&self.family, region);
        let states = needs.iter().map(|need| Ok(self.entry(need)?.states));
        let cache = share_evenly(verifier.memory(), states.collect::<Result<_, RegionError>>()?);
        let verified =
            self.with_solved(cache.max(EXITS_BYTES), region, None, |solved, failure| {
                verify(
                    &table,
                    &*NamedRegions::game(&self.family, region, solved),
                    failure,
                    verifier,
                )
            })?;
        verified.map_err(|cause| self.failed(region, cause))
    }

    fn entry(&self, region: &str) -> Result<&Entry, RegionError> {
        let missing = || Cause::Missing { folder: self.folder.path().into() };
        let entry = self.manifest.regions.get(region);
        entry.ok_or_else(|| self.failed(region, missing()))
    }

    fn failed(&self, region: &str, cause: impl Into<Cause>) -> RegionError {
        RegionError::new(&self.family, region, self.folder.path(), cause)
    }
}

/// The most bytes that each of some tables may have, so that all of them have at most `bytes`. A table wants two bytes
/// for each of its `states`: a block of many values has so many.
pub(crate) fn share_evenly(bytes: u64, mut states: Vec<u64>) -> u64 {
    states.sort_unstable();
    let mut left = bytes;
    for (states, tables) in states.iter().zip((1..=states.len() as u64).rev()) {
        if 2 * states > left / tables {
            return left / tables;
        }
        left -= 2 * states;
    }
    states.last().map_or(0, |states| 2 * states)
}

#[cfg(test)]
mod tests {
    use super::share_evenly;

    #[test]
    fn tables_share_memory_evenly() {
        for (bytes, states, expected) in [
            (100, vec![], 0),
            (100, vec![20], 40),
            (30, vec![20], 30),
            (100, vec![500, 10, 20], 40),
            (99, vec![25, 30, 35], 33),
            (100, vec![250, 5, 150], 45),
            (0, vec![5, 6], 0),
        ] {
            assert_eq!(share_evenly(bytes, states.clone()), expected, "{bytes} {states:?}");
        }
    }
}
