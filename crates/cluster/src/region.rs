//! A region of a family. Its exits lead to existing tables in a folder, which every rank opens.

use std::fmt::Display;
use std::path::Path;

use retrograde::adapters::AnyRules;
use retrograde::bit_parallel::{LogError, LogStore, Share, WordExchange, WordSolution};
use retrograde::parts::Parted;
use retrograde::{Counts, SolveError, Solver};
use retrograde_catalog::each_family;
use retrograde_games::Turns;
use retrograde_regions::{Failure, Family, FamilyTexts, RegionExits, SideFacts, Tables};
use retrograde_table::{About, BestExits, Rows, Table};

use crate::engine::RankValues;
use crate::game::{Game, MemoryNeeded, SolveShare};

/// Builds the game of a region, with the tables it needs loaded if the game `fits`, and calls `act` with it.
pub(crate) fn with_region<T>(
    family: &str,
    region: &str,
    folder: &Path,
    fits: impl Fn(&dyn Game) -> bool,
    act: impl FnOnce(&dyn Game) -> T,
) -> Result<T, String> {
    let strange = |problem: &dyn Display| format!("{family} {region}: {problem}");
    macro_rules! find {
        ($($family:ty),*) => {
            $(if let Some(found) = <$family>::of(Some(family), None) {
                let region = found.region_named(region).map_err(|error| strange(&error))?;
                return with_game(found, &region, folder, fits, act);
            })*
        };
    }
    each_family!(find);
    Err(strange(&"no such family"))
}

fn with_game<F: Family + 'static, T>(
    family: F,
    region: &F::Region,
    folder: &Path,
    fits: impl Fn(&dyn Game) -> bool,
    act: impl FnOnce(&dyn Game) -> T,
) -> Result<T, String> {
    let tables = Tables::open(family, folder).map_err(|error| error.to_string())?;
    let family = tables.family();
    let needs = family.needs(region);
    let values = needs.len() as u64;
    let needs = needs.iter().map(|need| tables.table(need).map(|table| table.states()));
    let states = needs.sum::<Result<u64, _>>().map_err(|error| error.to_string())?;
    // A loaded table takes a little more than a byte a state.
    let (unpacked, cache_bytes) = (states + states / 8, F::EXITS.cache_bytes(states));
    let load = tables.with_game_watched(region, None, |game, failure| {
        fits(&Region { family, region, game, failure, cache_bytes, bytes: unpacked })
    });
    let load = load.map_err(|error| error.to_string())?;
    // Some tables have two bytes a state, and each has a list of its values.
    let most = load.then_some(2 * unpacked + (values << 20));
    let done = tables.with_game_watched(region, most, |game, failure| {
        let bytes = if load { unpacked } else { 0 };
        act(&Region { family, region, game, failure, cache_bytes, bytes })
    });
    done.map_err(|error| error.to_string())
}

struct Region<'a, 'g, F: Family> {
    family: &'a F,
    region: &'a F::Region,
    game: &'a F::Game<'g>,
    failure: &'a Failure,
    /// The memory of the values of exits.
    cache_bytes: u64,
    /// The memory of the tables that exits lead to.
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

    fn position_counts(&self, _: &RankValues<'_>) -> Result<Option<Counts>, LogError> {
        Ok(None)
    }

    fn about(&self, values: &dyn Fn() -> Result<Table, String>) -> Result<About, String> {
        let sides = SideFacts::of(&F::runs(self.game), &values()?);
        let sides = sides.map_err(|error| error.to_string())?;
        Ok(self.family.about(self.region, self.game, &sides))
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

    fn parted(&self) -> Box<dyn Parted + '_> {
        Box::new(AnyRules::of(self.game))
    }

    fn memory_needed_share(
        &self,
        solver: &Solver<'_>,
        share: &Share,
        (ghosts, _): (u64, bool),
    ) -> Option<u64> {
        let needed = F::visit_words(self.game, MemoryNeeded(solver, share, (ghosts, false)));
        Some(needed.ok()? + self.cache_bytes)
    }

    fn solve_share(
        &self,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
        store: Option<Box<dyn LogStore>>,
    ) -> Result<WordSolution, SolveError> {
        if store.is_some() {
            return Err(SolveError::Outside("a region keeps its log in memory".into()));
        }
        let solved = F::visit_words(self.game, SolveShare(solver, share, exchange, None));
        solved.unwrap_or_else(|_| unreachable!("it has words"))
    }
}
