//! A family without its types: its regions have names, and the game of a region is an object.
//!
//! What reads and builds tables knows a family only in this way. So it is compiled once, and not for each family.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde::adapters::AnyRules;
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Code, Probe, Value};
use retrograde_table::{About, Recover, Rows};

use crate::facts::{Run, SideFacts};
use crate::family::ExitCosts;
use crate::solved::{Failure, SolvedRegion};

/// A family whose regions have names. Every [`Family`](crate::Family) is one, and its methods say more.
///
/// # Panics
///
/// If a name is not one of a region of this family. [`check`](NamedRegions::check) says so.
pub trait NamedRegions: Sync {
    /// The name of the family.
    fn name(&self) -> &str;

    /// The rules, if a text describes them.
    fn rules(&self) -> Option<About>;

    /// The entry of a header that names the region.
    fn entry(&self) -> &'static str;

    /// The cost of exits.
    fn exit_costs(&self) -> ExitCosts;

    /// Whether this is the name of a region. The error says what is wrong with it.
    fn check(&self, name: &str) -> Result<(), String>;

    /// The regions that moves of this one lead to.
    fn needs(&self, region: &str) -> Vec<String>;

    /// The game of a region, from the solutions of the regions that it needs.
    fn game<'a>(&'a self, region: &str, solved: Vec<SolvedRegion<'a>>) -> Box<dyn RegionGame + 'a>;

    /// What finds the values that the table of a region leaves out, and how many states the rules have.
    fn recover(
        &self,
        region: &str,
        solved: Vec<SolvedRegion<'static>>,
        path: PathBuf,
        failure: Arc<Failure>,
    ) -> (u64, Arc<dyn Recover>);

    /// The command that builds a region's table in a folder.
    fn command(&self, region: &str, folder: &Path) -> String;
}

/// An error of a lookup, of any type.
pub type LookupError = Box<dyn Error + Send + Sync>;

/// The game of a region, without its type.
pub trait RegionGame: Sync {
    /// Its rules for one state at a time.
    fn rules(&self) -> AnyRules<'_>;

    /// Checks values of the region.
    fn verify(
        &self,
        values: &dyn Probe<Error = LookupError>,
        verifier: Verifier<'_>,
    ) -> Result<Verified, VerifyError<LookupError>>;

    /// The states of each side to move.
    fn runs(&self) -> Vec<Run>;

    /// The header of the region's table.
    fn about(&self, sides: &[SideFacts]) -> About;

    /// The rows of the states.
    fn grids(&self) -> Vec<Rows>;

    /// What the rules tell of the table at a path.
    fn exits<'a>(&'a self, path: &'a Path, failure: &'a Failure) -> Box<dyn Recover + 'a>;
}

/// The header of the table of a game, from its values.
pub(crate) fn header<P: Probe>(game: &dyn RegionGame, values: &P) -> Result<About, P::Error> {
    Ok(game.about(&SideFacts::of(&game.runs(), values)?))
}

/// Values with errors of any type.
pub(crate) struct AnyValues<'a, P>(pub(crate) &'a P);

impl<P: Probe<Error: Error + Send + Sync + 'static>> Probe for AnyValues<'_, P> {
    type Error = LookupError;

    fn states(&self) -> u64 {
        self.0.states()
    }

    fn has_distances(&self) -> bool {
        self.0.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, LookupError> {
        Ok(self.0.probe(state)?)
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), LookupError> {
        Ok(self.0.fill_codes(first, codes)?)
    }

    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, LookupError> {
        Ok(self.0.least_of(states)?)
    }
}
