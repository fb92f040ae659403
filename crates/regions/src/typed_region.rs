//! The family behind one without types, and the regions behind its regions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde::Probe;
use retrograde::adapters::AnyRules;
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde_table::{About, Recover, Rows};

use crate::facts::{Run, SideFacts};
use crate::family::{ExitCosts, Family};
use crate::moves::{RegionExits, RegionMoves};
use crate::named_regions::{LookupError, NamedRegions, RegionGame};
use crate::solved::{Failure, SolvedRegion};

/// The region of this name.
fn named<F: Family>(family: &F, name: &str) -> F::Region {
    family.region_named(name).unwrap_or_else(|error| panic!("{error}"))
}

impl<F: Family> NamedRegions for F {
    fn name(&self) -> &str {
        Family::name(self)
    }

    fn rules(&self) -> Option<About> {
        Family::rules(self)
    }

    fn entry(&self) -> &'static str {
        F::REGION
    }

    fn exit_costs(&self) -> ExitCosts {
        F::EXITS
    }

    fn check(&self, name: &str) -> Result<(), String> {
        self.region_named(name).map(drop)
    }

    fn needs(&self, region: &str) -> Vec<String> {
        let needs = Family::needs(self, &named(self, region));
        needs.iter().map(ToString::to_string).collect()
    }

    fn game<'a>(&'a self, region: &str, solved: Vec<SolvedRegion<'a>>) -> Box<dyn RegionGame + 'a> {
        Box::new(TypedRegion::new(self, region, solved))
    }

    fn recover(
        &self,
        region: &str,
        solved: Vec<SolvedRegion<'static>>,
        path: PathBuf,
        failure: Arc<Failure>,
    ) -> (u64, Arc<dyn Recover>) {
        let game = Family::game(self, &named(self, region), solved);
        let states = retrograde::Game::states(&game);
        (states, Arc::new(RegionMoves::<F> { game, path, failure }))
    }

    fn command(&self, region: &str, folder: &Path) -> String {
        Family::command(self, &named(self, region), folder)
    }
}

/// A region with its game.
pub(crate) struct TypedRegion<'a, F: Family> {
    family: &'a F,
    region: F::Region,
    pub(crate) game: F::Game<'a>,
}

impl<'a, F: Family> TypedRegion<'a, F> {
    pub(crate) fn new(family: &'a F, region: &str, solved: Vec<SolvedRegion<'a>>) -> Self {
        let region = named(family, region);
        let game = family.game(&region, solved);
        TypedRegion { family, region, game }
    }
}

impl<F: Family> RegionGame for TypedRegion<'_, F> {
    fn rules(&self) -> AnyRules<'_> {
        AnyRules::of(&self.game)
    }

    fn verify(
        &self,
        values: &dyn Probe<Error = LookupError>,
        verifier: Verifier<'_>,
    ) -> Result<Verified, VerifyError<LookupError>> {
        self.family.verify(&self.game, &values, verifier)
    }

    fn runs(&self) -> Vec<Run> {
        F::runs(&self.game)
    }

    fn about(&self, sides: &[SideFacts]) -> About {
        self.family.about(&self.region, &self.game, sides)
    }

    fn grids(&self) -> Vec<Rows> {
        self.family.grids(&self.game)
    }

    fn exits<'a>(&'a self, path: &'a Path, failure: &'a Failure) -> Box<dyn Recover + 'a> {
        Box::new(RegionExits::<F>::new(&self.game, path, failure))
    }
}
