//! A region of a family. Its exits lead to existing tables in a folder, which every process opens.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use retrograde::bit_parallel::{LogStore, Share, WordExchange};
use retrograde::parts::Parted;
use retrograde::{SolveError, Solver};
use retrograde_catalog::{FamilyVisitor, visit_family};
use retrograde_games::Turns;
use retrograde_regions::{Built, Failure, Family, RegionExits, Tables};
use retrograde_table::{About, BestExits, Rows, Table};
use serde_json::{Value as Json, json};

use crate::game::{Game, SolvedShare};

/// The family and the region.
pub(crate) struct Named {
    pub(crate) family: String,
    pub(crate) region: String,
    pub(crate) folder: PathBuf,
}

impl Named {
    /// What all processes must agree on.
    pub(crate) fn identity(&self) -> Json {
        json!({ "family": self.family, "region": self.region })
    }

    /// Builds its game, with the tables it needs loaded if the game `fits`, and calls `act` with it.
    pub(crate) fn with_game<T>(
        &self,
        fits: impl Fn(&dyn Game) -> bool,
        act: impl FnOnce(&dyn Game) -> T,
    ) -> Result<T, String> {
        let work = Work { named: self, fits, act };
        visit_family(&self.family, work).unwrap_or_else(|| Err(self.strange(&"no such family")))
    }

    fn strange(&self, problem: &dyn Display) -> String {
        format!("{} {}: {problem}", self.family, self.region)
    }
}

/// The work on the game of a region, once its family is known.
struct Work<'a, P, A> {
    named: &'a Named,
    fits: P,
    act: A,
}

impl<T, P, A> FamilyVisitor for Work<'_, P, A>
where
    P: Fn(&dyn Game) -> bool,
    A: FnOnce(&dyn Game) -> T,
{
    type Output = Result<T, String>;

    fn visit<F: Built>(self, family: F) -> Result<T, String> {
        let Work { named, fits, act } = self;
        let region = family.region_named(&named.region).map_err(|error| named.strange(&error))?;
        with_game(family, &region, named, fits, act)
    }
}

fn with_game<F: Family + 'static, T>(
    family: F,
    region: &F::Region,
    Named { folder, .. }: &Named,
    fits: impl Fn(&dyn Game) -> bool,
    act: impl FnOnce(&dyn Game) -> T,
) -> Result<T, String> {
    let tables = Tables::open(family, folder).map_err(|error| error.to_string())?;
    let family = tables.family();
    let needs = family.needs(region);
    let needs = needs.iter().map(|need| tables.table(need).map(|table| table.states()));
    let states = needs.sum::<Result<u64, _>>().map_err(|error| error.to_string())?;
    // A loaded table takes a little more than a byte a state.
    let unpacked = states + states / 8;
    let load = tables.with_game_watched(region, false, |game, failure| {
        fits(&Region { family, region, game, failure, bytes: unpacked })
    });
    let load = load.map_err(|error| error.to_string())?;
    let done = tables.with_game_watched(region, load, |game, failure| {
        let bytes = if load { unpacked } else { 0 };
        act(&Region { family, region, game, failure, bytes })
    });
    done.map_err(|error| error.to_string())
}

struct Region<'a, 'g, F: Family> {
    family: &'a F,
    region: &'a F::Region,
    game: &'a F::Game<'g>,
    failure: &'a Failure,
    bytes: u64,
}

impl<F: Family> Game for Region<'_, '_, F> {
    fn states(&self) -> u64 {
        retrograde::Game::states(self.game)
    }

    fn grids(&self) -> Vec<Rows> {
        self.family.grids(self.game)
    }

    fn turns(&self) -> Option<(Turns, &'static [&'static str])> {
        None
    }

    fn about(&self, values: &dyn Fn() -> Result<Table, String>) -> Result<About, String> {
        self.family.about(self.region, self.game, &values()?).map_err(|error| error.to_string())
    }

    fn exits<'a>(&'a self, path: &'a Path) -> Option<Box<dyn BestExits + 'a>> {
        Some(Box::new(RegionExits::<F>::new(self.game, path, self.failure)))
    }

    fn is_sound(&self) -> bool {
        !self.failure.happened()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn parted(&self) -> &dyn Parted {
        self.game
    }

    fn memory_needed_share(
        &self,
        solver: &Solver<'_>,
        share: &Share,
        (ghosts, _): (u64, bool),
    ) -> Option<u64> {
        self.family.memory_needed_share(self.game, solver, (share, ghosts))
    }

    fn solve_share(
        &self,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
        store: Option<Box<dyn LogStore>>,
    ) -> Result<Box<dyn SolvedShare>, SolveError> {
        if store.is_some() {
            return Err(SolveError::Outside("a region keeps its log in memory".into()));
        }
        Ok(Box::new(self.family.solve_share(self.game, solver, share, exchange)?))
    }
}
