//! Morris as a family of regions. Its rules use no tables. This file connects the two.

use std::path::Path;

use retrograde::Probe;
use retrograde::adapters::Folded;
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde_regions::{Family, Run, SideFacts, SolvedRegion};
use retrograde_table::{About, SideCounts};
use serde_json::{Map, Value as Json, json};

use crate::board::Men;
use crate::forwards;
use crate::game::Mill;
use crate::index::{Index, Numberings};
use crate::region::Region;

/// Three, six or nine men's morris. A region is a [`Region`], and [`Index`] numbers its states.
pub struct Morris {
    men: Men,
    numberings: Numberings,
}

/// The name of the game in the tables of morris.
pub const GAME: &str = "morris";

impl Morris {
    /// The game with this number of men.
    pub fn new(men: Men) -> Morris {
        Morris { men, numberings: Numberings::default() }
    }

    /// The variant.
    pub fn men(&self) -> Men {
        self.men
    }

    /// The numbering of a region.
    pub fn index(&self, region: Region) -> Index {
        Index::shared(self.men, region, &self.numberings)
    }
}

impl Family for Morris {
    type Region = Region;
    type Game<'a> = Folded<Mill<'a>>;

    fn name(&self) -> &str {
        match self.men {
            Men::Three => "morris3",
            Men::Six => "morris6",
            Men::Nine => "morris9",
        }
    }

    fn region_named(&self, name: &str) -> Result<Region, String> {
        Region::named(self.men(), name).map_err(|error| error.to_string())
    }

    fn needs(&self, region: &Region) -> Vec<Region> {
        region.needs(self.men)
    }

    fn game<'a>(&self, region: &Region, solved: Vec<SolvedRegion<'a>>) -> Self::Game<'a> {
        Folded(Mill::shared(self.men, *region, solved, &self.numberings))
    }

    fn verify<P: Probe>(
        &self,
        game: &Self::Game<'_>,
        values: &P,
        verifier: Verifier<'_>,
    ) -> Result<Verified, VerifyError<P::Error>> {
        forwards::verify(game, values, verifier, &self.numberings)
    }

    fn runs(game: &Self::Game<'_>) -> Vec<Run> {
        let blocks = game.0.index().blocks.iter().enumerate();
        blocks.map(|(side, block)| Run { states: block.states(), side, positions: 1 }).collect()
    }

    fn about(&self, region: &Region, game: &Self::Game<'_>, sides: &[SideFacts]) -> About {
        let index = game.0.index();
        let text = |state| index.position(state).map(|position| position.to_string());
        let mut told = Vec::new();
        let mut counts = Vec::new();
        for (block, side) in index.blocks.iter().zip(sides) {
            let mut entries = Map::new();
            entries.insert("own".to_owned(), block.own.into());
            entries.insert("other".to_owned(), block.other.into());
            entries.extend(side.entries("position", text));
            told.push(Json::Object(entries));
            let name = format!("{}-{}", block.own, block.other);
            counts.push(SideCounts::new(&name, side.states));
        }
        let parameters = json!({
            "men": self.men.number(), (Morris::REGION): region.to_string(), "sides": told,
        });
        About { game: GAME.into(), parameters, counts, ..About::default() }
    }

    fn command(&self, region: &Region, folder: &Path) -> String {
        let (men, folder) = (self.men.number(), folder.display());
        format!("retrograde build morris --men {men} {region} --out {folder}")
    }
}
