//! The tables of a family as a [`SolvedGame`].

use std::ops::Range;

use retrograde::checks::{Verified, Verifier};
use retrograde::{Counts, Level, Value};
use retrograde_positions::AnyPositions;
use retrograde_table::Table;
use serde_json::Value as Json;

use crate::family::Family;
use crate::oracle::{OracleError, SolvedGame, State, States};
use crate::tablebase::{FamilyTexts, OpenRegion, Tablebase};
use crate::texts::Style;

impl<F: FamilyTexts> SolvedGame for Tablebase<F> {
    /// The name of the family may say more, like `morris6`.
    fn game(&self) -> &str {
        match self.family().rules() {
            Some(_) => Family::name(self.family()),
            None => F::SPEC.name,
        }
    }

    fn positions(&self) -> &dyn AnyPositions {
        self.family()
    }

    fn style(&self) -> &Style {
        &F::STYLE
    }

    fn has_distances(&self) -> bool {
        self.has_distances()
    }

    fn regions(&self) -> Vec<String> {
        self.regions().iter().map(<F as Family>::Region::to_string).collect()
    }

    fn region(&self, name: &str) -> Result<Box<dyn States + '_>, OracleError> {
        let opened = self.opened(&named(self, name)?)?;
        Ok(Box::new(Region::<F> { family: self.family(), opened }))
    }

    fn table(&self, region: &str) -> Result<Option<&Table>, OracleError> {
        Ok(Some(self.opened(&named(self, region)?)?.table()))
    }

    fn region_of(&self, state: &State) -> Option<String> {
        let region = self.family().region(state.of());
        region.ok().map(|region| region.to_string())
    }

    fn parse(&self, text: &str) -> Result<State, OracleError> {
        Ok(State::new(self.read(text)?))
    }

    fn value(&self, state: &State) -> Result<Option<Value>, OracleError> {
        Ok(Some(self.value(state.of())?))
    }

    fn own_object(&self, state: &State) -> Option<Result<Json, OracleError>> {
        Some(F::object(self, state.of())?.map_err(OracleError::from))
    }

    fn verify(&self, region: &str, verifier: Verifier<'_>) -> Result<Verified, OracleError> {
        Ok(self.verify_with(&named(self, region)?, verifier)?)
    }

    fn check(&self, region: &str) -> Result<(), OracleError> {
        Ok(self.check(&named(self, region)?)?)
    }
}

/// A region of a family.
struct Region<'a, F: FamilyTexts> {
    family: &'a F,
    opened: &'a OpenRegion<F::Index>,
}

impl<F: FamilyTexts> States for Region<'_, F> {
    fn states(&self) -> u64 {
        self.opened.table().states()
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), OracleError> {
        Ok(self.opened.table().fill(first, values)?)
    }

    /// The table does not mark invalid states, so the numbering tells which they are.
    fn text(&self, state: u64, _: Option<Value>) -> Option<String> {
        let position = self.family.position(self.opened.index(), state)?;
        Some(self.family.write(&position))
    }

    fn passed(&self, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        self.family.passed_run(self.opened.index(), states, visit);
    }

    fn counts(&self) -> Result<Vec<(String, Counts)>, OracleError> {
        Ok(counts_of(self.opened.table()))
    }

    fn levels(&self) -> Result<Vec<Level>, OracleError> {
        Ok(self.opened.table().levels()?)
    }
}

/// The counts of each side that a table's header gives.
pub fn counts_of(table: &Table) -> Vec<(String, Counts)> {
    table.header().about.counts.iter().map(|of| (of.side.clone(), of.counts())).collect()
}

fn named<F: FamilyTexts>(
    tables: &Tablebase<F>,
    name: &str,
) -> Result<<F as Family>::Region, OracleError> {
    tables.family().region_named(name).map_err(OracleError::State)
}
