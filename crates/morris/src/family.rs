//! Morris as a family of regions. Its rules use no tables. This file connects the two.

use std::path::Path;

use retrograde::adapters::Folded;
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Counts, Probe, Solution};
use retrograde_regions::{Family, Solved};
use retrograde_table::{About, SideCounts};
use serde_json::json;

use crate::board::Men;
use crate::forwards;
use crate::game::Mill;
use crate::index::{Index, Numberings};
use crate::region::Region;
use crate::stats::{Stats, stats_of, stats_of_solution};

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

    fn told(&self, index: &Index, stats: &[Stats], distances: bool) -> About {
        let side = |stats: &Stats| {
            let longest = stats.longest_win.filter(|_| distances);
            let position = longest.and_then(|(state, _)| index.position(state));
            let Counts { win, draw, loss, .. } = stats.states;
            json!({
                "own": stats.own, "other": stats.other, "win": win, "draw": draw, "loss": loss,
                "longest": longest.map(|(_, plies)| plies),
                "position": position.map(|position| position.to_string()),
            })
        };
        About {
            game: GAME.into(),
            parameters: json!({
                "men": self.men.number(), "region": index.region().to_string(),
                "sides": stats.iter().map(side).collect::<Vec<_>>(),
            }),
            counts: stats.iter().map(|side| SideCounts::new(&side.name(), side.states)).collect(),
            ..About::default()
        }
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

    fn needs(&self, region: &Region) -> Vec<Region> {
        region.needs(self.men)
    }

    fn game<'a>(&self, region: &Region, solved: Vec<Solved<'a>>) -> Self::Game<'a> {
        Folded(Mill::shared(self.men, *region, solved, &self.numberings))
    }

    fn verify<P: Probe<Error: Send>>(
        &self,
        game: &Self::Game<'_>,
        values: &P,
        verifier: Verifier<'_>,
    ) -> Result<Verified, VerifyError<P::Error>> {
        forwards::verify(game, values, verifier, &self.numberings)
    }

    fn about<P: Probe>(
        &self,
        _: &Region,
        game: &Self::Game<'_>,
        values: &P,
    ) -> Result<About, P::Error> {
        let index = game.0.index();
        Ok(self.told(index, &stats_of(index, values)?, values.has_distances()))
    }

    fn about_solved(&self, _: &Region, game: &Self::Game<'_>, solution: &Solution) -> About {
        let index = game.0.index();
        self.told(index, &stats_of_solution(index, solution), solution.has_distances())
    }

    fn judge<P: Probe>(
        &self,
        region: &Region,
        said: &About,
        game: &Self::Game<'_>,
        values: &P,
    ) -> Result<Option<String>, P::Error> {
        let found = Family::about(self, region, game, values)?;
        let (said_of, found_of) = (&said.parameters, &found.parameters);
        Ok((said_of != found_of || said.counts != found.counts)
            .then(|| format!("it says {said_of}, but there is {found_of}")))
    }

    fn command(&self, region: &Region, folder: &Path) -> String {
        let (men, folder) = (self.men.number(), folder.display());
        format!("retrograde build morris --men {men} {region} --out {folder}")
    }
}
