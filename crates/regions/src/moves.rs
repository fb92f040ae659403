//! Recovers the values that the table of a region leaves out, from the values that it has and from the tables
//! that its moves lead to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde::{Code, Game, Value};
use retrograde_table::{BestExits, Kept, Recover, Table, TableError};

use crate::error::{Cause, RegionError};
use crate::family::Family;
use crate::named_regions::NamedRegions;
use crate::solved::{Failure, SolvedRegion};

/// The rules of a region, with the tables that its moves lead to.
pub(crate) struct RegionMoves<F: Family> {
    pub(crate) game: F::Game<'static>,
    /// The table of the region.
    pub(crate) path: PathBuf,
    /// The first failed lookup of an exit. After it, the table recovers no more values, because the game may
    /// have stored a draw in place of the missing value.
    pub(crate) failure: Arc<Failure>,
}

/// What the rules of a region tell of its table, for the writer of the table.
pub struct RegionExits<'a, 'g, F: Family> {
    game: &'a F::Game<'g>,
    path: &'a Path,
    failure: &'a Failure,
}

impl<'a, 'g, F: Family> RegionExits<'a, 'g, F> {
    /// The exits of a game that [`with_game`](crate::Tables::with_game_watched) has set up. `path` is the file of
    /// its table, for errors.
    pub fn new(game: &'a F::Game<'g>, path: &'a Path, failure: &'a Failure) -> Self {
        RegionExits { game, path, failure }
    }
}

impl<F: Family> BestExits for RegionExits<'_, '_, F> {
    fn best_exit(&self, state: u64) -> Result<Option<Value>, TableError> {
        let mut codes = [Code::INVALID];
        F::best_exits(self.game, state, &mut codes);
        let [code] = codes;
        let mut best = None;
        if code.is_far() {
            let tell = |_, _, _, told: &[Value]| best = told.iter().copied().max();
            self.game.classify(state..state + 1, tell);
        } else {
            best = code.value();
        }
        self.failure.check(self.path)?;
        Ok(best)
    }

    fn best_exits(&self, first: u64, exits: &mut [Code]) -> Result<(), TableError> {
        F::best_exits(self.game, first, exits);
        self.failure.check(self.path)
    }
}

impl<F: Family> Recover for RegionExits<'_, '_, F> {
    fn recover(
        &self,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError> {
        let done = F::recover(self.game, kept, first, values);
        self.failure.check(self.path).and(done)
    }
}

impl<F: Family> RegionMoves<F> {
    fn exits(&self) -> RegionExits<'_, 'static, F> {
        RegionExits { game: &self.game, path: &self.path, failure: &self.failure }
    }
}

/// Makes a table of a region answer for all states, whether it keeps them or not. `open` opens the table of
/// another region, which also answers for all states.
pub(crate) fn complete(
    family: &dyn NamedRegions,
    folder: &Path,
    region: &str,
    table: Arc<Table>,
    open: &mut dyn FnMut(&str) -> Result<Arc<Table>, RegionError>,
) -> Result<Arc<Table>, RegionError> {
    let failed = |cause: Cause| RegionError::new(family, region, folder, cause);
    if let Some(cause) = Cause::of_name(family, region, &table) {
        return Err(failed(cause));
    }
    if table.answers_all() {
        return Ok(table);
    }
    let failure = Arc::new(Failure::default());
    let tables =
        family.needs(region).iter().map(|need| open(need)).collect::<Result<Vec<_>, _>>()?;
    let solved = tables.into_iter().enumerate();
    let solved =
        solved.map(|(number, table)| SolvedRegion::open(table, &failure, number)).collect();
    let path = table.path().to_owned();
    let (rules, recover) = family.recover(region, solved, path, failure);
    let kept = table.states();
    if rules != kept {
        let problem = format!("it has {kept} states, but the rules have {rules}");
        return Err(failed(TableError::Game { path: table.path().into(), problem }.into()));
    }
    table.recover_by(recover);
    Ok(table)
}

impl<F: Family> BestExits for RegionMoves<F> {
    fn best_exit(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.exits().best_exit(state)
    }

    fn best_exits(&self, first: u64, exits: &mut [Code]) -> Result<(), TableError> {
        self.exits().best_exits(first, exits)
    }
}

impl<F: Family> Recover for RegionMoves<F> {
    fn recover(
        &self,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError> {
        self.exits().recover(kept, first, values)
    }
}
